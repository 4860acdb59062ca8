import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import type { Logger } from '@ossian/shared';
import pg from 'pg';
import { runTransaction, surviveLostConnections } from '../database.js';
import type { EmbeddedStoppedError } from '../database-away.js';
import type { OpenDatabase } from '../open-database.js';
import { EmbeddedProcess } from './embedded-process.js';
import { FolderLock } from './folder-lock.js';
import { startMaintenance } from './maintenance.js';

export interface EmbeddedOptions {
  /** Undefined: in memory, for tests. */
  readonly dataDir: string | undefined;
  readonly logger: Logger;
  readonly onFatal: (error: unknown) => void;
  /** The worker's file; another one only in tests. */
  readonly workerEntry?: URL;
}

/** PGlite in a worker thread behind the same pg.Pool, with one connection that is never closed for being idle. */
export async function openEmbedded(options: EmbeddedOptions): Promise<OpenDatabase> {
  const { dataDir, logger } = options;
  const lock = dataDir === undefined ? undefined : await FolderLock.acquire(dataDir);
  const embedded = await startProcess(options).catch((error: unknown) => {
    lock?.release();
    throw error;
  });
  const pool = createPool(embedded);
  surviveLostConnections(pool, logger);
  // Ends in onFatal too, once everybody who waits has been told.
  const abandon = (): void => embedded.abandon('a transaction could not be rolled back');
  const stopMaintenance = startMaintenance(pool, logger);
  const localKey = `osk_${randomBytes(32).toString('base64url')}`;
  return {
    kind: 'embedded',
    pool,
    localKey: lock === undefined ? undefined : localKey,
    transaction: (work) => runTransaction({ kind: 'embedded', pool, logger, onFatal: abandon }, work),
    announce: (address) => lock?.announce(address, localKey),
    close: async () => {
      await stopMaintenance();
      await pool.end();
      await embedded.close();
      lock?.release();
    },
  };
}

async function startProcess({ dataDir, logger, onFatal, workerEntry }: EmbeddedOptions): Promise<EmbeddedProcess> {
  const stopped = (error: EmbeddedStoppedError): void => {
    logger.fatal({ err: error }, 'the embedded database has stopped');
    onFatal(error);
  };
  if (dataDir === undefined) return EmbeddedProcess.open({ clusterDir: undefined }, stopped, workerEntry);
  const clusterDir = join(dataDir, 'postgres');
  // Without the mark the first start was cut off while the cluster was being made: there is nothing in it yet.
  const mark = join(dataDir, 'cluster-complete');
  if (!existsSync(mark)) rmSync(clusterDir, { recursive: true, force: true });
  const embedded = await EmbeddedProcess.open({ clusterDir }, stopped, workerEntry);
  if (!existsSync(mark)) writeFileSync(mark, '');
  return embedded;
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
