import { type CreateKeyInput, createKeySchema, type KeyView, keyScopes } from '@ossian/shared';
import { Command } from 'commander';
import { ConfigurationError } from '../config/configuration-error.js';
import { readEnvironment } from '../config/environment.js';
import { type KeyAdministration, openKeyAdministration } from './key-administration.js';

interface CreateOptions {
  name: string;
  scope: string[];
  corpus?: string[];
  reader?: string[];
  owner?: string[];
  json?: boolean;
}

/** `ossian-server keys create|list|revoke`. */
export function keysCommand(): Command {
  const keys = new Command('keys').description('make, list and revoke bearer keys');
  keys
    .command('create')
    .description('make a key; it is shown once')
    .requiredOption('--name <name>', 'what the key is for')
    .requiredOption('--scope <scope...>', `what it may do: ${keyScopes.join(', ')}`)
    .option('--corpus <name...>', 'only these corpora')
    .option(
      '--reader <group...>',
      'the groups that its requests may name as "readers"; a request that names none sees public documents only',
    )
    .option('--owner <owner...>', 'only the memory of these owners')
    .option('--json', 'print JSON')
    .action((options: CreateOptions) => administer((administration) => create(administration, options)));
  keys
    .command('list')
    .description('list all keys, without their secrets')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) =>
      administer(async (administration) => {
        const list = await administration.list();
        print(options.json === true ? JSON.stringify(list, null, 2) : list.map(describe).join('\n') || 'there are no keys');
      }),
    );
  keys
    .command('revoke')
    .description('revoke a key, from the next request on')
    .argument('<id>', 'the id that "keys list" shows')
    .action((id: string) => administer(async (administration) => print(describe(await administration.revoke(id)))));
  return keys;
}

async function administer(work: (administration: KeyAdministration) => Promise<void>): Promise<void> {
  const administration = await openKeyAdministration(readEnvironment(process.env).environment);
  try {
    await work(administration);
  } finally {
    await administration.close();
  }
}

async function create(administration: KeyAdministration, options: CreateOptions): Promise<void> {
  const parsed = createKeySchema.safeParse({
    name: options.name,
    scopes: separate(options.scope),
    corpora: options.corpus,
    readers: options.reader,
    owners: options.owner,
  } satisfies Record<keyof CreateKeyInput, unknown>);
  if (!parsed.success) {
    throw new ConfigurationError(parsed.error.issues.map(describeIssue));
  }
  const created = await administration.create(parsed.data);
  print(options.json === true ? JSON.stringify(created, null, 2) : created.key);
  if (options.json !== true) process.stderr.write(`id ${created.id}; the key is shown only now\n`);
}

function describeIssue({ path, message }: { path: PropertyKey[]; message: string }): string {
  if (path[0] === 'scopes') return `--scope takes ${keyScopes.join(', ')}: ${message}`;
  const option = { name: '--name', corpora: '--corpus', readers: '--reader', owners: '--owner' }[String(path[0])];
  return `${option ?? path.join('.')}: ${message}`;
}

/** `--scope ingest,ask` and `--scope ingest ask` are the same. */
function separate(values: readonly string[]): string[] {
  return values.flatMap((value) => value.split(',')).filter((value) => value !== '');
}

function describe(key: KeyView): string {
  const limits = (['corpora', 'readers', 'owners'] as const).flatMap((limit) => {
    const values = key[limit];
    return values === null ? [] : [`${limit}: ${values.join(', ') || 'none'}`];
  });
  const state = key.revoked_at === null ? [] : [`revoked ${key.revoked_at}`];
  return [key.id, key.created_at.slice(0, 10), key.name, key.scopes.join(','), ...limits, ...state].join('  ');
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
