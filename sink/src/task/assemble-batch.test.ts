import { describe, expect, it } from '@jest/globals';
import { row } from '../testing/row-records.js';
import { assembleBatch, type BatchLimits } from './assemble-batch.js';
import { type OutgoingRecord, PartitionWork } from './partition-work.js';

const limits: BatchLimits = { batchMaxEvents: 4, batchMaxBytes: 1_000, linger: 50 };

function work(partition: number, sizes: readonly number[], readyAt = 0): PartitionWork {
  const one = new PartitionWork({ topic: 't', partition, offset: 0n }, undefined);
  sizes.forEach((bytes, offset) => {
    const record = row(offset, 'x', { partition });
    const event = { id: `${partition}:${offset}`, text: '', bytes };
    const entry = one.ledger.receive(record.offset);
    one.addOutgoing({ record, entry, work: one, coordinates: record, input: undefined, event, error: undefined, readyAt });
  });
  return one;
}
const ids = (batch: readonly OutgoingRecord[]) => batch.map(({ event }) => event?.id);

describe('the next batch', () => {
  it('waits for linger.ms from its oldest record, unless it is full or the last', () => {
    const works = [work(0, [10, 10])];
    expect(assembleBatch(works, limits, 49, false)).toEqual([]);
    expect(ids(assembleBatch(works, limits, 50, false))).toEqual(['0:0', '0:1']);
    expect(assembleBatch([work(0, [10, 10, 10, 10])], limits, 0, false)).toHaveLength(4);
    expect(assembleBatch([work(0, [600, 600])], limits, 0, false)).toHaveLength(1);
    expect(assembleBatch([work(0, [10])], limits, 0, true)).toHaveLength(1);
  });
  it('holds at most batch.max.events and batch.max.bytes, commas and braces counted', () => {
    expect(assembleBatch([work(0, [10, 10, 10, 10, 10])], limits, 0, false)).toHaveLength(4);
    // {"events":[ and ]} are 13 bytes, and each event has a comma.
    expect(ids(assembleBatch([work(0, [493, 492, 1])], limits, 50, false))).toEqual(['0:0', '0:1']);
    expect(ids(assembleBatch([work(0, [493, 493, 1])], limits, 50, false))).toEqual(['0:0']);
  });
  it('may be one event over batch.max.bytes: it goes alone', () => {
    expect(ids(assembleBatch([work(0, [5_000, 10])], limits, 0, false))).toEqual(['0:0']);
  });
  it('S3: takes each partition in order, may mix partitions, and leaves alone those that have a batch in flight', () => {
    const [one, two] = [work(0, [10, 10]), work(1, [10, 10, 10])];
    expect(ids(assembleBatch([one, two], limits, 50, false))).toEqual(['0:0', '0:1', '1:0', '1:1']);
    expect(assembleBatch([one, two], limits, 50, true)).toEqual([]);
    two.inFlight = 0;
    expect(ids(assembleBatch([one, two], limits, 50, true))).toEqual(['1:2']);
  });
  it('begins with the partition that has waited longest', () => {
    expect(ids(assembleBatch([work(0, [10], 40), work(1, [10], 10)], limits, 60, false))).toEqual(['1:0', '0:0']);
  });
  it('S3: leaves a partition alone while its last request of the generation before is under way', () => {
    const before = work(0, []);
    before.inFlight = 1;
    const after = new PartitionWork({ topic: 't', partition: 0, offset: 0n }, before);
    const record = row(0, 'x');
    const entry = after.ledger.receive(0n);
    after.addOutgoing({
      record,
      entry,
      work: after,
      coordinates: record,
      input: undefined,
      event: undefined,
      error: undefined,
      readyAt: 0,
    });
    expect(assembleBatch([after], limits, 100, true)).toEqual([]);
    before.inFlight = 0;
    expect(assembleBatch([after], limits, 100, true)).toHaveLength(1);
  });
});
