import type { Transaction } from './database.js';

export interface EmbeddingModel {
  readonly id: number;
  readonly name: string;
  readonly dimension: number;
}

/** The embedder has another dimension than the vectors that are stored under its name. */
export class DimensionChangedError extends Error {
  override readonly name = 'DimensionChangedError';
  constructor(model: EmbeddingModel, dimension: number) {
    super(
      `the embedder ${model.name} gives ${dimension} dimensions, its stored vectors have ${model.dimension}: give it another id`,
    );
  }
  static is(error: unknown): error is DimensionChangedError {
    return error instanceof DimensionChangedError;
  }
}

/**
 * Registers an embedder's model: from now on every new chunk is queued for it, and every chunk that exists is too. The first model is
 * active at once; a later one when it is filled (`activateModel`). Waits for transactions that are writing chunks.
 *
 * @throws DimensionChangedError
 */
export async function registerModel(transaction: Transaction, name: string, dimension: number): Promise<EmbeddingModel> {
  const known = await findModel(transaction, name, dimension);
  if (known?.filling) return known;
  // A chunk that is being written now would neither be seen here nor see the model.
  await transaction.query('LOCK TABLE chunks IN SHARE ROW EXCLUSIVE MODE');
  const meanwhile = await findModel(transaction, name, dimension);
  if (meanwhile?.filling) return meanwhile;
  const { rows } = await transaction.query<EmbeddingModel>(
    `INSERT INTO embedding_models (name, dimension, filling) VALUES ($1, $2, true)
     ON CONFLICT (name) DO UPDATE SET filling = true RETURNING id, name, dimension`,
    [name, dimension],
  );
  const model = rows[0]!;
  await transaction.query(
    `CREATE INDEX IF NOT EXISTS embeddings_vector_${model.id} ON embeddings
     USING hnsw ((vector::vector(${Math.trunc(dimension)})) vector_cosine_ops) WHERE model_id = ${model.id}`,
  );
  await transaction.query(
    `INSERT INTO embedding_queue (model_id, chunk_id, hash) SELECT $1, id, embedded_hash FROM chunks ON CONFLICT DO NOTHING`,
    [model.id],
  );
  await transaction.query(
    `UPDATE embedding_models SET active = true WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM embedding_models WHERE active)`,
    [model.id],
  );
  return model;
}

async function findModel(
  transaction: Transaction,
  name: string,
  dimension: number,
): Promise<(EmbeddingModel & { filling: boolean }) | undefined> {
  const { rows } = await transaction.query<EmbeddingModel & { filling: boolean }>(
    'SELECT id, name, dimension, filling FROM embedding_models WHERE name = $1',
    [name],
  );
  const model = rows[0];
  if (model && model.dimension !== dimension) throw new DimensionChangedError(model, dimension);
  return model;
}

/**
 * Makes a filled model the one that answers, and stops filling the one before it. Nothing happens while a chunk waits for the model,
 * or where it is not being filled (another was made active since).
 *
 * @returns whether the model was made active.
 */
export async function activateModel(transaction: Transaction, modelId: number): Promise<boolean> {
  const { rows } = await transaction.query(
    `SELECT 1 FROM embedding_models AS model WHERE model.id = $1 AND model.filling AND NOT model.active
       AND NOT EXISTS (SELECT 1 FROM embedding_queue WHERE model_id = $1) FOR UPDATE`,
    [modelId],
  );
  if (rows.length === 0) return false;
  await transaction.query('UPDATE embedding_models SET active = false, filling = false WHERE active AND id <> $1', [modelId]);
  await transaction.query('UPDATE embedding_models SET active = true WHERE id = $1', [modelId]);
  return true;
}
