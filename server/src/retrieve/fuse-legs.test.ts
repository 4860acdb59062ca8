import { describe, expect, it } from '@jest/globals';
import { fuseLegs } from './fuse-legs.js';

const half = { lexical: 0.5, vector: 0.5 };
const hits = (scores: Record<string, number>): { chunkId: string; score: number }[] =>
  Object.entries(scores).map(([chunkId, score]) => ({ chunkId, score }));

describe('fuseLegs', () => {
  it('weighs each leg’s scores between its minimum and maximum', () => {
    // lexical 10, 6, 2 → 1, 0.5, 0; vector 0.9, 0.5 → 1, 0
    const fused = fuseLegs(hits({ 1: 10, 2: 6, 3: 2 }), hits({ 2: 0.9, 3: 0.5 }), { lexical: 0.4, vector: 0.6 }, 100);
    expect(fused.map(({ chunkId }) => chunkId)).toEqual(['2', '1', '3']);
    expect(fused[0]?.score).toBeCloseTo(0.4 * 0.5 + 0.6 * 1);
    expect(fused[1]?.score).toBeCloseTo(0.4);
    expect(fused[2]?.score).toBe(0);
  });

  it('counts a single hit of a leg, and equal ones, in full', () => {
    expect(fuseLegs(hits({ 7: 0.2 }), [], half, 100)).toEqual([{ chunkId: '7', score: 0.5 }]);
    expect(fuseLegs(hits({ 7: 3, 8: 3 }), [], half, 100).map(({ score }) => score)).toEqual([0.5, 0.5]);
  });

  it('keeps every score between 0 and 1, and what lies beyond the depth behind the rest, in its order', () => {
    const fused = fuseLegs(hits({ 1: 9, 2: 8, 3: 4, 4: 2 }), [], { lexical: 1, vector: 0 }, 2);
    expect(fused.map(({ chunkId }) => chunkId)).toEqual(['1', '2', '3', '4']);
    expect(fused.map(({ score }) => score)).toEqual([1, 0, 0, 0]);
  });

  it('orders ties by chunk id as a number', () => {
    expect(fuseLegs(hits({ 10: 1, 9: 1 }), [], half, 100).map(({ chunkId }) => chunkId)).toEqual(['9', '10']);
  });

  it('gives nothing for nothing', () => {
    expect(fuseLegs([], [], half, 100)).toEqual([]);
  });
});
