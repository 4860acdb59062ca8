import type { Logger } from '@ossian/shared';
import pg from 'pg';
import { runTransaction, surviveLostConnections } from './database.js';
import { isDatabaseAway } from './database-away.js';
import { DatabaseOpenError } from './database-open-error.js';
import type { OpenDatabase } from './open-database.js';

const recommendedPgvector = [0, 8, 4] as const;

/** A Postgres of its own, with pgvector. */
export async function openPostgres(databaseUrl: string, logger: Logger): Promise<OpenDatabase> {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 10,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    application_name: 'ossian-server',
  });
  surviveLostConnections(pool, logger);
  const onFatal = (): void => undefined;
  const database: OpenDatabase = {
    kind: 'postgres',
    pool,
    localKey: undefined,
    transaction: (work) => runTransaction({ kind: 'postgres', pool, logger, onFatal }, work),
    announce: () => undefined,
    close: () => pool.end(),
  };
  try {
    await ensureVector(pool, logger);
  } catch (error) {
    await pool.end();
    throw DatabaseOpenError.is(error) ? error : unreachable(databaseUrl, error);
  }
  return database;
}

function unreachable(databaseUrl: string, error: unknown): DatabaseOpenError {
  const cause = error instanceof AggregateError ? (error.errors as Error[])[0] : (error as Error);
  const advice = isDatabaseAway(error) ? 'is it running, and reachable from here?' : 'check DATABASE_URL';
  return new DatabaseOpenError(
    'database_unreachable',
    `the database at ${describe(databaseUrl)} cannot be used: ${cause?.message ?? 'no answer'}; ${advice}`,
    error,
  );
}

/** Host, port and database of a connection string, never its password. */
function describe(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl)) return 'DATABASE_URL';
  const url = new URL(databaseUrl);
  return `${url.host}${url.pathname}`;
}

async function ensureVector(pool: pg.Pool, logger: Logger): Promise<void> {
  const installed = await vectorVersion(pool);
  const version = installed ?? (await createVector(pool));
  const parts = version.split('.').map(Number);
  const difference = recommendedPgvector.map((wanted, index) => (parts[index] ?? 0) - wanted).find((value) => value !== 0);
  if (difference !== undefined && difference < 0) {
    logger.warn({ version }, 'pgvector is older than 0.8.4: upgrade it (ALTER EXTENSION vector UPDATE after installing)');
  }
}

async function vectorVersion(pool: pg.Pool): Promise<string | undefined> {
  const { rows } = await pool.query<{ extversion: string }>("SELECT extversion FROM pg_extension WHERE extname = 'vector'");
  return rows[0]?.extversion;
}

async function createVector(pool: pg.Pool): Promise<string> {
  try {
    await pool.query('CREATE EXTENSION IF NOT EXISTS vector');
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    // Another server that starts at the same moment was quicker.
    const raced = code === '23505' || code === '42710';
    if (!raced && isDatabaseAway(error) && code !== '58P01') throw error;
    if (!raced) throw missing(code, message, error);
  }
  return (await vectorVersion(pool)) ?? '0';
}

function missing(code: string | undefined, message: string, cause: unknown): DatabaseOpenError {
  const remedy =
    code === '42501'
      ? 'this role may not create it: let a superuser run CREATE EXTENSION vector; in this database once'
      : 'install pgvector (0.8.4 or newer) on the database server: https://github.com/pgvector/pgvector#installation';
  return new DatabaseOpenError('extension_missing', `the database lacks the extension "vector" (${message}); ${remedy}`, cause);
}
