import type { Cell } from '../report/format-table.js';
import { formatNumber } from '../report/format-table.js';
import { median } from '../report/percentile.js';
import type { Measurement, Result } from './contender.js';

/** Rows a second. */
const rate = ({ rows, seconds }: Measurement): number => rows / seconds;

/**
 * One table of all contenders: the median rate, the lowest and highest, the ratio to the one that each is compared with (median of the
 * rounds' own ratios), and the median CPU seconds for 10,000 rows.
 *
 * @param unit what is counted, e.g. `rows`.
 */
export function compareResults(unit: string, results: readonly Result[]): { columns: string[]; rows: Cell[][] } {
  const owners = [...new Set(results.flatMap(({ measurements }) => measurements.flatMap(({ cpu }) => Object.keys(cpu))))];
  const columns = ['what', `${unit}/s`, 'lowest to highest', 'ratio', ...owners.map((owner) => `${owner} CPU s/10k`)];
  const rows = results.map(({ contender, measurements }): Cell[] => {
    const rates = measurements.map(rate);
    const range = `${formatNumber(Math.min(...rates))} to ${formatNumber(Math.max(...rates))}`;
    const cpu = owners.map((owner) => medianCpu(measurements, owner));
    return [contender.name, median(rates), range, ratioOf(contender.against, rates, results), ...cpu];
  });
  return { columns, rows };
}

function ratioOf(against: string | undefined, rates: readonly number[], results: readonly Result[]): Cell {
  const other = results.find(({ contender }) => contender.name === against)?.measurements.map(rate);
  if (other === undefined) return undefined;
  return median(rates.flatMap((value, round) => (other[round] === undefined ? [] : [value / other[round]])));
}

function medianCpu(measurements: readonly Measurement[], owner: string): Cell {
  const known = measurements.flatMap(({ cpu, rows }) => (cpu[owner] === undefined ? [] : [(cpu[owner] / rows) * 10_000]));
  return known.length === 0 ? undefined : median(known);
}
