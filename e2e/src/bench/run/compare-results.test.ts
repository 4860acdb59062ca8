import { describe, expect, it } from '@jest/globals';
import { compareResults } from './compare-results.js';
import type { Result } from './contender.js';

const result = (name: string, seconds: number[], cpu: number | undefined, against?: string): Result => ({
  contender: { name, ...(against === undefined ? {} : { against }), run: () => Promise.reject(new Error('not run here')) },
  measurements: seconds.map((value) => ({ rows: 20_000, seconds: value, cpu: { own: cpu } })),
});

describe('compareResults', () => {
  it('takes the ratio round by round, so that a slow round of both does not count', () => {
    const { columns, rows } = compareResults('rows', [
      result('plain', [1, 10, 2], 4),
      result('ours', [2, 20, 8], undefined, 'plain'),
    ]);
    expect(columns).toEqual(['what', 'rows/s', 'lowest to highest', 'ratio', 'own CPU s/10k']);
    expect(rows).toEqual([
      ['plain', 10_000, '2,000 to 20,000', undefined, 2],
      ['ours', 2500, '1,000 to 10,000', 0.5, undefined],
    ]);
  });
});
