import { describe, expect, it } from '@jest/globals';
import { weighTerms } from './weigh-terms.js';

const statistics = (chunks: number, terms: Record<string, number>): Parameters<typeof weighTerms>[0] => ({
  chunks,
  meanLength: 50,
  terms: Object.entries(terms).map(([term, having]) => ({ term, chunks: having })),
});

describe('weighTerms', () => {
  it('gives a rare term more weight than a common one, by ln(1 + (N − n + ½) / (n + ½))', () => {
    const { terms, questionWeight } = weighTerms(statistics(100, { day: 60, invoic: 1, mongolia: 0 }), 1000);
    expect(terms.map(({ term }) => term)).toEqual(['invoic', 'day']);
    expect(terms[0]?.weight).toBeCloseTo(4.21, 2);
    expect(terms[1]?.weight).toBeCloseTo(0.512, 3);
    // ln(202) = 5.308 for the term that no chunk holds.
    expect(questionWeight).toBeCloseTo(4.21 + 0.512 + 5.308, 2);
  });

  it('lets the rarest terms choose the candidates until they stand in enough chunks', () => {
    const { candidateTerms } = weighTerms(statistics(100_000, { common: 60_000, rare: 12, usual: 900, none: 0 }), 1000);
    expect(candidateTerms).toEqual(['rare', 'usual']);
  });

  it('lets one term choose, however common it is', () => {
    expect(weighTerms(statistics(100_000, { common: 60_000 }), 1000).candidateTerms).toEqual(['common']);
  });

  it('never gives a negative weight, even where the count is older than the terms’', () => {
    expect(weighTerms(statistics(3, { everywhere: 5 }), 1000).terms[0]?.weight).toBeGreaterThan(0);
  });

  it('chooses nothing where the corpus holds none of the terms, or there are none', () => {
    expect(weighTerms(statistics(10, { none: 0 }), 1000).candidateTerms).toEqual([]);
    expect(weighTerms(statistics(0, {}), 1000)).toEqual({ terms: [], candidateTerms: [], questionWeight: 0 });
  });
});
