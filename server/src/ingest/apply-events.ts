import type { EventResult, Logger } from '@ossian/shared';
import type { ChunkDocument } from '../corpus/chunk.js';
import type { CorpusReference } from '../corpus/scope.js';
import type { Database, Transaction } from '../storage/database.js';
import { type EventRecord, writeEvents } from '../storage/event-store.js';
import { noteActivity } from '../storage/source-store.js';
import type { IngestEvent, Judgement } from './ingest-event.js';
import { isolateFaults, type Judged } from './isolate-faults.js';
import { judgeEvent } from './judge-event.js';
import { loadBatch } from './load-batch.js';
import { readEvent } from './read-event.js';
import { retryConflicts } from './retry-conflicts.js';
import { NotLoadedError, type WorkingSet } from './working-set.js';
import { type DocumentChanged, writeBatch } from './write-batch.js';

export interface ApplyEventsDependencies {
  readonly database: Database;
  readonly chunkDocument: ChunkDocument;
  /** Called inside the writing transaction, after everything else of the batch is written. */
  readonly documentChanged: DocumentChanged;
  readonly logger: Logger;
  readonly clock?: () => Date;
}

/**
 * The write flow of one batch: read each event by itself; then, in one transaction, lock and load what they touch, fold them in order,
 * write what became of it, and log each id. Whoever gets an answer may rely on it: it was committed.
 *
 * @returns one result for each event, in request order.
 * @throws ProblemError 503 with Retry-After where the database cannot do it now, 404 where the corpus has gone.
 */
export async function applyEvents(
  dependencies: ApplyEventsDependencies,
  corpus: CorpusReference,
  events: readonly unknown[],
): Promise<EventResult[]> {
  const arrival = dependencies.clock?.() ?? new Date();
  const read = events.map(readEvent);
  const readable = read.flatMap(({ event }) => (event === undefined ? [] : [event]));
  const judgements =
    readable.length === 0
      ? new Map<number, Judgement>()
      : await retryConflicts(dependencies.logger, () =>
          dependencies.database.transaction((transaction) => applyBatch(dependencies, transaction, corpus, readable, arrival)),
        );
  return read.map(({ event, rejected }) => rejected ?? resultOf(event, judgements.get(event.index)));
}

async function applyBatch(
  dependencies: ApplyEventsDependencies,
  transaction: Transaction,
  corpus: CorpusReference,
  events: readonly IngestEvent[],
  arrival: Date,
): Promise<Map<number, Judgement>> {
  const active = new Set<string>();
  const judgements = await isolateFaults(transaction, events, async (part) => {
    const set = await loadBatch(transaction, corpus, part);
    const judged = part.map((event): LoggedJudgement => {
      const known = set.known(event.id) !== undefined;
      return { event, known, judgement: judgeEvent(set, event, arrival) };
    });
    await writeBatch(dependencies, transaction, corpus, set, arrival);
    const records = logRecords(judged, set);
    await writeEvents(transaction, corpus.id, records, arrival);
    for (const record of records) active.add(record.sourceId);
    return judged;
  });
  if (active.size > 0) await noteActivity(transaction, [...active], arrival);
  return judgements;
}

interface LoggedJudgement extends Judged {
  /** The log had the id before. */
  readonly known: boolean;
}

/** One row for each id that was applied, unchanged or stale; a known id that is stale now leaves its row as it is. */
function logRecords(judged: readonly LoggedJudgement[], set: WorkingSet): EventRecord[] {
  const records = new Map<string, EventRecord>();
  for (const { event, known, judgement } of judged) {
    const { outcome, documentId } = judgement;
    if (outcome === 'rejected' || outcome === 'duplicate' || (outcome === 'stale' && known)) continue;
    const { id, op, reason, contentHash } = event;
    const positioned = event.position !== null;
    records.delete(id);
    records.set(id, { id, sourceId: set.sourceId(event.source), documentId, op, outcome, reason, contentHash, positioned });
  }
  return [...records.values()];
}

function resultOf(event: IngestEvent, judgement: Judgement | undefined): EventResult {
  if (judgement === undefined) throw new NotLoadedError(`the judgement of event ${event.id}`);
  const { outcome, documentId, error } = judgement;
  return { id: event.id, outcome, document_id: documentId, ...(error === undefined ? {} : { error }) };
}
