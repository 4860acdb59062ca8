import type { Controls } from '../benchmark.js';
import { formatNumber } from '../report/format-table.js';
import type { Contender, Measurement, Result } from './contender.js';

/**
 * Runs the contenders one after the other, as many rounds as are wanted: what disturbs the machine for a while disturbs neighbours, and
 * a ratio is taken within a round. Every second round has them in the opposite order, so that none always follows the same one.
 */
export async function takeTurns(
  contenders: readonly Contender[],
  rounds: number,
  { print, signal }: Controls,
): Promise<Result[]> {
  const results = contenders.map((contender) => ({ contender, measurements: [] as Measurement[] }));
  for (let round = 1; round <= rounds; round += 1) {
    const order = round % 2 === 1 ? results : [...results].reverse();
    for (const { contender, measurements } of order) {
      signal.throwIfAborted();
      const measurement = await contender.run(round);
      measurements.push(measurement);
      const { rows, seconds } = measurement;
      print(`round ${round}: ${contender.name}: ${formatNumber(rows / seconds)} a second (${formatNumber(seconds)} s)`);
    }
  }
  return results;
}
