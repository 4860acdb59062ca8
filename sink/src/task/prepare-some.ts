import type { ConnectorSettings } from '../config/settings.js';
import { followDelete, precedingDelete } from '../deliver/map/follow-delete.js';
import type { HeldRecord, OutgoingRecord, PartitionWork } from './partition-work.js';
import { type PreparedRecord, prepareRecord } from './prepare-record.js';
import { outgoing as outgoingEvent } from './settle-records.js';
import type { RecordEnd } from './task-counts.js';

export interface Preparation {
  readonly now: () => number;
  readonly ended: (end: RecordEnd) => void;
  readonly missingColumns: (columns: readonly string[]) => void;
  readonly failed: (error: unknown) => void;
  /** There is more to prepare: come again soon. */
  readonly more: () => void;
}

/** Milliseconds at a stretch, after which other work (answers, heartbeats) has its turn. */
const slice = 10;

/**
 * Prepares records in each partition's order, as far ahead of the delivery as two batches. Under tolerance `none` a bad
 * record is the last that is taken from its partition: what stands before it is delivered, then the task fails at it.
 */
export function prepareSome(works: readonly PartitionWork[], settings: ConnectorSettings, ports: Preparation): void {
  const until = ports.now() + slice;
  const { batchMaxEvents, batchMaxBytes } = settings.delivery;
  const mayGoOn = ({ outgoing, outgoingBytes, preparedBytes, halted }: PartitionWork): boolean =>
    outgoing.size < batchMaxEvents * 2 && outgoingBytes < batchMaxBytes * 2 && preparedBytes < batchMaxBytes * 4 && !halted;
  for (const work of works) {
    while (mayGoOn(work)) {
      const held = work.takeIncoming();
      if (held === undefined) break;
      try {
        prepareOne(work, held, settings, ports);
      } catch (error) {
        ports.failed(error);
        return;
      }
      if (ports.now() >= until) return ports.more();
    }
  }
}

function prepareOne(work: PartitionWork, held: HeldRecord, settings: ConnectorSettings, ports: Preparation): void {
  const { record, entry } = held;
  const prepared = followingDelete(work, prepareRecord(record, settings));
  if (prepared.kind === 'ignored') {
    entry.end();
    ports.ended({ kind: 'ignored', reason: prepared.reason });
    return;
  }
  if (prepared.kind === 'event') ports.missingColumns(prepared.missingColumns);
  const error = prepared.kind === 'bad' ? prepared.error : undefined;
  work.halted = error !== undefined && settings.tolerance.tolerance === 'none';
  const input = prepared.kind === 'event' ? prepared.event : work.halted ? undefined : prepared.skip;
  const item: OutgoingRecord = {
    record,
    entry,
    work,
    coordinates: record,
    input,
    event: input && outgoingEvent(input),
    error,
    readyAt: ports.now(),
  };
  work.addOutgoing(item);
}

/** A tombstone takes the source position of the delete before it in its partition. */
function followingDelete(work: PartitionWork, prepared: PreparedRecord): PreparedRecord {
  const preceding = work.precedingDelete;
  work.precedingDelete = undefined;
  if (prepared.kind !== 'event') return prepared;
  const event = followDelete(prepared.event, preceding);
  work.precedingDelete = precedingDelete(event);
  return { ...prepared, event };
}
