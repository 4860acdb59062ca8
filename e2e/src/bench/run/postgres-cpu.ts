import type { TestDatabase } from '../../stack/index.js';
import { cpuSeconds } from './cpu-seconds.js';

/** CPU seconds of the Postgres processes that serve one database, by process. Those that have ended are not in it. */
export type PostgresCpu = ReadonlyMap<number, number>;

/** Reads them now; only where Postgres runs on this machine. */
export async function readPostgresCpu(database: TestDatabase): Promise<PostgresCpu | undefined> {
  if (!['127.0.0.1', 'localhost'].includes(new URL(database.url).hostname)) return undefined;
  const sql = 'select pid from pg_stat_activity where datname = current_database()';
  const pids = (await database.query<{ pid: number }>(sql)).map(({ pid }) => pid);
  const known = pids.flatMap((pid) => {
    const seconds = cpuSeconds(pid);
    return seconds === undefined ? [] : [[pid, seconds] as const];
  });
  return known.length === 0 ? undefined : new Map(known);
}

/** What was used between two readings; undefined where either is. */
export function usedBetween(before: PostgresCpu | undefined, after: PostgresCpu | undefined): number | undefined {
  if (before === undefined || after === undefined) return undefined;
  return [...after].reduce((sum, [pid, seconds]) => sum + seconds - (before.get(pid) ?? 0), 0);
}
