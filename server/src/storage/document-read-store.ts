import type { DocumentPage, DocumentView, MetadataValue, Section } from '@ossian/shared';
import type { ReadScope } from '../corpus/scope.js';
import type { Database } from './database.js';
import { readCursor, writeCursor } from './page-cursor.js';
import { SqlParameters } from './sql-parameters.js';
import { visibleDocuments } from './visible-documents.js';

export interface DocumentQuery {
  readonly source?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly includeSections: boolean;
}
interface DocumentRow {
  id: string;
  source_id: string;
  source: string;
  key: string;
  title: string | null;
  uri: string | null;
  acl: string[] | null;
  metadata: Record<string, MetadataValue>;
  sections?: Section[];
  chunks: number;
  behind_since: Date | null;
  updated_at: Date;
}

/** A page ends early where its texts would pass this: documents may have many megabytes. Counted as stored (compressed). */
const maximumPageBytes = 8 * 1024 * 1024;

const columns = (includeSections: boolean): string =>
  `document.id, document.source_id, source.name AS source, document.key, document.title, document.uri, document.acl,
   document.metadata, ${includeSections ? 'document.sections,' : ''}
   (SELECT count(*)::int FROM chunks WHERE chunks.document_id = document.id) AS chunks,
   document.behind_since, document.updated_at`;

/**
 * The documents that the scope may see, in the order of source and key. Keys never change, so that a page begins where the one before
 * it ended, whatever was written in between.
 */
export async function listDocuments(database: Database, scope: ReadScope, query: DocumentQuery): Promise<DocumentPage> {
  const parameters = new SqlParameters();
  const after = query.cursor === undefined ? undefined : readCursor(query.cursor, 2);
  const afterSource = `${parameters.add(after?.[0] ?? '0')}::bigint`;
  const afterKey = `${parameters.add(after?.[1] ?? null)}::text`;
  const limit = `${parameters.add(query.limit + 1)}::int`;
  const { rows } = await database.pool.query<DocumentRow & { bytes_before: string }>(
    `SELECT ${columns(query.includeSections)}, page.bytes_before
       FROM (SELECT candidate.id,
                    coalesce(sum(candidate.bytes) OVER (ORDER BY candidate.source_id, candidate.key
                      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS bytes_before
               FROM sources AS source
              CROSS JOIN LATERAL (
                SELECT document.id, document.source_id, document.key, pg_column_size(document.sections) AS bytes
                  FROM documents AS document
                 WHERE document.source_id = source.id
                   AND (source.id > ${afterSource} OR ${afterKey} IS NULL OR document.key > ${afterKey})
                   AND ${visibleDocuments(scope, 'document', parameters)}
                 ORDER BY document.key LIMIT ${limit}) AS candidate
              WHERE source.corpus_id = ${parameters.add(scope.corpus.id)}::bigint AND source.id >= ${afterSource}
                AND (${parameters.add(query.source ?? null)}::text IS NULL OR source.name = $${parameters.values.length})
              ORDER BY candidate.source_id, candidate.key LIMIT ${limit}) AS page
       JOIN documents AS document ON document.id = page.id
       JOIN sources AS source ON source.id = document.source_id
      ORDER BY document.source_id, document.key`,
    parameters.values,
  );
  return toPage(rows, query);
}

function toPage(rows: readonly (DocumentRow & { bytes_before: string })[], query: DocumentQuery): DocumentPage {
  const fits = (row: { bytes_before: string }): boolean => !query.includeSections || Number(row.bytes_before) < maximumPageBytes;
  const given = rows.slice(0, query.limit).filter(fits);
  const last = given.at(-1);
  return {
    documents: given.map(toView),
    next_cursor: last === undefined || given.length === rows.length ? null : writeCursor([last.source_id, last.key]),
  };
}

/** One document with its sections, or undefined: what may not be read is not told from what does not exist. */
export async function readDocument(database: Database, scope: ReadScope, id: string): Promise<DocumentView | undefined> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return undefined;
  const parameters = new SqlParameters();
  const { rows } = await database.pool.query<DocumentRow>(
    `SELECT ${columns(true)} FROM documents AS document JOIN sources AS source ON source.id = document.source_id
      WHERE document.id = ${parameters.add(id)}::uuid AND ${visibleDocuments(scope, 'document', parameters)}`,
    parameters.values,
  );
  return rows[0] && toView(rows[0]);
}

function toView(row: DocumentRow): DocumentView {
  return {
    id: row.id,
    source: row.source,
    key: row.key,
    title: row.title,
    uri: row.uri,
    metadata: row.metadata,
    acl: row.acl,
    ...(row.sections === undefined ? {} : { sections: row.sections }),
    chunks: row.chunks,
    behind_since: row.behind_since?.toISOString() ?? null,
    updated_at: row.updated_at.toISOString(),
  };
}
