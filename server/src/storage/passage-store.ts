import type { Passage } from '../corpus/passage.js';
import type { ReadScope } from '../corpus/scope.js';
import type { Transaction } from './database.js';
import { SqlParameters } from './sql-parameters.js';
import { type ActiveModel, vectorText } from './vector-search-store.js';
import { visibleDocuments } from './visible-documents.js';

/** A chunk with what is shown of its document. */
export interface StoredPassage extends Omit<Passage, 'score' | 'lexicalScore' | 'lexicalCoverage' | 'vectorScore'> {
  /** Cosine similarity with the vector that was given; null where none was given, or the chunk has none of that model yet. */
  readonly similarity: number | null;
}

interface PassageRow extends Omit<StoredPassage, 'behindSince'> {
  behindSince: Date | null;
}

/** The passages of these chunks, as far as they may be seen, in no particular order. */
export async function readPassages(
  transaction: Transaction,
  scope: ReadScope,
  chunkIds: readonly string[],
  question: { readonly model: ActiveModel; readonly vector: Float32Array } | undefined,
): Promise<StoredPassage[]> {
  const parameters = new SqlParameters();
  const vector = parameters.add(question && vectorText(question.vector));
  const model = parameters.add(question?.model.id);
  const { rows } = await transaction.query<PassageRow>(
    `SELECT chunk.id AS "chunkId", document.id AS "documentId", source.name AS source, document.key, document.title, document.uri,
            encode(document.content_hash, 'hex') AS "contentHash", chunk.section, chunk.ordinal, chunk.text,
            chunk.start_at AS start, chunk.end_at AS "end", document.behind_since AS "behindSince",
            1 - (embedding.vector <=> ${vector}::vector) AS similarity
     FROM chunks AS chunk
     JOIN documents AS document ON document.id = chunk.document_id
     JOIN sources AS source ON source.id = document.source_id
     LEFT JOIN embeddings AS embedding ON embedding.model_id = ${model}::integer AND embedding.hash = chunk.embedded_hash
     WHERE chunk.id = ANY(${parameters.add(chunkIds)}::bigint[]) AND ${visibleDocuments(scope, 'document', parameters)}`,
    parameters.values,
  );
  return rows.map((row) => ({ ...row, behindSince: row.behindSince?.toISOString() ?? null }));
}

export interface SectionReference {
  readonly documentId: string;
  readonly section: string;
}
export interface SectionText extends SectionReference {
  readonly text: string;
}

/** The whole text of these sections, to read what stands between two chunks. */
export async function readSectionTexts(
  transaction: Transaction,
  scope: ReadScope,
  references: readonly SectionReference[],
): Promise<SectionText[]> {
  if (references.length === 0) return [];
  const parameters = new SqlParameters();
  const documentIds = parameters.add(references.map((reference) => reference.documentId));
  const sections = parameters.add(references.map((reference) => reference.section));
  const { rows } = await transaction.query<SectionText>(
    `SELECT document.id AS "documentId", wanted.section, section.value ->> 'text' AS text
     FROM unnest(${documentIds}::uuid[], ${sections}::text[]) AS wanted(document_id, section)
     JOIN documents AS document ON document.id = wanted.document_id
     CROSS JOIN LATERAL jsonb_array_elements(document.sections) AS section(value)
     WHERE section.value ->> 'name' = wanted.section AND ${visibleDocuments(scope, 'document', parameters)}`,
    parameters.values,
  );
  return rows;
}

export interface SameContent {
  readonly contentHash: string;
  readonly documentId: string;
  readonly source: string;
  readonly key: string;
}

/** Every visible document whose content has one of these hashes, ordered by source and key. */
export async function readSameContent(
  transaction: Transaction,
  scope: ReadScope,
  contentHashes: readonly string[],
): Promise<SameContent[]> {
  if (contentHashes.length === 0) return [];
  const parameters = new SqlParameters();
  const { rows } = await transaction.query<SameContent>(
    `SELECT encode(document.content_hash, 'hex') AS "contentHash", document.id AS "documentId", source.name AS source, document.key
     FROM documents AS document JOIN sources AS source ON source.id = document.source_id
     WHERE document.content_hash IN (SELECT decode(hash, 'hex') FROM unnest(${parameters.add(contentHashes)}::text[]) AS wanted(hash))
       AND ${visibleDocuments(scope, 'document', parameters)}
     ORDER BY source.name, document.key, document.id`,
    parameters.values,
  );
  return rows;
}
