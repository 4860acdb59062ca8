import type { EventInput } from '@ossian/shared';
import { type LedgerEntry, OffsetLedger } from '../commit/offset-ledger.js';
import type { DeliveryItem } from '../deliver/deliver-events.js';
import type { PrecedingDelete } from '../deliver/map/follow-delete.js';
import type { RecordError } from '../errors/record-error.js';
import type { ConsumedRecord } from '../record/consumed-record.js';
import { partitionName, type PartitionOffset, type ReceivedRecords } from '../source/record-source.js';
import { Fifo } from './fifo.js';

/** A record that was received and has not ended. */
export interface HeldRecord {
  readonly record: ConsumedRecord;
  readonly entry: LedgerEntry;
}

/** A record that is ready to be sent, or to be reported as bad. */
export interface OutgoingRecord extends DeliveryItem, HeldRecord {
  readonly work: PartitionWork;
  /** Set where the record was bad before it was sent: then `event` is its `skip`, where it has an identity. */
  readonly error: RecordError | undefined;
  /** What `event` says, for a `skip` in its place. */
  readonly input: EventInput | undefined;
  /** When it became ready; milliseconds since 1970. */
  readonly readyAt: number;
}

/** One partition's records in one generation, from received to ended. */
export class PartitionWork {
  readonly topic: string;
  readonly partition: number;
  readonly name: string;
  readonly ledger: OffsetLedger;
  readonly incoming = new Fifo<HeldRecord>();
  readonly outgoing = new Fifo<OutgoingRecord>();
  incomingBytes = 0;
  outgoingBytes = 0;
  /** Bytes of the records behind `outgoing`: of a bad one the event is small, or there is none. */
  preparedBytes = 0;
  /** Records that are being delivered: while there are any, nothing else of this partition is sent. */
  inFlight = 0;
  /** Nothing more is prepared of this partition: a bad record stands at the end of `outgoing`, and it ends the task. */
  halted = false;
  /** The delete that the last prepared record was: the tombstone behind it takes its source position. */
  precedingDelete: PrecedingDelete | undefined;
  /** The log's end as it was last seen. */
  end: bigint;
  /** The same partition in the generation before, whose last request may still be under way. */
  #before: PartitionWork | undefined;

  constructor({ topic, partition, offset }: PartitionOffset, before: PartitionWork | undefined) {
    this.topic = topic;
    this.partition = partition;
    this.name = partitionName({ topic, partition });
    this.ledger = new OffsetLedger(offset);
    this.end = offset;
    this.#before = before;
  }

  receive({ records, position, end }: ReceivedRecords): void {
    for (const record of records) {
      this.incoming.push({ record, entry: this.ledger.receive(record.offset) });
      this.incomingBytes += sizeOf(record);
    }
    this.ledger.advance(position);
    if (end > this.end) this.end = end;
  }

  takeIncoming(): HeldRecord | undefined {
    const held = this.incoming.shift();
    if (held !== undefined) this.incomingBytes -= sizeOf(held.record);
    return held;
  }
  addOutgoing(item: OutgoingRecord): void {
    this.outgoing.push(item);
    this.outgoingBytes += item.event?.bytes ?? 0;
    this.preparedBytes += sizeOf(item.record);
  }
  takeOutgoing(): OutgoingRecord | undefined {
    const item = this.outgoing.shift();
    if (item === undefined) return undefined;
    this.outgoingBytes -= item.event?.bytes ?? 0;
    this.preparedBytes -= sizeOf(item.record);
    return item;
  }

  get busy(): boolean {
    if (this.#before?.busy === false) this.#before = undefined;
    return this.inFlight > 0 || this.#before !== undefined;
  }
  get empty(): boolean {
    return this.incoming.size === 0 && this.outgoing.size === 0 && !this.busy;
  }
}

const recordOverhead = 100;

/** Bytes a record takes up while it is held, about. */
function sizeOf(record: ConsumedRecord): number {
  return (record.key?.length ?? 0) + (record.value?.length ?? 0) + recordOverhead;
}
