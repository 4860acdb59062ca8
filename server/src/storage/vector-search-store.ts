import type { ReadScope } from '../corpus/scope.js';
import type { Transaction } from './database.js';
import { SqlParameters } from './sql-parameters.js';
import { visibleDocuments } from './visible-documents.js';

export interface ActiveModel {
  readonly id: number;
  /** The id of the embedder whose vectors these are. */
  readonly name: string;
  readonly dimension: number;
}
export interface VectorQuery {
  readonly model: ActiveModel;
  /** Made by the embedder that `model.name` names. */
  readonly vector: Float32Array;
  readonly limit: number;
  /** Up to so many chunks in the scope are compared one by one, which is exact; beyond, the HNSW index finds them. */
  readonly exactUpTo: number;
}
export interface VectorHit {
  readonly chunkId: string;
  /** Cosine similarity, -1 to 1. */
  readonly similarity: number;
}

/** The model whose vectors answer now; undefined while none has been made active. Read in each query, since it may be switched. */
export async function readActiveModel(transaction: Transaction): Promise<ActiveModel | undefined> {
  const { rows } = await transaction.query<ActiveModel>('SELECT id, name, dimension FROM embedding_models WHERE active');
  return rows[0];
}

/** The chunks of the scope nearest to the vector, nearest first, among the vectors of that one model. */
export async function searchByVector(transaction: Transaction, scope: ReadScope, query: VectorQuery): Promise<VectorHit[]> {
  const exact = await isSmall(transaction, scope, query.exactUpTo);
  if (!exact) await transaction.query(`SELECT set_config('hnsw.iterative_scan', 'strict_order', true)`);
  const parameters = new SqlParameters();
  const statement = exact ? exactScan(scope, query, parameters) : indexScan(scope, query, parameters);
  const { rows } = await transaction.query<{ id: string; distance: number }>(statement, parameters.values);
  return rows.map((row) => ({ chunkId: row.id, similarity: 1 - row.distance }));
}

async function isSmall(transaction: Transaction, scope: ReadScope, exactUpTo: number): Promise<boolean> {
  const parameters = new SqlParameters();
  const { rows } = await transaction.query<{ small: boolean }>(
    `SELECT count(*) <= ${parameters.add(exactUpTo)}::bigint AS small FROM (
       SELECT 1 FROM documents AS document JOIN chunks AS chunk ON chunk.document_id = document.id
       WHERE ${visibleDocuments(scope, 'document', parameters)}
       LIMIT ${parameters.add(exactUpTo + 1)}) AS counted`,
    parameters.values,
  );
  return rows[0]?.small ?? true;
}

/** `pgvector` reads a vector from its text. */
export function vectorText(vector: Float32Array): string {
  return `[${vector.join(',')}]`;
}

function exactScan(scope: ReadScope, query: VectorQuery, parameters: SqlParameters): string {
  // MATERIALIZED: the distances of the whole scope are computed first, so that no index takes part and no match is missed.
  return `WITH compared AS MATERIALIZED (
      SELECT chunk.id, embedding.vector <=> ${parameters.add(vectorText(query.vector))}::vector AS distance
      FROM documents AS document
      JOIN chunks AS chunk ON chunk.document_id = document.id
      JOIN embeddings AS embedding ON embedding.model_id = ${parameters.add(query.model.id)}::integer AND embedding.hash = chunk.embedded_hash
      WHERE ${visibleDocuments(scope, 'document', parameters)})
    SELECT id, distance FROM compared WHERE distance = distance ORDER BY distance, id LIMIT ${parameters.add(query.limit)}`;
}

function indexScan(scope: ReadScope, query: VectorQuery, parameters: SqlParameters): string {
  // The index is on the cast to the model's dimension, for the rows of that model alone: both must stand in the text as they do there.
  const typed = `vector(${Math.trunc(query.model.dimension)})`;
  return `SELECT chunk.id, embedding.vector::${typed} <=> ${parameters.add(vectorText(query.vector))}::${typed} AS distance
    FROM embeddings AS embedding
    JOIN chunks AS chunk ON chunk.embedded_hash = embedding.hash
    JOIN documents AS document ON document.id = chunk.document_id
    WHERE embedding.model_id = ${Math.trunc(query.model.id)} AND ${visibleDocuments(scope, 'document', parameters)}
    ORDER BY distance
    LIMIT ${parameters.add(query.limit)}`;
}
