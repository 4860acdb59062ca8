import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from '@jest/globals';
import { createLogger } from '@ossian/shared';
import { openDatabase } from '../open-database.js';

const dataDir = mkdtempSync(join(tmpdir(), 'ossian-crash-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
const writer = fileURLToPath(new URL('../../testing/crash-writer.js', import.meta.url));

/** Runs the writer until it has acknowledged `count` rows, kills it with -9 and gives the last acknowledged number. */
async function writeAndKill(count: number): Promise<number> {
  const child: ChildProcess = spawn(process.execPath, [writer, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  let last = -1;
  let seen = 0;
  for await (const line of createInterface({ input: child.stdout! })) {
    last = Number(line);
    if (++seen === count) child.kill('SIGKILL');
  }
  await exited;
  expect(child.signalCode).toBe('SIGKILL');
  return last;
}

it('V1: what was acknowledged is there after kill -9 in mid-write, and a transaction is there whole or not at all', async () => {
  let last = -1;
  for (const count of [37, 150, 3]) last = Math.max(last, await writeAndKill(count));
  const database = await openDatabase({ dataDir, logger: createLogger('test', 'silent') });
  const { rows } = await database.pool.query<{ numbers: number; highest: number; halves: number }>(
    `SELECT count(*)::int AS numbers, max(number) AS highest, (sum(1 - 2 * part))::int AS halves FROM crash_rows
      WHERE length(text) = 2000`,
  );
  const settings = await database.pool.query(
    "SELECT current_setting('fsync') AS fsync, current_setting('wal_sync_method') AS method",
  );
  await database.close();
  expect(last).toBeGreaterThanOrEqual(2 * (37 + 150 + 3) - 2);
  expect(rows[0]!.highest).toBeGreaterThanOrEqual(last + 1);
  expect(rows[0]!.numbers).toBe(rows[0]!.highest + 1);
  expect(rows[0]!.halves).toBe(0);
  expect(settings.rows).toEqual([{ fsync: 'on', method: 'fsync' }]);
});
