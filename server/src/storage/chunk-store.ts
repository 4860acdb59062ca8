import { createHash } from 'node:crypto';
import type { Chunk } from '../corpus/chunk.js';
import type { Transaction } from './database.js';

export interface DocumentChunks {
  readonly documentId: string;
  /** In reading order. */
  readonly chunks: readonly Chunk[];
}

/** Deletes the chunks of these documents. */
export async function deleteChunks(transaction: Transaction, documentIds: readonly string[]): Promise<void> {
  if (documentIds.length === 0) return;
  await transaction.query('DELETE FROM chunks WHERE document_id = ANY($1::uuid[])', [documentIds]);
}

/**
 * Replaces the chunks of these documents. The lexical vector is made here, from the string that is also embedded (title, heading path,
 * text), in the corpus's language; a chunk without a vector is work for the embedding worker.
 */
export async function replaceChunks(
  transaction: Transaction,
  corpusId: string,
  documents: readonly DocumentChunks[],
): Promise<void> {
  await deleteChunks(
    transaction,
    documents.map((document) => document.documentId),
  );
  const rows = documents.flatMap(chunkRows);
  if (rows.length === 0) return;
  await transaction.query(
    `INSERT INTO chunks (corpus_id, document_id, ordinal, section, heading_path, start_at, end_at, text, embedded_text,
       embedded_hash, lexical, lexical_length)
     SELECT $1::bigint, added.document_id, added.ordinal, added.section, added.heading_path, added.start_at, added.end_at,
            added.text, added.embedded_text, added.embedded_hash, made.lexical,
            (SELECT coalesce(sum(cardinality(lexeme.positions)), 0) FROM unnest(made.lexical) AS lexeme)
     FROM json_to_recordset($2::json) AS added(document_id uuid, ordinal integer, section text, heading_path text[],
       start_at integer, end_at integer, text text, embedded_text text, embedded_hash bytea)
     CROSS JOIN LATERAL (
       SELECT to_tsvector(corpora.language, added.embedded_text) AS lexical FROM corpora WHERE corpora.id = $1::bigint
       -- keeps the vector from being made twice
       OFFSET 0
     ) AS made
     ORDER BY added.document_id, added.ordinal`,
    [corpusId, JSON.stringify(rows)],
  );
}

function chunkRows(document: DocumentChunks): Record<string, unknown>[] {
  return document.chunks.map((chunk, ordinal) => ({
    document_id: document.documentId,
    ordinal,
    section: chunk.section,
    heading_path: chunk.headingPath,
    start_at: chunk.start,
    end_at: chunk.end,
    text: chunk.text,
    embedded_text: chunk.embeddedText,
    embedded_hash: `\\x${createHash('sha256').update(chunk.embeddedText, 'utf8').digest('hex')}`,
  }));
}
