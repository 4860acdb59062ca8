import type { StoredPosition } from './position.js';

/** A truncate that is remembered: whatever of its topic stands before it is gone. */
export type Clear = StoredPosition;

/**
 * Whether every position before `a` is before `b` too, so that `a` need not be kept. Told only of clears on one partition: positions
 * of several partitions have no such order without a source position.
 */
export function isCoveredBy(a: Clear, b: Clear): boolean {
  if (a.topic !== b.topic || a.partition !== b.partition || a.snapshot !== b.snapshot) return false;
  if (a.offset > b.offset || a.timestamp > b.timestamp) return false;
  if (a.sourcePosition === null || b.sourcePosition === null) return a.sourcePosition === b.sourcePosition;
  return a.sourcePosition <= b.sourcePosition && (a.sourceTimestamp ?? a.timestamp) <= (b.sourceTimestamp ?? b.timestamp);
}
