import { describe, expect, it } from '@jest/globals';
import {
  advancePosition,
  isBefore,
  isSameChange,
  isSamePosition,
  readPosition,
  type StoredPosition,
  timeOfEvent,
} from './position.js';

/** topic, partition, offset, timestamp, source position, source timestamp. */
function position(
  [topic, partition, offset, timestamp]: [string, number, number, number],
  source: [number, number] | null = null,
  snapshot = false,
): StoredPosition {
  return {
    topic,
    partition,
    offset: BigInt(offset),
    timestamp: BigInt(timestamp),
    sourcePosition: source === null ? null : BigInt(source[0]),
    sourceTimestamp: source === null ? null : BigInt(source[1]),
    snapshot,
  };
}

describe('isBefore', () => {
  it('V3: nothing is before no position', () => {
    expect(isBefore(position(['t', 0, 0, 0]), null)).toBe(false);
  });

  it.each<[string, StoredPosition, StoredPosition, boolean]>([
    // Rule 1: same topic and partition, and one of the two is a snapshot's row: offset and timestamp decide, not the source position.
    [
      '1: an open transaction after a snapshot row',
      position(['t', 0, 9, 5], [40, 5]),
      position(['t', 0, 8, 5], [50, 5], true),
      false,
    ],
    [
      '1: a snapshot row that comes again after a later change',
      position(['t', 0, 8, 5], [50, 5], true),
      position(['t', 0, 9, 5], [40, 5]),
      true,
    ],
    [
      '1: a snapshot row with a higher source position and a lower offset',
      position(['t', 0, 8, 5], [60, 5], true),
      position(['t', 0, 9, 5], [40, 5]),
      true,
    ],
    ['1: not on another partition', position(['t', 1, 9, 5], [40, 5]), position(['t', 0, 8, 5], [50, 5], true), true],
    ['1: not on another topic', position(['u', 0, 9, 5], [40, 5]), position(['t', 0, 8, 5], [50, 5], true), true],
    // Rule 2: the source positions differ.
    [
      '2: lower source position, though its offset is higher (sent again by a killed connector)',
      position(['t', 0, 9, 7], [40, 5]),
      position(['t', 0, 8, 5], [50, 5]),
      true,
    ],
    [
      '2: higher source position, though its offset is lower',
      position(['t', 0, 7, 5], [60, 5]),
      position(['t', 0, 8, 5], [50, 5]),
      false,
    ],
    [
      '2: lower source position with a later source timestamp (the source was made anew)',
      position(['t', 0, 9, 7], [40, 6]),
      position(['t', 0, 8, 5], [50, 5]),
      false,
    ],
    ['2: over partitions', position(['t', 1, 99, 9], [40, 5]), position(['t', 0, 8, 5], [50, 5]), true],
    // Rule 3: same partition, equal or missing source positions.
    ['3: lower offset, same timestamp', position(['t', 0, 7, 5]), position(['t', 0, 8, 5]), true],
    ['3: lower offset, earlier timestamp', position(['t', 0, 7, 4], [50, 5]), position(['t', 0, 8, 5], [50, 5]), true],
    ['3: lower offset, later timestamp (the topic was made anew)', position(['t', 0, 7, 6]), position(['t', 0, 8, 5]), false],
    ['3: the same offset', position(['t', 0, 8, 5]), position(['t', 0, 8, 5]), false],
    ['3: higher offset, earlier timestamp', position(['t', 0, 9, 4]), position(['t', 0, 8, 5]), false],
    ['3: one source position is missing', position(['t', 0, 7, 5]), position(['t', 0, 8, 5], [1, 1]), true],
    // Rule 4: other partitions or topics.
    ['4: strictly earlier', position(['t', 1, 99, 4]), position(['t', 0, 8, 5]), true],
    ['4: at the same time', position(['t', 1, 0, 5]), position(['t', 0, 8, 5]), false],
    ['4: one source position is missing', position(['t', 1, 99, 4], [99, 9]), position(['t', 0, 8, 5]), true],
    ['4: equal source positions', position(['t', 1, 0, 5], [50, 5]), position(['t', 0, 8, 5], [50, 5]), false],
    ['4: another topic', position(['u', 0, 0, 4]), position(['t', 0, 8, 5]), true],
  ])('V3: rule %s', (_rule, event, remembered, before) => {
    expect(isBefore(event, remembered)).toBe(before);
  });

  it('compares past 2^53', () => {
    const at = (offset: bigint): StoredPosition => ({ ...position(['t', 0, 0, 0]), offset });
    expect(isBefore(at(9_007_199_254_740_992n), at(9_007_199_254_740_993n))).toBe(true);
  });
});

