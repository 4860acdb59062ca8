import type { DocumentState } from '../corpus/document.js';
import { noParts } from '../corpus/part.js';
import type { Transaction } from './database.js';
import { positionToColumns, positionToJson } from './stored-position.js';

const positionRecord = `topic text, partition integer, "offset" numeric, "timestamp" numeric, source_position numeric,
  source_timestamp numeric, snapshot boolean`;
const setPosition = `topic = written.topic, partition = written.partition, "offset" = written."offset",
  "timestamp" = written."timestamp", source_position = written.source_position,
  source_timestamp = written.source_timestamp, snapshot = written.snapshot`;
const markRecord = 'blank boolean, incomplete_since timestamptz, mark_since timestamptz, mark_position jsonb';
const setMark =
  'blank = written.blank, incomplete_since = written.incomplete_since, mark_since = written.mark_since, mark_position = written.mark_position';

/** Writes documents whose content is as it was: position and marks alone. */
export async function writePositions(transaction: Transaction, documents: readonly DocumentState[]): Promise<void> {
  if (documents.length === 0) return;
  await transaction.query(
    `UPDATE documents SET ${setPosition}, ${setMark}
     FROM json_to_recordset($1::json) AS written(id uuid, ${positionRecord}, ${markRecord})
     WHERE documents.id = written.id`,
    [JSON.stringify(documents.map((document) => ({ id: document.id, ...stateColumns(document) })))],
  );
}

/** Writes documents whole; one that is not live is emptied, and keeps its id and position as a tombstone. */
export async function writeDocuments(
  transaction: Transaction,
  documents: readonly DocumentState[],
  updatedAt: Date,
): Promise<void> {
  if (documents.length === 0) return;
  await transaction.query(
    `UPDATE documents SET live = written.live, unswept = false, title = written.title, uri = written.uri, acl = written.acl,
       metadata = written.metadata, sections = written.sections, state_hash = written.state_hash,
       text_hash = written.text_hash, content_hash = written.content_hash, waiting = written.waiting,
       updated_at = $2::timestamptz, ${setPosition}, ${setMark}
     FROM json_to_recordset($1::json) AS written(id uuid, live boolean, title text, uri text, acl text[], metadata jsonb,
       sections jsonb, state_hash bytea, text_hash bytea, content_hash bytea, waiting jsonb, ${positionRecord}, ${markRecord})
     WHERE documents.id = written.id`,
    [JSON.stringify(documents.map(allColumns)), updatedAt.toISOString()],
  );
}

function allColumns(document: DocumentState): Record<string, unknown> {
  const bytes = (hex: string | undefined): string | null => (hex === undefined ? null : `\\x${hex}`);
  return {
    id: document.id,
    live: document.live,
    ...(document.parts ?? noParts),
    state_hash: bytes(document.hashes?.state),
    text_hash: bytes(document.hashes?.text),
    content_hash: bytes(document.hashes?.content),
    waiting: Object.fromEntries(document.waiting),
    ...stateColumns(document),
  };
}

function stateColumns(document: DocumentState): Record<string, unknown> {
  return {
    ...positionToColumns(document.position),
    blank: document.blank,
    incomplete_since: document.incompleteSince,
    mark_since: document.mark?.since ?? null,
    mark_position: positionToJson(document.mark?.position ?? null),
  };
}
