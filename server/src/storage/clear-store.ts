import type { Clear } from '../corpus/clear.js';
import type { Transaction } from './database.js';
import { type PositionColumns, positionFromColumns, positionToColumns, selectPosition } from './stored-position.js';

/** The clears that are remembered of these sources, by source id. */
export async function readClears(transaction: Transaction, sourceIds: readonly string[]): Promise<Map<string, Clear[]>> {
  const { rows } = await transaction.query<PositionColumns & { source_id: string }>(
    `SELECT clears.source_id::text AS source_id, ${selectPosition('clears')}
     FROM clears WHERE clears.source_id = ANY($1::bigint[]) ORDER BY clears.id`,
    [sourceIds],
  );
  const clears = new Map<string, Clear[]>();
  for (const row of rows) {
    const clear = positionFromColumns(row);
    if (clear !== null) clears.set(row.source_id, [...(clears.get(row.source_id) ?? []), clear]);
  }
  return clears;
}

/** Remembers a clear, and forgets those that it covers (`isCoveredBy`, in SQL). */
export async function writeClear(transaction: Transaction, sourceId: string, clear: Clear): Promise<void> {
  const columns = positionToColumns(clear);
  await transaction.query(
    `DELETE FROM clears USING json_to_record($2::json) AS added(${record})
     WHERE clears.source_id = $1::bigint AND clears.topic = added.topic AND clears.partition = added.partition
       AND clears.snapshot = added.snapshot AND clears."offset" <= added."offset" AND clears."timestamp" <= added."timestamp"
       AND CASE WHEN clears.source_position IS NULL OR added.source_position IS NULL
             THEN clears.source_position IS NOT DISTINCT FROM added.source_position
             ELSE clears.source_position <= added.source_position AND clears.source_timestamp <= added.source_timestamp END`,
    [sourceId, JSON.stringify(columns)],
  );
  await transaction.query(
    `INSERT INTO clears (source_id, topic, partition, "offset", "timestamp", source_position, source_timestamp, snapshot)
     SELECT $1::bigint, added.* FROM json_to_record($2::json) AS added(${record})`,
    [sourceId, JSON.stringify(columns)],
  );
}

const record = `topic text, partition integer, "offset" numeric, "timestamp" numeric, source_position numeric,
  source_timestamp numeric, snapshot boolean`;

/** `isBefore` of corpus/position.ts for two rows that have a position, in SQL. */
export function beforeInSql(event: string, remembered: string): string {
  const samePartition = `(${event}.topic = ${remembered}.topic AND ${event}.partition = ${remembered}.partition)`;
  const inPartition = `(${event}."offset" < ${remembered}."offset" AND ${event}."timestamp" <= ${remembered}."timestamp")`;
  return `CASE
    WHEN ${samePartition} AND (${event}.snapshot OR ${remembered}.snapshot) THEN ${inPartition}
    WHEN ${event}.source_position <> ${remembered}.source_position
      THEN ${event}.source_position < ${remembered}.source_position
        AND coalesce(${event}.source_timestamp, ${event}."timestamp") <= coalesce(${remembered}.source_timestamp, ${remembered}."timestamp")
    WHEN ${samePartition} THEN ${inPartition}
    ELSE ${event}."timestamp" < ${remembered}."timestamp" END`;
}

/**
 * Removes the documents of the clear's topic that stand before it, from every reader's sight at once; their content and chunks are
 * deleted later, in slices (`sweepDocuments`).
 *
 * @param except documents that the batch itself writes.
 * @returns the ids of the removed ones that readers saw.
 */
export async function clearDocuments(
  transaction: Transaction,
  sourceId: string,
  clear: Clear,
  except: readonly string[],
): Promise<string[]> {
  const { rows } = await transaction.query<{ id: string; was_live: boolean }>(
    `UPDATE documents SET live = false, blank = false, unswept = document.live, state_hash = NULL, text_hash = NULL, content_hash = NULL,
       waiting = '{}', incomplete_since = NULL,
       mark_since = CASE WHEN marked.stays THEN documents.mark_since END,
       mark_position = CASE WHEN marked.stays THEN documents.mark_position END,
       topic = clear.topic, partition = clear.partition, "offset" = clear."offset", "timestamp" = clear."timestamp",
       source_position = coalesce(clear.source_position, documents.source_position),
       source_timestamp = CASE WHEN clear.source_position IS NULL THEN documents.source_timestamp ELSE clear.source_timestamp END,
       snapshot = clear.snapshot
     FROM documents AS document
     CROSS JOIN json_to_record($2::json) AS clear(${record})
     CROSS JOIN LATERAL json_to_record(coalesce(document.mark_position, '{}')::json) AS mark(${record})
     CROSS JOIN LATERAL (SELECT mark.topic IS NOT NULL AND ${beforeInSql('clear', 'mark')} AS stays) AS marked
     WHERE documents.id = document.id AND document.source_id = $1::bigint AND (document.live OR document.blank) AND document.topic = clear.topic
       AND ${beforeInSql('document', 'clear')} AND NOT document.id = ANY($3::uuid[])
     RETURNING documents.id, document.live AS was_live`,
    [sourceId, JSON.stringify(positionToColumns(clear)), except],
  );
  return rows.filter((row) => row.was_live).map((row) => row.id);
}
