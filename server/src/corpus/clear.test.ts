import { expect, it } from '@jest/globals';
import { isCoveredBy } from './clear.js';
import { isBefore, type StoredPosition } from './position.js';

const numbers = [0n, 1n, 2n];
/** Every position of a small source, whose clock goes with its source positions. */
const positions = [0, 1].flatMap((partition) =>
  [false, true].flatMap((snapshot) =>
    numbers.flatMap((offset) =>
      numbers.flatMap((timestamp) =>
        [null, ...numbers].map((source): StoredPosition => {
          return { topic: 't', partition, offset, timestamp, sourcePosition: source, sourceTimestamp: source, snapshot };
        }),
      ),
    ),
  ),
);

it('V3: what is before a covered clear is before the one that covers it', () => {
  const covered = positions.flatMap((a) => positions.filter((b) => isCoveredBy(a, b)).map((b) => ({ a, b })));
  expect(covered.length).toBeGreaterThan(1000);
  const lost = covered.flatMap(({ a, b }) =>
    positions.filter((event) => isBefore(event, a) && !isBefore(event, b)).map((event) => ({ event, a, b })),
  );
  expect(lost).toEqual([]);
});

it('a clear covers itself and an earlier one of its partition, and none of another', () => {
  const clear: StoredPosition = {
    topic: 't',
    partition: 0,
    offset: 8n,
    timestamp: 5n,
    sourcePosition: 50n,
    sourceTimestamp: 5n,
    snapshot: false,
  };
  expect(isCoveredBy(clear, clear)).toBe(true);
  expect(isCoveredBy({ ...clear, offset: 7n, sourcePosition: 40n }, clear)).toBe(true);
  expect(isCoveredBy(clear, { ...clear, offset: 7n, sourcePosition: 40n })).toBe(false);
  expect(isCoveredBy({ ...clear, partition: 1 }, clear)).toBe(false);
  expect(isCoveredBy({ ...clear, sourcePosition: null, sourceTimestamp: null }, clear)).toBe(false);
});
