import type { Transaction } from '../storage/database.js';
import { isDataFault } from './ingest-errors.js';
import type { IngestEvent, Judgement } from './ingest-event.js';

export interface Judged {
  readonly event: IngestEvent;
  readonly judgement: Judgement;
}

/**
 * Lets one event fail alone: where the database refuses the data of a part of the batch, back to the savepoint and halve, down to the
 * event, which is rejected. Any other fault ends the transaction.
 *
 * @returns what became of each event, by its place in the request.
 */
export async function isolateFaults(
  transaction: Transaction,
  events: readonly IngestEvent[],
  work: (part: readonly IngestEvent[]) => Promise<readonly Judged[]>,
): Promise<Map<number, Judgement>> {
  await transaction.query('SAVEPOINT part');
  try {
    const judged = await work(events);
    await transaction.query('RELEASE SAVEPOINT part');
    return new Map(judged.map(({ event, judgement }) => [event.index, judgement]));
  } catch (error) {
    if (!isDataFault(error)) throw error;
    await transaction.query('ROLLBACK TO SAVEPOINT part');
    await transaction.query('RELEASE SAVEPOINT part');
    const [first] = events;
    if (first === undefined || events.length === 1) return first === undefined ? new Map() : rejectEvent(first, error);
    const middle = Math.ceil(events.length / 2);
    const judgements = await isolateFaults(transaction, events.slice(0, middle), work);
    for (const [index, judgement] of await isolateFaults(transaction, events.slice(middle), work))
      judgements.set(index, judgement);
    return judgements;
  }
}

function rejectEvent(event: IngestEvent, error: Error): Map<number, Judgement> {
  const message = `the database cannot store this event: ${error.message}; change the row, or leave out the column that holds it`;
  return new Map([[event.index, { outcome: 'rejected', documentId: null, error: { code: 'not_storable', message } }]]);
}
