import { BenchError } from '../bench-error.js';

/**
 * The smallest of the values that is not below `percent` of them (nearest rank): always one that was measured.
 *
 * @param percent from 0 to 100. @throws BenchError where there are no values.
 */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const rank = Math.max(1, Math.ceil((percent / 100) * sorted.length));
  const value = sorted[rank - 1];
  if (value === undefined) throw new BenchError('there is nothing to take a percentile of');
  return value;
}

/** The middle value, or the mean of the two in the middle. @throws BenchError where there are no values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  if (low === undefined || high === undefined) throw new BenchError('there is nothing to take a median of');
  return (low + high) / 2;
}
