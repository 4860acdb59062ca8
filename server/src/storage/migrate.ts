import { readdirSync, readFileSync } from 'node:fs';
import type { Logger } from '@ossian/shared';
import type { Database, Transaction } from './database.js';
import { DatabaseOpenError } from './database-open-error.js';

/** One numbered step of the schema. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

/** Any 64-bit number, the same in every release: servers that start together take turns. */
const advisoryLock = '7310579024655';

/** The migrations beside this file, in order: `0001_name.sql`. */
export function readMigrations(folder: URL = new URL('./migrations/', import.meta.url)): Migration[] {
  return readdirSync(folder)
    .filter((file) => /^\d{4}_.+\.sql$/.test(file))
    .sort()
    .map((file) => ({
      version: Number(file.slice(0, 4)),
      name: file.slice(5, -4),
      sql: readFileSync(new URL(file, folder), 'utf8'),
    }));
}

/**
 * Brings the schema up to the code, each migration in its own transaction under an advisory lock.
 *
 * @throws DatabaseOpenError `schema_newer` where the database was written by a newer version: it is left alone.
 */
export async function migrate(
  database: Database,
  logger: Logger,
  migrations: readonly Migration[] = readMigrations(),
): Promise<void> {
  await database.transaction(async (transaction) => {
    await lock(database, transaction);
    await transaction.query(
      `CREATE TABLE IF NOT EXISTS schema_migrations (
         version integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`,
    );
    await refuseNewer(transaction, migrations);
  });
  for (const migration of migrations) {
    const applied = await database.transaction(async (transaction) => {
      await lock(database, transaction);
      return apply(transaction, migration);
    });
    if (applied) logger.info({ version: migration.version, migration: migration.name }, 'schema migrated');
  }
}

async function lock(database: Database, transaction: Transaction): Promise<void> {
  // The embedded database has one session and nobody to lock out.
  if (database.kind === 'postgres') await transaction.query('SELECT pg_advisory_xact_lock($1::bigint)', [advisoryLock]);
}

async function refuseNewer(transaction: Transaction, migrations: readonly Migration[]): Promise<void> {
  const known = migrations.at(-1)?.version ?? 0;
  const { rows } = await transaction.query<{ version: number | null }>('SELECT max(version) AS version FROM schema_migrations');
  const found = rows[0]?.version ?? 0;
  if (found <= known) return;
  throw new DatabaseOpenError(
    'schema_newer',
    `the database has schema version ${found} and this ossian-server knows ${known}: ` +
      'it was written by a newer ossian-server; start that version, or use another database',
  );
}

async function apply(transaction: Transaction, migration: Migration): Promise<boolean> {
  const { rowCount } = await transaction.query(
    'INSERT INTO schema_migrations (version, name) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [migration.version, migration.name],
  );
  if (rowCount !== 1) return false;
  await transaction.query(migration.sql);
  return true;
}
