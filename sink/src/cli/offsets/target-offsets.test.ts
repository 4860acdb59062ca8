import { describe, expect, it } from '@jest/globals';
import { parseTarget } from './target-offsets.js';

describe('--to', () => {
  it('takes an end of the log, an offset, a time or milliseconds', () => {
    expect(parseTarget('earliest')).toEqual({ kind: 'earliest' });
    expect(parseTarget('9007199254740993')).toEqual({ kind: 'offset', offset: 9007199254740993n });
    expect(parseTarget('2024-02-29T08:00:00Z')).toEqual({ kind: 'time', at: 1_709_193_600_000 });
    expect(parseTarget('2026-03-01')).toEqual({ kind: 'time', at: 1_772_323_200_000 });
    expect(parseTarget('@1700000000000')).toEqual({ kind: 'time', at: 1_700_000_000_000 });
  });
  it.each(['2026-02-30', '2025-02-29T08:00:00Z', '2026-13-01', '-5', '1e3', 'Latest', '', '99999999999999999999'])(
    'takes no %j',
    (text) => {
      expect(() => parseTarget(text)).toThrow(/is none of earliest, latest, an offset/);
    },
  );
});
