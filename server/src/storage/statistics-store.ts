import type { CorpusStatistics, SourceStatistics } from '@ossian/shared';
import type { ReadScope } from '../corpus/scope.js';
import type { Database, Transaction } from './database.js';
import { readSnapshot } from './read-snapshot.js';
import { SqlParameters } from './sql-parameters.js';
import { visibleDocuments } from './visible-documents.js';

type Counts = { documents: number; chunks: number; embeddings_pending: number; events: number };
type SourceRow = { source: string; documents: number; behind: number; last_event_at: Date | null; caught_up_at: Date | null };

/** What a corpus holds, as far as the scope's readers may see it. */
export function readStatistics(database: Database, scope: ReadScope): Promise<CorpusStatistics> {
  return readSnapshot(database, async (transaction) => ({
    name: scope.corpus.name,
    ...(await countAll(transaction, scope)),
    sources: await readSources(transaction, scope),
  }));
}

/** A chunk is pending while it is queued for a vector; events count once for each id that was applied, unchanged or stale. */
async function countAll(transaction: Transaction, scope: ReadScope): Promise<Counts> {
  const parameters = new SqlParameters();
  const visible = visibleDocuments(scope, 'document', parameters);
  const corpus = `${parameters.add(scope.corpus.id)}::bigint`;
  const eventsSeen =
    scope.readers.kind === 'all'
      ? ''
      : `AND EXISTS (SELECT FROM documents AS document WHERE document.id = event.document_id AND ${visible})`;
  const { rows } = await transaction.query<Counts>(
    `WITH visible_chunk AS MATERIALIZED (
       SELECT chunk.id FROM chunks AS chunk JOIN documents AS document ON document.id = chunk.document_id
        WHERE chunk.corpus_id = ${corpus} AND ${visible})
     SELECT (SELECT count(*)::int FROM documents AS document WHERE ${visible}) AS documents,
            (SELECT count(*)::int FROM visible_chunk) AS chunks,
            (SELECT count(DISTINCT queued.chunk_id)::int FROM embedding_queue AS queued
               JOIN visible_chunk ON visible_chunk.id = queued.chunk_id) AS embeddings_pending,
            (SELECT count(*)::int FROM events AS event WHERE event.corpus_id = ${corpus} ${eventsSeen}) AS events`,
    parameters.values,
  );
  return rows[0] ?? { documents: 0, chunks: 0, embeddings_pending: 0, events: 0 };
}

/** Readers who see not all are told only of sources that hold a document they may see. */
async function readSources(transaction: Transaction, scope: ReadScope): Promise<SourceStatistics[]> {
  const parameters = new SqlParameters();
  const visible = visibleDocuments(scope, 'document', parameters);
  const { rows } = await transaction.query<SourceRow>(
    `SELECT source.name AS source, count(document.id)::int AS documents,
            count(document.behind_since)::int AS behind,
            (SELECT last_event_at FROM source_activity WHERE source_id = source.id) AS last_event_at,
            (SELECT CASE WHEN bool_and(progress.caught_up_at IS NOT NULL) THEN min(progress.caught_up_at) END
               FROM progress WHERE progress.source_id = source.id) AS caught_up_at
       FROM sources AS source
       LEFT JOIN documents AS document ON document.source_id = source.id AND ${visible}
      WHERE source.corpus_id = ${parameters.add(scope.corpus.id)}::bigint
      GROUP BY source.id, source.name
     HAVING count(document.id) > 0 OR ${parameters.add(scope.readers.kind === 'all')}::boolean
      ORDER BY source.name`,
    parameters.values,
  );
  return rows.map((row) => ({
    ...row,
    last_event_at: row.last_event_at?.toISOString() ?? null,
    caught_up_at: row.caught_up_at?.toISOString() ?? null,
  }));
}
