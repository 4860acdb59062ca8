import type { Transaction } from './database.js';

/** Where a walk over the stored vectors has come to. */
export interface VectorCursor {
  readonly modelId: number;
  readonly hash: Buffer;
}

/**
 * Removes, among the next `limit` vectors after the cursor, those whose text stands in no chunk, and all of a model that is neither
 * active nor being filled. A chunk that brings such a text back at the same time is queued and at worst embedded again: what is
 * locked here is judged by a second statement, which sees every chunk that was committed before the lock.
 *
 * @returns the next cursor; undefined at the end.
 */
export async function removeOrphanVectors(
  transaction: Transaction,
  after: VectorCursor | undefined,
  limit: number,
): Promise<{ next: VectorCursor | undefined; removed: number }> {
  const { rows } = await transaction.query<{ model_id: number; hash: Buffer }>(
    `SELECT model_id, hash FROM embeddings WHERE (model_id, hash) > ($1, $2::bytea) ORDER BY model_id, hash LIMIT $3
     FOR UPDATE SKIP LOCKED`,
    [after?.modelId ?? -1, after?.hash ?? Buffer.alloc(0), limit],
  );
  const last = rows.at(-1);
  if (!last) return { next: undefined, removed: await removeLeftovers(transaction) };
  const { rowCount } = await transaction.query(
    `DELETE FROM embeddings AS embedding USING unnest($1::integer[], $2::bytea[]) AS seen(model_id, hash), embedding_models AS model
     WHERE embedding.model_id = seen.model_id AND embedding.hash = seen.hash AND model.id = seen.model_id
       AND (NOT (model.active OR model.filling)
         OR NOT EXISTS (SELECT 1 FROM chunks AS chunk WHERE chunk.embedded_hash = embedding.hash))`,
    [rows.map((row) => row.model_id), rows.map((row) => row.hash)],
  );
  return { next: { modelId: last.model_id, hash: last.hash }, removed: rowCount ?? 0 };
}

/** Leases and failures of texts that no chunk has any more, and the queue of models that are no longer filled. */
async function removeLeftovers(transaction: Transaction): Promise<number> {
  await transaction.query(
    `DELETE FROM embedding_leases AS lease WHERE lease.leased_until < now()
       AND NOT EXISTS (SELECT 1 FROM chunks AS chunk WHERE chunk.embedded_hash = lease.hash)`,
  );
  await transaction.query(`DELETE FROM embedding_queue WHERE model_id IN (SELECT id FROM embedding_models WHERE NOT filling)`);
  return 0;
}
