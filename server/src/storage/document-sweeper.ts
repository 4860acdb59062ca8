import type { Transaction } from './database.js';

/**
 * Deletes content and chunks of up to `limit` documents that a clear removed; nobody sees them any more, so it may take its time.
 *
 * @returns how many it found: fewer than `limit` where nothing is left.
 */
export async function sweepDocuments(transaction: Transaction, limit: number): Promise<number> {
  const { rows } = await transaction.query<{ id: string }>(
    'SELECT id FROM documents WHERE unswept LIMIT $1 FOR UPDATE SKIP LOCKED',
    [limit],
  );
  if (rows.length === 0) return 0;
  const ids = rows.map((row) => row.id);
  await transaction.query('DELETE FROM chunks WHERE document_id = ANY($1::uuid[])', [ids]);
  await transaction.query(
    `UPDATE documents SET unswept = false, title = NULL, uri = NULL, acl = NULL, metadata = '{}', sections = '[]'
     WHERE id = ANY($1::uuid[])`,
    [ids],
  );
  return ids.length;
}
