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
