import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import type { Logger } from '@ossian/shared';
import pg from 'pg';
import { runTransaction } from '../database.js';
import type { OpenDatabase } from '../open-database.js';
import { EmbeddedProcess } from './embedded-process.js';
import { FolderLock } from './folder-lock.js';

export interface EmbeddedOptions {
  /** Undefined: in memory, for tests. */
  readonly dataDir: string | undefined;
  readonly logger: Logger;
  readonly onFatal: (error: unknown) => void;
}

/** PGlite in a worker thread behind the same pg.Pool, with one connection that is never closed for being idle. */
export async function openEmbedded(options: EmbeddedOptions): Promise<OpenDatabase> {
  const { dataDir, logger, onFatal } = options;
  const lock = dataDir === undefined ? undefined : await FolderLock.acquire(dataDir);
  const clusterDir = dataDir === undefined ? undefined : join(dataDir, 'postgres');
  const stopped = (error: unknown): void => {
    logger.fatal({ err: error }, 'the embedded database has stopped');
    onFatal(error);
  };
  const embedded = await EmbeddedProcess.open({ clusterDir }, stopped).catch((error: unknown) => {
    lock?.release();
    throw error;
  });
  const pool = createPool(embedded);
  pool.on('error', (error) => logger.error({ err: error }, 'the embedded database failed while idle'));
  const localKey = `osk_${randomBytes(32).toString('base64url')}`;
  return {
    kind: 'embedded',
    pool,
    localKey: lock === undefined ? undefined : localKey,
    transaction: (work) => runTransaction({ kind: 'embedded', pool, logger, onFatal }, work),
    announce: (address) => lock?.announce(address, localKey),
    close: async () => {
      await pool.end();
      await embedded.close();
      lock?.release();
    },
  };
}

/**
 * One connection, never closed for being idle. Where pg.Pool replaces its client (it does after a failed `pool.query`), the new one
 * gets a connection object of its own: the old one's end would end it too.
 */
function createPool(embedded: EmbeddedProcess): pg.Pool {
  class EmbeddedClient extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      const session = embedded.session() as unknown as Parameters<typeof createPgConfig>[0];
      super({ ...config, ...(createPgConfig(session) as unknown as pg.ClientConfig) });
    }
  }
  return new pg.Pool({ max: 1, idleTimeoutMillis: 0, Client: EmbeddedClient });
}
