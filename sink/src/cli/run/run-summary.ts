import type { TaskStatus } from '../../task/task-status.js';
import type { TaskCountsView } from '../../task/task-counts.js';

/** A connector's end, as `run` prints it. */
export interface RunSummary extends TaskCountsView {
  readonly connector: string;
  /** The worst of its tasks' states. */
  readonly state: string;
  readonly error: string | null;
  readonly seconds: number;
  readonly records_per_second: number;
}

export function summarize(connector: string, tasks: readonly TaskStatus[], milliseconds: number): RunSummary {
  const counts = addCounts(tasks.map((task) => task.counts));
  const failed = tasks.find(({ state }) => state === 'FAILED');
  return {
    connector,
    state: failed?.state ?? tasks[0]?.state ?? 'UNASSIGNED',
    error: failed?.trace ?? null,
    seconds: Math.round(milliseconds / 10) / 100,
    records_per_second: Math.round((counts.consumed * 1000) / Math.max(1, milliseconds)),
    ...counts,
  };
}

export function describeSummary(summary: RunSummary): string {
  const { connector, state, consumed, delivered, ignored, seconds } = summary;
  const outcomes = inWords(summary.outcomes);
  const kinds = inWords(summary.ignored_kinds);
  const refusals = inWords(summary.refusals);
  const missing = inWords(summary.missing_columns);
  return [
    `${connector}: ${state} after ${consumed} records in ${seconds} s (${summary.records_per_second} a second)`,
    `  delivered ${delivered}${outcomes && ` (${outcomes})`}, ignored ${ignored}${kinds && ` (${kinds})`}, ` +
      `dead-lettered ${summary.dead_lettered}, skipped ${summary.skipped}${refusals && ` (${refusals})`}`,
    ...(missing ? [`  rows without a configured column: ${missing}`] : []),
    ...(summary.retries > 0 ? [`  ${summary.requests} requests, ${summary.retries} waits before a retry`] : []),
    ...(summary.error === null ? [] : [`  ${summary.error}`]),
  ].join('\n');
}

/** One line while it runs. */
export function describeProgress(connector: string, tasks: readonly TaskStatus[]): string {
  const counts = addCounts(tasks.map((task) => task.counts));
  const lag = tasks.flatMap(({ partitions }) => partitions).reduce((sum, partition) => sum + partition.lag, 0n);
  const trace = tasks.find((task) => task.trace !== undefined)?.trace?.split('\n')[0];
  const refusals = inWords(counts.refusals);
  const sums = `${counts.consumed} records, ${counts.delivered} delivered, ${counts.ignored} ignored, ${counts.dead_lettered} dead-lettered${refusals && ` (${refusals})`}, lag ${lag}`;
  return `${connector}: ${sums}${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''}${trace === undefined ? '' : `; ${trace}`}`;
}

function addCounts(all: readonly TaskCountsView[]): TaskCountsView {
  const add = (name: NumericCount): number => all.reduce((sum, counts) => sum + counts[name], 0);
  return {
    consumed: add('consumed'),
    delivered: add('delivered'),
    ignored: add('ignored'),
    dead_lettered: add('dead_lettered'),
    skipped: add('skipped'),
    requests: add('requests'),
    retries: add('retries'),
    outcomes: addTables(all.map(({ outcomes }) => outcomes)),
    ignored_kinds: addTables(all.map(({ ignored_kinds: kinds }) => kinds)),
    refusals: addTables(all.map(({ refusals }) => refusals)),
    missing_columns: addTables(all.map(({ missing_columns: missing }) => missing)),
  };
}

type NumericCount = 'consumed' | 'delivered' | 'ignored' | 'dead_lettered' | 'skipped' | 'requests' | 'retries';

function addTables(tables: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [name, count] of tables.flatMap((table) => Object.entries(table))) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}

function inWords(table: Readonly<Record<string, number>>): string {
  return Object.entries(table)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
