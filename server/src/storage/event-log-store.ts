import type { EventPage, EventView } from '@ossian/shared';
import type { CorpusReference } from '../corpus/scope.js';
import type { Database } from './database.js';
import { readCursor, writeCursor } from './page-cursor.js';

export interface EventLogQuery {
  readonly source?: string | undefined;
  readonly documentId?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}
type EventRow = Omit<EventView, 'received_at'> & { sequence: string; received_at: Date };

/** What happened in a corpus, newest first. For those who run it: it tells of documents whatever their readers. */
export async function listEvents(database: Database, corpus: CorpusReference, query: EventLogQuery): Promise<EventPage> {
  const before = query.cursor === undefined ? null : readCursor(query.cursor, 1)[0];
  const { rows } = await database.pool.query<EventRow>(
    `SELECT event.sequence, event.id, event.op, event.outcome, event.reason, source.name AS source, event.document_id,
            event.received_at
       FROM events AS event JOIN sources AS source ON source.id = event.source_id
      WHERE event.corpus_id = $1 AND ($2::bigint IS NULL OR event.sequence < $2::bigint)
        AND ($3::text IS NULL OR source.name = $3) AND ($4::text IS NULL OR event.document_id::text = lower($4))
      ORDER BY event.sequence DESC LIMIT $5`,
    [corpus.id, before, query.source ?? null, query.documentId ?? null, query.limit + 1],
  );
  const given = rows.slice(0, query.limit);
  const last = given.at(-1);
  return {
    events: given.map(({ id, op, outcome, reason, source, document_id, received_at }) => {
      return { id, op, outcome, reason, source, document_id, received_at: received_at.toISOString() };
    }),
    next_cursor: last === undefined || given.length === rows.length ? null : writeCursor([last.sequence]),
  };
}
