import { createHash } from 'node:crypto';
import type { Section } from '@ossian/shared';
import type { ChunkDocument } from '../../corpus/chunk.js';
import type { CorpusReference } from '../../corpus/scope.js';
import type { Embedder } from '../../models/embedder.js';
import { replaceChunks } from '../../storage/chunk-store.js';
import type { Database, Transaction } from '../../storage/database.js';

export interface TestDocument {
  readonly source?: string;
  readonly key: string;
  readonly title?: string;
  readonly text: string;
  readonly metadata?: Record<string, unknown>;
  readonly acl?: readonly string[];
  readonly behindSince?: string;
  readonly live?: boolean;
}
export interface LoadOptions {
  readonly corpus: string;
  readonly language?: string;
  readonly chunkDocument: ChunkDocument;
  /** Undefined: the chunks wait for their vectors. */
  readonly embedder?: Embedder | undefined;
}

/** Puts documents into a corpus of this name (made where it is missing), chunked, and embedded where there is an embedder. */
export async function loadDocuments(
  database: Database,
  options: LoadOptions,
  documents: readonly TestDocument[],
): Promise<{ corpus: CorpusReference; ids: Record<string, string> }> {
  const ids: Record<string, string> = {};
  const prepared = documents.map((document) => {
    const sections: Section[] = [{ name: 'body', text: document.text }];
    return { document, sections, chunks: options.chunkDocument({ title: document.title ?? null, sections }) };
  });
  const texts = [...new Set(prepared.flatMap(({ chunks }) => chunks.map((chunk) => chunk.embeddedText)))];
  const vectors: Float32Array[] = [];
  const { embedder } = options;
  for (let at = 0; embedder !== undefined && at < texts.length; at += embedder.batchSize) {
    vectors.push(...(await embedder.embed(texts.slice(at, at + embedder.batchSize))));
  }
  const corpus = await database.transaction(async (transaction) => {
    const id = await corpusId(transaction, options);
    for (const { document, sections } of prepared) ids[document.key] = await insertDocument(transaction, id, document, sections);
    await replaceChunks(
      transaction,
      id,
      prepared.map(({ document, chunks }) => ({ documentId: ids[document.key]!, chunks })),
    );
    if (embedder !== undefined) await insertVectors(transaction, embedder, texts, vectors);
    return { id, name: options.corpus };
  });
  return { corpus, ids };
}

async function corpusId(transaction: Transaction, options: LoadOptions): Promise<string> {
  const { rows } = await transaction.query<{ id: string }>(
    `INSERT INTO corpora (name, language) VALUES ($1, $2::regconfig) ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING id`,
    [options.corpus, options.language ?? 'english'],
  );
  return rows[0]!.id;
}

async function insertDocument(
  transaction: Transaction,
  corpus: string,
  document: TestDocument,
  sections: readonly Section[],
): Promise<string> {
  const { rows: sources } = await transaction.query<{ id: string }>(
    'INSERT INTO sources (corpus_id, name) VALUES ($1, $2) ON CONFLICT (corpus_id, name) DO UPDATE SET name = excluded.name RETURNING id',
    [corpus, document.source ?? 'articles'],
  );
  const { rows } = await transaction.query<{ id: string }>(
    `INSERT INTO documents (corpus_id, source_id, key, live, title, acl, metadata, sections, content_hash, mark_since)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING id`,
    [
      corpus,
      sources[0]!.id,
      document.key,
      document.live ?? true,
      document.title ?? null,
      document.acl ?? null,
      JSON.stringify(document.metadata ?? {}),
      JSON.stringify(sections),
      createHash('sha256').update(document.text).digest(),
      document.behindSince ?? null,
    ],
  );
  return rows[0]!.id;
}

/** Makes the embedder's model the active one. */
async function insertVectors(
  transaction: Transaction,
  embedder: Embedder,
  texts: readonly string[],
  vectors: readonly Float32Array[],
): Promise<void> {
  await transaction.query(
    `INSERT INTO embedding_models (name, dimension, active) VALUES ($1, $2, true) ON CONFLICT (name) DO NOTHING`,
    [embedder.id, embedder.dimension],
  );
  await transaction.query(
    `INSERT INTO embeddings (model_id, hash, vector)
     SELECT model.id, sha256(convert_to(added.text, 'UTF8')), added.vector::vector
     FROM embedding_models AS model, unnest($2::text[], $3::text[]) AS added(text, vector)
     WHERE model.name = $1 ON CONFLICT DO NOTHING`,
    [embedder.id, texts, vectors.map((vector) => `[${vector.join(',')}]`)],
  );
}