describe('what is remembered', () => {
  it("takes the event's position, and keeps a source position that it lacks, with its timestamp", () => {
    const remembered = position(['t', 0, 8, 5], [50, 3], true);
    expect(advancePosition(position(['u', 1, 2, 9]), remembered)).toEqual({
      ...position(['u', 1, 2, 9]),
      sourcePosition: 50n,
      sourceTimestamp: 3n,
    });
    expect(advancePosition(position(['u', 1, 2, 9], [40, 9]), remembered)).toEqual(position(['u', 1, 2, 9], [40, 9]));
    expect(advancePosition(null, remembered)).toBe(remembered);
    expect(advancePosition(remembered, null)).toBe(remembered);
  });

  it("reads a position as it is sent: the source timestamp goes with the source position, or the record's own does", () => {
    const sent = { topic: 't', partition: 0, offset: '17', timestamp: '5', snapshot: false };
    expect(readPosition({ ...sent, source_position: '9007199254740993', source_timestamp: '4' })).toEqual({
      ...position(['t', 0, 17, 5]),
      sourcePosition: 9_007_199_254_740_993n,
      sourceTimestamp: 4n,
    });
    expect(readPosition({ ...sent, source_position: '50' }).sourceTimestamp).toBe(5n);
    expect(readPosition({ ...sent, source_timestamp: '4' })).toEqual(position(['t', 0, 17, 5]));
  });
});

describe('the same record, the same change', () => {
  const stored = position(['t', 0, 8, 5], [50, 3]);
  it.each<[string, StoredPosition, boolean, boolean]>([
    ['the same record', position(['t', 0, 8, 5], [50, 3]), true, true],
    ['the same record, now with no source position', position(['t', 0, 8, 5]), true, true],
    ['sent again at another offset', position(['t', 0, 12, 9], [50, 3]), false, true],
    ['another change at that offset of a new topic', position(['t', 0, 8, 9], [60, 9]), false, false],
    ['the same source position of a source made anew', position(['t', 0, 12, 9], [50, 9]), false, false],
    ['another partition', position(['t', 1, 8, 5], [50, 3]), false, false],
  ])('%s', (_what, event, samePosition, sameChange) => {
    expect(isSamePosition(event, stored)).toBe(samePosition);
    expect(isSameChange(event, stored)).toBe(sameChange);
  });
  it('is never that of no position', () => {
    expect(isSamePosition(stored, null)).toBe(false);
    expect(isSameChange(position(['t', 0, 8, 5]), position(['t', 0, 9, 5]))).toBe(false);
  });
});

describe('timeOfEvent', () => {
  const sent = { topic: 't', partition: 0, offset: '17', timestamp: '2000', snapshot: false };
  const arrival = new Date(9000);
  it('is the source timestamp, else the record timestamp, else the arrival', () => {
    expect(timeOfEvent({ ...sent, source_timestamp: '1000' }, arrival)).toEqual(new Date(1000));
    expect(timeOfEvent(sent, arrival)).toEqual(new Date(2000));
    expect(timeOfEvent(undefined, arrival)).toBe(arrival);
    expect(timeOfEvent({ ...sent, source_timestamp: '-1', timestamp: '8640000000000001' }, arrival)).toBe(arrival);
    expect(timeOfEvent({ ...sent, source_timestamp: '253402300799999' }, arrival).toISOString()).toBe('9999-12-31T23:59:59.999Z');
    expect(timeOfEvent({ ...sent, source_timestamp: '253402300800000' }, arrival)).toEqual(new Date(2000));
  });
});
