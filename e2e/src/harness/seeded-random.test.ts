import { describe, expect, it } from '@jest/globals';
import { seededRandom } from './seeded-random.js';

const draw = (seed: number): number[] => Array.from({ length: 1_000 }, seededRandom(seed));

describe('seededRandom', () => {
  it('gives the same numbers for the same seed, and others for another', () => {
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)[0]).not.toBe(draw(8)[0]);
  });
  it('spreads them over 0 to 1', () => {
    const tenths = new Set(draw(7).map((number) => Math.floor(number * 10)));
    expect([...tenths].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});
