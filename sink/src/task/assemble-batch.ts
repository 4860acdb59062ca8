import type { DeliverySettings } from '../config/settings.js';
import type { OutgoingRecord, PartitionWork } from './partition-work.js';

export type BatchLimits = Pick<DeliverySettings, 'batchMaxEvents' | 'batchMaxBytes' | 'linger'>;

/** `{"events":[` and `]}`, and a comma for each event. */
const frameBytes = 13;

/**
 * Takes the next batch out of the partitions that are free: in each partition's order, from one or several of them, as soon
 * as it is full or its oldest record has waited for `linger` milliseconds.
 *
 * @param isLast the records that are there are the last for now: none is waited for.
 * @returns an empty array where there is nothing to send yet.
 */
export function assembleBatch(
  works: readonly PartitionWork[],
  limits: BatchLimits,
  now: number,
  isLast: boolean,
): readonly OutgoingRecord[] {
  const free = works.filter((work) => !work.busy && work.outgoing.size > 0).sort((a, b) => readySince(a) - readySince(b));
  const first = free[0];
  if (first === undefined) return [];
  const events = free.reduce((total, work) => total + work.outgoing.size, 0);
  const bytes = free.reduce((total, work) => total + work.outgoingBytes, 0);
  const isFull = events >= limits.batchMaxEvents || bytes >= limits.batchMaxBytes;
  if (!isFull && !isLast && now - readySince(first) < limits.linger) return [];
  return takeBatch(free, limits);
}

function takeBatch(works: readonly PartitionWork[], limits: BatchLimits): OutgoingRecord[] {
  const batch: OutgoingRecord[] = [];
  let bytes = frameBytes;
  for (const work of works) {
    for (let next = work.outgoing.peek(); next !== undefined; next = work.outgoing.peek()) {
      const size = (next.event?.bytes ?? 0) + 1;
      // One event that is over the limit by itself still goes, alone.
      const fits = batch.length < limits.batchMaxEvents && bytes + size <= limits.batchMaxBytes;
      if (!fits && batch.length > 0) return batch;
      work.takeOutgoing();
      work.inFlight += 1;
      batch.push(next);
      bytes += size;
    }
  }
  return batch;
}

function readySince(work: PartitionWork): number {
  return work.outgoing.peek()?.readyAt ?? Infinity;
}
