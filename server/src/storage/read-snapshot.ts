import type { Database, Transaction } from './database.js';

/**
 * Runs `work` on one unchanging state of the database: what several statements read belongs together, so that an answer's passages,
 * documents and sources are all of one moment. On the embedded database only the transaction may be awaited in it.
 */
export function readSnapshot<T>(database: Database, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  return database.transaction(async (transaction) => {
    await transaction.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    return work(transaction);
  });
}
