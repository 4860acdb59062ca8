import { type CreatedKey, type CreateKeyInput, createLogger, type KeyView, OssianClient, ProblemError } from '@ossian/shared';
import { generateKey, hashKey } from '../auth/api-key.js';
import { ConfigurationError } from '../config/configuration-error.js';
import type { Environment } from '../config/environment.js';
import { type FolderHolder, liveFolderHolder } from '../storage/embedded/folder-lock.js';
import { insertKey, listKeys, revokeKey } from '../storage/key-store.js';
import { openDatabase } from '../storage/open-database.js';

/** What the `keys` commands do, wherever the keys are. */
export interface KeyAdministration {
  create(key: CreateKeyInput): Promise<CreatedKey>;
  list(): Promise<KeyView[]>;
  revoke(id: string): Promise<KeyView>;
  close(): Promise<void>;
}

/**
 * Through the running server where one has the data folder open, else in the database itself.
 *
 * @throws ConfigurationError where a server has the folder and cannot be asked yet; DatabaseOpenError where it cannot be opened.
 */
export async function openKeyAdministration(environment: Environment): Promise<KeyAdministration> {
  if (environment.DATABASE_URL === undefined) {
    const holder = await liveFolderHolder(environment.OSSIAN_DATA_DIR);
    if (holder !== undefined) return throughServer(holder);
  }
  return inDatabase(environment);
}

function throughServer({ pid, address, localKey }: FolderHolder): KeyAdministration {
  if (address === undefined || localKey === undefined) {
    throw new ConfigurationError([`process ${pid} has the data folder open and does not serve yet: try again in a moment`]);
  }
  const reach: typeof fetch = (...request) =>
    fetch(...request).catch((error: unknown) => {
      const { cause } = error as { cause?: { message?: string } };
      throw new ConfigurationError([
        `process ${pid} has the data folder open and does not answer at ${address}: ${cause?.message}`,
      ]);
    });
  const client = new OssianClient({ url: address, apiKey: localKey, fetch: reach });
  return {
    create: (key) => client.request('POST', 'v1/keys', key),
    list: async () => (await client.request<{ keys: KeyView[] }>('GET', 'v1/keys')).keys,
    revoke: (id) => client.request('DELETE', `v1/keys/${encodeURIComponent(id)}`),
    close: () => Promise.resolve(),
  };
}

async function inDatabase(environment: Environment): Promise<KeyAdministration> {
  const { DATABASE_URL: databaseUrl, OSSIAN_DATA_DIR: dataDir } = environment;
  // Of a command only what goes wrong is told.
  const database = await openDatabase({ databaseUrl, dataDir, logger: createLogger('ossian-server', 'error') });
  return {
    create: async ({ name, scopes, corpora = null, readers = null, owners = null }) => {
      const key = generateKey();
      return { ...(await insertKey(database, { name, scopes, corpora, readers, owners }, hashKey(key))), key };
    },
    list: () => listKeys(database),
    revoke: async (id) => {
      const revoked = await revokeKey(database, id);
      if (revoked === undefined) throw new ProblemError(404, 'key_not_found', `there is no key "${id}"`);
      return revoked;
    },
    close: () => database.close(),
  };
}
