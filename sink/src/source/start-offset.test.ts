import { describe, expect, it } from '@jest/globals';
import { startOffset, type StartPolicy } from './start-offset.js';

const partition = { topic: 't', partition: 3 };
const log = { low: 10n, high: 20n };
const policy = (outOfRange: StartPolicy['outOfRange'], reset: StartPolicy['reset'] = 'earliest'): StartPolicy => ({
  outOfRange,
  reset,
});

describe('where a partition is read from', () => {
  it.each([10n, 15n, 20n])('the committed offset %s lies in the log: there', (committed) => {
    expect(startOffset(partition, committed, log, policy('fail'), true)).toEqual({ offset: committed, commit: false });
  });
  it('S1: below the log it fails with the range, the number of lost offsets and the remedy', () => {
    const start = () => startOffset(partition, 4n, log, policy('fail'), true);
    expect(start).toThrow(/offset 4 of t-3 is gone: the log holds 10 to 20, so 6 offsets were deleted/);
    expect(start).toThrow(/offsets reset --topic t --partition 3/);
  });
  it('S1: above the log it fails too: the topic was re-created', () => {
    expect(() => startOffset(partition, 21n, log, policy('fail'), true)).toThrow(/offset 21 of t-3 is beyond the log/);
  });
  it.each([
    ['earliest', 10n],
    ['latest', 20n],
  ] as const)('outside the log with %s it goes on there, says so, and commits it', (outOfRange, offset) => {
    for (const committed of [4n, 21n]) {
      const start = startOffset(partition, committed, log, policy(outOfRange), true);
      expect(start).toMatchObject({ offset, commit: true });
      expect(start.warning).toContain(String(committed));
    }
  });
  it('a new group starts by auto.offset.reset, and keeps a start at the end by committing it', () => {
    expect(startOffset(partition, undefined, log, policy('fail', 'earliest'), false)).toEqual({ offset: 10n, commit: false });
    expect(startOffset(partition, undefined, log, policy('fail', 'latest'), false)).toEqual({ offset: 20n, commit: true });
    expect(() => startOffset(partition, undefined, log, policy('fail', 'none'), false)).toThrow(/no committed offset/);
  });
  it('a partition that was added to a topic the group already reads starts at its beginning, also with latest', () => {
    expect(startOffset(partition, undefined, log, policy('fail', 'latest'), true)).toEqual({ offset: 10n, commit: false });
  });
});
