import type { TestDatabase } from '../../stack/index.js';

/**
 * Keeps the server's embedding worker waiting, so that writing is compared with a writer that makes no vectors either. Only the worker
 * writes to the table of leases; reading it goes on.
 *
 * @returns the release.
 */
export async function holdEmbeddingBack(database: TestDatabase): Promise<() => Promise<void>> {
  const client = await database.pool.connect();
  await client.query('begin');
  await client.query('lock table embedding_leases in exclusive mode');
  return async () => {
    await client.query('rollback');
    client.release();
  };
}
