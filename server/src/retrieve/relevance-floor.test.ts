import { describe, expect, it } from '@jest/globals';
import { isRelevant } from './relevance-floor.js';

const settings = { floorEvidence: 0.3, floorCoverage: 0.4 };
const relevant = (vectorScore: number | null, lexicalCoverage: number | null): boolean =>
  isRelevant({ vectorScore, lexicalCoverage }, settings);

describe('isRelevant', () => {
  it('takes what is near in meaning, what covers the question, and some of both', () => {
    expect(relevant(0.31, null)).toBe(true);
    expect(relevant(0, 0.6)).toBe(true);
    expect(relevant(0.2, 0.2)).toBe(true);
    expect(relevant(0.2, 0.19)).toBe(false);
    expect(relevant(0.29, null)).toBe(false);
    // An opposite meaning is evidence against.
    expect(relevant(-0.2, 0.6)).toBe(false);
  });
  it('goes by words alone while there is no vector', () => {
    expect(relevant(null, 0.4)).toBe(true);
    expect(relevant(null, 0.39)).toBe(false);
    expect(relevant(null, null)).toBe(false);
  });
});
