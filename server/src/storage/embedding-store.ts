import pgvector from 'pgvector';
import type { Transaction } from './database.js';

/** A text of a queued chunk that this worker has leased. */
export interface LeasedText {
  readonly hash: Buffer;
  readonly text: string;
}
export interface TextVector {
  readonly hash: Buffer;
  readonly vector: Float32Array;
}
/** How much of the queue is looked at for one batch: rows whose text has a vector already are settled on the way. */
const EXAMINED_ROWS = 256;

/**
 * Leases up to `limit` texts, oldest chunk first, that have no vector of the model and that nobody else has leased. Queue rows whose
 * chunk has gone, or whose text has a vector, are settled. Run in a transaction of its own, before embedding begins.
 *
 * @returns the texts, and how many queue rows were looked at: none means that nothing can be done now.
 */
export async function leaseTexts(
  transaction: Transaction,
  modelId: number,
  limit: number,
  leaseMilliseconds: number,
): Promise<{ texts: LeasedText[]; examined: number }> {
  const { rows: queued } = await transaction.query<{ chunk_id: string; hash: Buffer }>(
    `SELECT queued.chunk_id, queued.hash FROM embedding_queue AS queued
     WHERE queued.model_id = $1 AND NOT EXISTS (
       SELECT 1 FROM embedding_leases AS lease
       WHERE lease.model_id = queued.model_id AND lease.hash = queued.hash AND lease.leased_until > now())
     ORDER BY queued.chunk_id LIMIT $2 FOR UPDATE OF queued SKIP LOCKED`,
    [modelId, EXAMINED_ROWS],
  );
  if (queued.length === 0) return { texts: [], examined: 0 };
  // The lock keeps a vector that is found here from being removed as an orphan before this commits.
  const { rows: embedded } = await transaction.query<{ hash: Buffer }>(
    'SELECT hash FROM embeddings WHERE model_id = $1 AND hash = ANY($2::bytea[]) ORDER BY hash FOR KEY SHARE',
    [modelId, queued.map((row) => row.hash)],
  );
  const done = new Set(embedded.map((row) => row.hash.toString('hex')));
  const open = queued.filter((row) => !done.has(row.hash.toString('hex')));
  const { rows: chunks } = await transaction.query<{ id: string; hash: Buffer; text: string }>(
    'SELECT id, embedded_hash AS hash, embedded_text AS text FROM chunks WHERE id = ANY($1::bigint[]) ORDER BY id',
    [open.map((row) => row.chunk_id)],
  );
  const waiting = new Set(chunks.map((chunk) => chunk.id));
  const settled = queued.map((row) => row.chunk_id).filter((id) => !waiting.has(id));
  await transaction.query('DELETE FROM embedding_queue WHERE model_id = $1 AND chunk_id = ANY($2::bigint[])', [modelId, settled]);
  const texts = new Map(chunks.map((chunk) => [chunk.hash.toString('hex'), { hash: chunk.hash, text: chunk.text }]));
  const leased = await lease(transaction, modelId, [...texts.values()].slice(0, limit), leaseMilliseconds);
  return { texts: leased, examined: queued.length };
}

async function lease(
  transaction: Transaction,
  modelId: number,
  texts: readonly LeasedText[],
  milliseconds: number,
): Promise<LeasedText[]> {
  // In the order of the hashes, so that two workers never wait for each other in a circle.
  const { rows } = await transaction.query<{ hash: Buffer }>(
    `INSERT INTO embedding_leases AS lease (model_id, hash, leased_until)
     SELECT $1, hash, now() + $3 * interval '1 millisecond' FROM unnest($2::bytea[]) AS hash ORDER BY hash
     ON CONFLICT (model_id, hash) DO UPDATE SET leased_until = excluded.leased_until WHERE lease.leased_until <= now()
     RETURNING hash`,
    [modelId, texts.map((text) => text.hash), milliseconds],
  );
  const taken = new Set(rows.map((row) => row.hash.toString('hex')));
  return texts.filter((text) => taken.has(text.hash.toString('hex')));
}

/** Stores vectors of the model, and takes their texts off the queue. */
export async function storeVectors(transaction: Transaction, modelId: number, vectors: readonly TextVector[]): Promise<void> {
  if (vectors.length === 0) return;
  const hashes = vectors.map((vector) => vector.hash);
  await transaction.query(
    `INSERT INTO embeddings (model_id, hash, vector)
     SELECT $1, added.hash, added.vector::vector FROM unnest($2::bytea[], $3::text[]) AS added(hash, vector) ORDER BY added.hash
     ON CONFLICT (model_id, hash) DO NOTHING`,
    [modelId, hashes, vectors.map((vector) => pgvector.toSql([...vector.vector]) as string)],
  );
  await transaction.query('DELETE FROM embedding_queue WHERE model_id = $1 AND hash = ANY($2::bytea[])', [modelId, hashes]);
  await transaction.query('DELETE FROM embedding_leases WHERE model_id = $1 AND hash = ANY($2::bytea[])', [modelId, hashes]);
}

/** Gives leased texts back unembedded, without counting a failure. */
export async function releaseTexts(transaction: Transaction, modelId: number, hashes: readonly Buffer[]): Promise<void> {
  await transaction.query('UPDATE embedding_leases SET leased_until = now() WHERE model_id = $1 AND hash = ANY($2::bytea[])', [
    modelId,
    hashes,
  ]);
}

export interface FailureRule {
  /** A text that failed so often is set aside. */
  readonly mostFailures: number;
  /** A text is left alone for so long after its first failure, twice as long after each further one. */
  readonly retryMilliseconds: number;
}

/** Notes that a text could not be embedded; one that failed too often is set aside and no longer queued. */
export async function recordFailure(
  transaction: Transaction,
  modelId: number,
  hash: Buffer,
  error: string,
  rule: FailureRule,
): Promise<{ setAside: boolean }> {
  const { rows } = await transaction.query<{ set_aside: boolean }>(
    `UPDATE embedding_leases SET failures = failures + 1, error = $3, set_aside = failures + 1 >= $4,
       leased_until = now() + $5 * 2 ^ least(failures, 10) * interval '1 millisecond'
     WHERE model_id = $1 AND hash = $2 RETURNING set_aside`,
    [modelId, hash, error, rule.mostFailures, rule.retryMilliseconds],
  );
  const setAside = rows[0]?.set_aside ?? false;
  if (setAside) await transaction.query('DELETE FROM embedding_queue WHERE model_id = $1 AND hash = $2', [modelId, hash]);
  return { setAside };
}

/** Chunks queued for the model, and texts set aside because they failed too often. */
export async function countWaiting(transaction: Transaction, modelId: number): Promise<{ queued: number; setAside: number }> {
  const { rows } = await transaction.query<{ queued: number; set_aside: number }>(
    `SELECT (SELECT count(*)::int FROM embedding_queue WHERE model_id = $1) AS queued,
            (SELECT count(*)::int FROM embedding_leases WHERE model_id = $1 AND set_aside) AS set_aside`,
    [modelId],
  );
  return { queued: rows[0]?.queued ?? 0, setAside: rows[0]?.set_aside ?? 0 };
}
