import { describe, expect, it } from '@jest/globals';
import { BenchError } from '../bench-error.js';
import { median, percentile } from './percentile.js';

const hundred = Array.from({ length: 100 }, (_, index) => 100 - index); // 100 down to 1

describe('percentile', () => {
  it.each([
    [[10, 9, 100], 50, 10], // by size, not as text
    [[7], 99, 7],
    [[1, 2, 3, 4], 99, 4],
  ])('of %j at %d is %d', (values, percent, expected) => {
    expect(percentile(values, percent)).toBe(expected);
  });
  it.each([
    [50, 50],
    [99, 99],
    [100, 100],
    [0, 1],
  ])('of 1 to 100 at %d is %d', (percent, expected) => {
    expect(percentile(hundred, percent)).toBe(expected);
  });
  it('is an error of nothing', () => {
    expect(() => percentile([], 50)).toThrow(BenchError);
  });
});

describe('median', () => {
  it.each([
    [[3, 1, 20], 3],
    [[10, 2, 1, 100], 6],
    [[5], 5],
  ])('of %j is %d', (values, expected) => {
    expect(median(values)).toBe(expected);
  });
  it('is an error of nothing', () => {
    expect(() => median([])).toThrow(BenchError);
  });
});
