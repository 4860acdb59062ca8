import type { Transaction } from './database.js';

/** One row of the event log: what became of an id. */
export interface EventRecord {
  readonly id: string;
  readonly sourceId: string;
  readonly documentId: string | null;
  readonly op: string;
  readonly outcome: string;
  readonly reason: string | null;
  /** sha256 in hex. */
  readonly contentHash: string;
  readonly positioned: boolean;
}

/** What the log knows of these ids. */
export async function readKnownEvents(
  transaction: Transaction,
  corpusId: string,
  ids: readonly string[],
): Promise<Map<string, { contentHash: string; documentId: string | null }>> {
  const { rows } = await transaction.query<{ id: string; hash: string; document_id: string | null }>(
    `SELECT id, encode(content_hash, 'hex') AS hash, document_id FROM events
     WHERE corpus_id = $1::bigint AND id = ANY($2::text[])`,
    [corpusId, ids],
  );
  return new Map(rows.map((row) => [row.id, { contentHash: row.hash, documentId: row.document_id }]));
}

/** Writes one row for each id, in this order; an id that is known already gets its new content, outcome and place. */
export async function writeEvents(
  transaction: Transaction,
  corpusId: string,
  records: readonly EventRecord[],
  receivedAt: Date,
): Promise<void> {
  if (records.length === 0) return;
  await transaction.query(
    `INSERT INTO events (corpus_id, source_id, id, document_id, op, outcome, reason, content_hash, positioned, received_at)
     SELECT $1::bigint, added."sourceId", added.id, added."documentId", added.op, added.outcome, added.reason,
            decode(added."contentHash", 'hex'), added.positioned, $3::timestamptz
     FROM json_to_recordset($2::json) AS added("sourceId" bigint, id text, "documentId" uuid, op text, outcome text,
       reason text, "contentHash" text, positioned boolean)
     ON CONFLICT (corpus_id, id) DO UPDATE SET sequence = DEFAULT, source_id = excluded.source_id,
       document_id = excluded.document_id, op = excluded.op, outcome = excluded.outcome, reason = excluded.reason,
       content_hash = excluded.content_hash, positioned = excluded.positioned, received_at = excluded.received_at`,
    [corpusId, JSON.stringify(records), receivedAt.toISOString()],
  );
}

/** Deletes up to `limit` ids of events with a position that came before `before`; the others go by id alone and stay. */
export async function pruneEvents(transaction: Transaction, before: Date, limit: number): Promise<number> {
  const { rowCount } = await transaction.query(
    `DELETE FROM events WHERE (corpus_id, id) IN (
       SELECT corpus_id, id FROM events WHERE positioned AND received_at < $1::timestamptz LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    [before.toISOString(), limit],
  );
  return rowCount ?? 0;
}
