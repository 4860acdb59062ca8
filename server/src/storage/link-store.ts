import type { Half, KeyLink } from '../corpus/key-link.js';
import type { DocumentParts } from '../corpus/part.js';
import type { Transaction } from './database.js';
import { type PositionColumns, positionFromJson, positionToJson } from './stored-position.js';

/** A key change of the batch. */
export interface KeyPair {
  readonly sourceId: string;
  readonly oldKey: string;
  readonly newKey: string;
}

interface LinkRow {
  id: string;
  source_id: string;
  old_key: string;
  new_key: string;
  source_position: string | null;
  missing: Half | null;
  met_at: Date | null;
  content: DocumentParts | null;
  waiting: Record<string, string | null>;
  mark_since: Date | null;
  mark_position: PositionColumns | null;
}

/** The links of these key changes, and those that wait, directly or not, for what one of them brings; in the order they were made. */
export async function readLinks(transaction: Transaction, pairs: readonly KeyPair[]): Promise<KeyLink[]> {
  if (pairs.length === 0) return [];
  const { rows } = await transaction.query<LinkRow>(
    `WITH RECURSIVE change AS (
       SELECT * FROM json_to_recordset($1::json) AS change("sourceId" bigint, "oldKey" text, "newKey" text)
     ), reached(source_id, new_key) AS (
       SELECT "sourceId", "newKey" COLLATE "C" FROM change
       UNION
       SELECT later.source_id, later.new_key FROM reached
       JOIN links AS later ON later.source_id = reached.source_id AND later.old_key = reached.new_key
       WHERE later.waiting <> '{}'
     )
     SELECT link.id, link.source_id::text AS source_id, link.old_key, link.new_key, link.source_position::text AS source_position,
            link.missing, link.met_at, link.content, link.waiting, link.mark_since, link.mark_position
     FROM links AS link
     WHERE EXISTS (SELECT 1 FROM change
             WHERE change."sourceId" = link.source_id AND change."oldKey" = link.old_key AND change."newKey" = link.new_key)
        OR link.waiting <> '{}' AND EXISTS (SELECT 1 FROM reached
             WHERE reached.source_id = link.source_id AND reached.new_key = link.old_key)
     ORDER BY link.sequence`,
    [JSON.stringify(pairs)],
  );
  return rows.map(linkFromRow);
}

function linkFromRow(row: LinkRow): KeyLink {
  return {
    id: row.id,
    sourceId: row.source_id,
    oldKey: row.old_key,
    newKey: row.new_key,
    sourcePosition: row.source_position === null ? null : BigInt(row.source_position),
    missing: row.missing,
    metAt: row.met_at,
    parts: row.content,
    waiting: new Map(Object.entries(row.waiting)),
    mark: row.mark_since === null ? null : { since: row.mark_since, position: positionFromJson(row.mark_position) },
  };
}

export async function writeLinks(transaction: Transaction, links: readonly KeyLink[]): Promise<void> {
  if (links.length === 0) return;
  await transaction.query(
    `INSERT INTO links (id, source_id, old_key, new_key, source_position, missing, met_at, content, waiting, mark_since, mark_position)
     SELECT written.* FROM json_to_recordset($1::json) AS written(id uuid, source_id bigint, old_key text, new_key text,
       source_position numeric, missing text, met_at timestamptz, content jsonb, waiting jsonb, mark_since timestamptz,
       mark_position jsonb)
     ON CONFLICT (id) DO UPDATE SET missing = excluded.missing, met_at = excluded.met_at, content = excluded.content,
       waiting = excluded.waiting, mark_since = excluded.mark_since, mark_position = excluded.mark_position`,
    [JSON.stringify(links.map(linkToRow))],
  );
}

function linkToRow(link: KeyLink): Record<string, unknown> {
  return {
    id: link.id,
    source_id: link.sourceId,
    old_key: link.oldKey,
    new_key: link.newKey,
    source_position: link.sourcePosition?.toString() ?? null,
    missing: link.missing,
    met_at: link.metAt,
    content: link.parts,
    waiting: Object.fromEntries(link.waiting),
    mark_since: link.mark?.since ?? null,
    mark_position: positionToJson(link.mark?.position ?? null),
  };
}

/**
 * Deletes up to `limit` links whose halves met before `before` and that wait for nothing; one that waits for its other half stays.
 *
 * @returns how many went.
 */
export async function pruneLinks(transaction: Transaction, before: Date, limit: number): Promise<number> {
  const { rowCount } = await transaction.query(
    `DELETE FROM links WHERE id IN (
       SELECT id FROM links WHERE missing IS NULL AND met_at < $1::timestamptz AND waiting = '{}'
       ORDER BY met_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    [before.toISOString(), limit],
  );
  return rowCount ?? 0;
}
