import type { Transaction } from './database.js';

/** How a batch locks its sources: `exclusive` where it holds a clear, which sees every document of its source; else `shared`. */
export type SourceLock = 'exclusive' | 'shared';

/**
 * Locks the sources of a batch in one order, and makes those that are new.
 *
 * @returns ids by name; a source that is being deleted at the same moment, or whose corpus is gone, is missing.
 */
export async function lockSources(
  transaction: Transaction,
  corpusId: string,
  names: readonly string[],
  lock: SourceLock,
): Promise<Map<string, string>> {
  const found = await selectSources(transaction, corpusId, names, lock);
  const missing = names.filter((name) => !found.has(name));
  if (missing.length === 0) return found;
  await transaction.query(
    `INSERT INTO sources (corpus_id, name)
     SELECT corpora.id, added.name FROM corpora, unnest($2::text[]) AS added(name)
     WHERE corpora.id = $1::bigint ORDER BY added.name COLLATE "C"
     ON CONFLICT DO NOTHING`,
    [corpusId, missing],
  );
  return selectSources(transaction, corpusId, names, lock);
}

async function selectSources(
  transaction: Transaction,
  corpusId: string,
  names: readonly string[],
  lock: SourceLock,
): Promise<Map<string, string>> {
  const { rows } = await transaction.query<{ id: string; name: string }>(
    `SELECT id::text AS id, name FROM sources WHERE corpus_id = $1::bigint AND name = ANY($2::text[])
     ORDER BY sources.id ${lock === 'exclusive' ? 'FOR UPDATE' : 'FOR SHARE'}`,
    [corpusId, names],
  );
  return new Map(rows.map((row) => [row.name, row.id]));
}

export async function corpusExists(transaction: Transaction, corpusId: string): Promise<boolean> {
  const { rows } = await transaction.query('SELECT 1 FROM corpora WHERE id = $1::bigint', [corpusId]);
  return rows.length > 0;
}

/** Notes when each source last had an event; the last statement of a batch, since it makes other batches of the source wait. */
export async function noteActivity(transaction: Transaction, sourceIds: readonly string[], at: Date): Promise<void> {
  await transaction.query(
    `INSERT INTO source_activity (source_id, last_event_at)
     SELECT id, $2::timestamptz FROM unnest($1::bigint[]) AS active(id) ORDER BY id
     ON CONFLICT (source_id) DO UPDATE SET last_event_at = greatest(source_activity.last_event_at, excluded.last_event_at)`,
    [sourceIds, at.toISOString()],
  );
}

/** Locks a source for itself and tells its live documents; undefined where there is no such source. */
export async function liveDocumentIds(transaction: Transaction, corpusId: string, name: string): Promise<string[] | undefined> {
  const sourceId = (await selectSources(transaction, corpusId, [name], 'exclusive')).get(name);
  if (sourceId === undefined) return undefined;
  const { rows } = await transaction.query<{ id: string }>('SELECT id FROM documents WHERE source_id = $1::bigint AND live', [
    sourceId,
  ]);
  return rows.map((row) => row.id);
}

/** Deletes a source and all that hangs on it. */
export async function deleteSource(transaction: Transaction, corpusId: string, name: string): Promise<void> {
  await transaction.query('DELETE FROM sources WHERE corpus_id = $1::bigint AND name = $2', [corpusId, name]);
}
