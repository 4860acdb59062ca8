/**
 * A seed for a test that draws lots: OSSIAN_TEST_SEED, else a new one. It is printed, so that a run that failed can be
 * run again.
 */
export function testSeed(title: string): number {
  const seed = Number(process.env['OSSIAN_TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  process.stderr.write(`${title}: OSSIAN_TEST_SEED=${seed}\n`);
  return seed;
}

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
