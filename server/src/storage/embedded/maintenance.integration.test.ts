import { expect, it } from '@jest/globals';
import { createLogger } from '@ossian/shared';
import { openDatabase } from '../open-database.js';
import { maintainTables } from './maintenance.js';

it('vacuums what has dead rows and analyses what has changed, and then has nothing to do', async () => {
  const database = await openDatabase({ logger: createLogger('test', 'silent'), onFatal: () => undefined });
  const { pool } = database;
  await pool.query("CREATE TABLE busy AS SELECT number, repeat('x', 100) AS text FROM generate_series(1, 5000) AS number");
  await pool.query('CREATE TABLE quiet AS SELECT 1 AS number');
  await pool.query("UPDATE busy SET text = text || 'y'");
  // Counts are passed on at most once a second.
  await new Promise((resolve) => setTimeout(resolve, 1200));
  await pool.query('SELECT 1');
  const looked = await maintainTables(pool);
  expect(looked).toContain('public.busy');
  expect(looked).not.toContain('public.quiet');
  const { rows } = await pool.query(
    "SELECT n_dead_tup::int AS dead, (SELECT reltuples::int FROM pg_class WHERE relname = 'busy') AS known FROM pg_stat_user_tables WHERE relname = 'busy'",
  );
  expect(rows).toEqual([{ dead: 0, known: 5000 }]);
  expect(await maintainTables(pool)).not.toContain('public.busy');
  await database.close();
});
