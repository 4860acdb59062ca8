import { describeError, type Logger } from '@ossian/shared';
import type { Pool, PoolClient } from 'pg';

/**
 * A client inside a transaction. On PGlite the pool has one connection: inside a transaction only this is used, and only the
 * database is awaited. The brand keeps the pool's own `query` out of functions that run in one.
 */
export type Transaction = Pick<PoolClient, 'query'> & { readonly transaction: true };

export interface Database {
  readonly kind: 'postgres' | 'embedded';
  readonly pool: Pool;
  /** Runs `work` in one transaction: COMMIT where it resolves, ROLLBACK where it rejects. Releases the client without destroying it. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** A COMMIT that Postgres turned into a rollback, since a statement had failed before it and nobody said so. */
export class CommitLostError extends Error {
  override readonly name = 'CommitLostError';
  constructor() {
    super('the transaction was rolled back at COMMIT: a statement in it had failed and its error was not passed on');
  }
  static is(error: unknown): error is CommitLostError {
    return error instanceof CommitLostError;
  }
}

export interface TransactionOptions {
  readonly kind: Database['kind'];
  readonly pool: Pool;
  readonly logger: Logger;
  /** Called where ROLLBACK failed on the embedded database: what others commit after it would be lost, so the process must end. */
  readonly onFatal: (error: unknown) => void;
}

/** Runs `work` between BEGIN and COMMIT on one client. */
export async function runTransaction<T>(options: TransactionOptions, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  const client = await options.pool.connect();
  let broken = false;
  try {
    await client.query('BEGIN');
    const result = await work(Object.assign(client, { transaction: true as const }));
    const { command } = await client.query('COMMIT');
    if (command !== 'COMMIT') throw new CommitLostError();
    return result;
  } catch (error) {
    broken = !(await rollBack(options, client, error));
    throw error;
  } finally {
    // An embedded client is never destroyed: its one session goes on, and with it a transaction that was left open.
    client.release(broken && options.kind === 'postgres');
  }
}

async function rollBack(options: TransactionOptions, client: PoolClient, cause: unknown): Promise<boolean> {
  try {
    await client.query('ROLLBACK');
    return true;
  } catch (error) {
    options.logger.error({ err: error, cause: describeError(cause) }, 'ROLLBACK failed');
    if (options.kind === 'embedded') options.onFatal(error);
    return false;
  }
}

/**
 * A client whose connection is lost emits `error`, and a client that is taken from the pool has nobody who listens: that would end
 * the process. Its query is rejected too, so there is nothing to do but to say it.
 */
export function surviveLostConnections(pool: Pool, logger: Logger): void {
  pool.on('connect', (client) => client.on('error', (error) => logger.debug({ err: error }, 'a database connection was lost')));
  pool.on('error', (error) => logger.warn({ err: error }, 'an idle database connection was lost'));
}
