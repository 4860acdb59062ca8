import type { ContentHashes } from '../corpus/content-hash.js';
import type { DocumentState } from '../corpus/document.js';
import type { DocumentParts } from '../corpus/part.js';
import type { ReadScope } from '../corpus/scope.js';
import type { Transaction } from './database.js';
import { SqlParameters } from './sql-parameters.js';
import { type PositionColumns, positionFromColumns, positionFromJson, selectPosition } from './stored-position.js';
import { visibleDocuments } from './visible-documents.js';

export interface Identity {
  readonly sourceId: string;
  readonly key: string;
}
export interface WantedDocument extends Identity {
  /** Whether the batch needs what is stored of it, and not its state alone. */
  readonly content: boolean;
}

/** Makes the identities that are new, in one order for every server. */
export async function insertIdentities(
  transaction: Transaction,
  corpusId: string,
  identities: readonly Identity[],
): Promise<void> {
  await transaction.query(
    `INSERT INTO documents (corpus_id, source_id, key)
     SELECT $1::bigint, added."sourceId", added.key
     FROM json_to_recordset($2::json) AS added("sourceId" bigint, key text)
     ORDER BY added."sourceId", added.key COLLATE "C"
     ON CONFLICT DO NOTHING`,
    [corpusId, JSON.stringify(identities)],
  );
}

interface DocumentRow extends PositionColumns {
  id: string;
  source_id: string;
  key: string;
  live: boolean;
  blank: boolean;
  parts: DocumentParts | null;
  hashes: ContentHashes | null;
  waiting: Record<string, string | null>;
  incomplete_since: Date | null;
  mark_since: Date | null;
  mark_position: PositionColumns | null;
}

/** Locks these documents in one order for every server, and reads them; one that does not exist is left out. */
export async function lockDocuments(transaction: Transaction, wanted: readonly WantedDocument[]): Promise<DocumentState[]> {
  if (wanted.length === 0) return [];
  const { rows } = await transaction.query<DocumentRow>(
    `SELECT document.id, document.source_id::text AS source_id, document.key, document.live, document.blank,
            CASE WHEN wanted.content AND document.live THEN jsonb_build_object(
              'title', document.title, 'uri', document.uri, 'acl', to_jsonb(document.acl),
              'metadata', document.metadata, 'sections', document.sections) END AS parts,
            CASE WHEN document.live THEN jsonb_build_object('state', encode(document.state_hash, 'hex'),
              'text', encode(document.text_hash, 'hex'), 'content', encode(document.content_hash, 'hex')) END AS hashes,
            document.waiting, document.incomplete_since, document.mark_since, document.mark_position,
            ${selectPosition('document')}
     FROM json_to_recordset($1::json) AS wanted("sourceId" bigint, key text, content boolean)
     JOIN documents AS document ON document.source_id = wanted."sourceId" AND document.key = wanted.key
     ORDER BY document.source_id, document.key
     FOR UPDATE OF document`,
    [JSON.stringify(wanted)],
  );
  return rows.map(documentFromRow);
}

function documentFromRow(row: DocumentRow): DocumentState {
  return {
    id: row.id,
    sourceId: row.source_id,
    key: row.key,
    live: row.live,
    blank: row.blank,
    parts: row.parts,
    hashes: row.hashes,
    waiting: new Map(Object.entries(row.waiting)),
    incompleteSince: row.incomplete_since,
    mark: row.mark_since === null ? null : { since: row.mark_since, position: positionFromJson(row.mark_position) },
    position: positionFromColumns(row),
  };
}

/** The identity of a document that the scope may see, or undefined. */
export async function findVisibleIdentity(
  transaction: Transaction,
  scope: ReadScope,
  documentId: string,
): Promise<Identity | undefined> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(documentId)) return undefined;
  const parameters = new SqlParameters();
  const { rows } = await transaction.query<{ sourceId: string; key: string }>(
    `SELECT document.source_id::text AS "sourceId", document.key FROM documents AS document
     WHERE document.id = ${parameters.add(documentId)}::uuid AND ${visibleDocuments(scope, 'document', parameters)}`,
    parameters.values,
  );
  return rows[0];
}
