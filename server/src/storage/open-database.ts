import type { Logger } from '@ossian/shared';
import type { Database } from './database.js';
import { openEmbedded } from './embedded/open-embedded.js';
import { migrate } from './migrate.js';
import { openPostgres } from './open-postgres.js';

export interface OpenDatabaseOptions {
  /** A Postgres with pgvector; undefined: embedded. */
  readonly databaseUrl?: string | undefined;
  /** Folder of the embedded database; undefined: in memory, for tests. */
  readonly dataDir?: string | undefined;
  readonly logger: Logger;
  /** Called where the embedded database can no longer be trusted; by default the process ends, since it must not go on pretending. */
  readonly onFatal?: (error: unknown) => void;
}

export interface OpenDatabase extends Database {
  /** A key that this process takes as an admin key from commands on this machine; undefined where there is no data folder. */
  readonly localKey: string | undefined;
  /** Writes the server's address (and the local key) into the data folder's lock file; nothing on Postgres. */
  announce(address: string): void;
}

/**
 * Opens the database and brings its schema up to date.
 *
 * @throws DatabaseOpenError with one line that says what to do.
 */
export async function openDatabase(options: OpenDatabaseOptions): Promise<OpenDatabase> {
  const { databaseUrl, dataDir, logger } = options;
  const onFatal = options.onFatal ?? (() => process.exit(1));
  const database =
    databaseUrl === undefined ? await openEmbedded({ dataDir, logger, onFatal }) : await openPostgres(databaseUrl, logger);
  try {
    await migrate(database, logger);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}
