import { describe, expect, it } from '@jest/globals';
import { backoffMilliseconds, retryAfterMilliseconds, sleep } from './retry.js';

describe('retryAfterMilliseconds', () => {
  const now = Date.UTC(2026, 11, 1, 8, 0, 0);
  it.each([
    ['0', 0],
    ['3', 3000],
    [' 120 ', 120_000],
    ['Tue, 01 Dec 2026 08:00:30 GMT', 30_000],
    ['Tuesday, 01-Dec-26 08:00:30 GMT', 30_000],
    ['Tue Dec  1 08:00:30 2026 GMT', 30_000],
    ['Tue, 01 Dec 2026 07:59:00 GMT', 0],
  ])('reads %j', (header, expected) => {
    expect(retryAfterMilliseconds(header, now)).toBe(expected);
  });
  it.each([undefined, null, '', 'soon', '-5', 'Tue, nonsense', '1e3'])('does not read %j', (header) => {
    expect(retryAfterMilliseconds(header, now)).toBeUndefined();
  });
});

describe('backoffMilliseconds', () => {
  it('grows to its cap, with full jitter', () => {
    const highest = (attempt: number): number => backoffMilliseconds(attempt, 300, 60_000, () => 0.999999);
    expect([0, 1, 2, 20, 5000].map(highest)).toEqual([299, 599, 1199, 59_999, 59_999]);
    expect(backoffMilliseconds(7, 300, 60_000, () => 0)).toBe(0);
  });
});

describe('sleep', () => {
  it('ends early when it is aborted, and leaves no listener', async () => {
    const abort = new AbortController();
    const waited = sleep(60_000, abort.signal);
    abort.abort();
    await waited;
    await sleep(60_000, abort.signal);
  });
});
