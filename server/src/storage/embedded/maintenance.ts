import type { Logger } from '@ossian/shared';
import type { Pool } from 'pg';

const everyMilliseconds = 60_000;

/**
 * The embedded database has no autovacuum: without this, changed rows would pile up for ever and the planner would know nothing of
 * the tables. The thresholds are those of Postgres's own autovacuum; one table at a time, each statement by itself, so that requests
 * come in between.
 *
 * @returns names of the tables that were looked after.
 */
export async function maintainTables(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string; vacuum: boolean }>(
    `SELECT format('%I.%I', schemaname, relname) AS name,
            n_dead_tup > 50 + 0.2 * n_live_tup OR n_ins_since_vacuum > 1000 + 0.2 * n_live_tup AS vacuum
       FROM pg_stat_user_tables
      WHERE n_dead_tup > 50 + 0.2 * n_live_tup OR n_ins_since_vacuum > 1000 + 0.2 * n_live_tup
         OR n_mod_since_analyze > 50 + 0.1 * n_live_tup
      ORDER BY n_dead_tup DESC`,
  );
  for (const { name, vacuum } of rows) await pool.query(`${vacuum ? 'VACUUM (ANALYZE)' : 'ANALYZE'} ${name}`);
  return rows.map((row) => row.name);
}

/** Looks after the tables from time to time; the function that is returned stops it and waits for what is under way. */
export function startMaintenance(pool: Pool, logger: Logger): () => Promise<void> {
  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(async () => {
      try {
        const tables = await maintainTables(pool);
        if (tables.length > 0) logger.debug({ tables }, 'tables vacuumed and analysed');
      } catch (error) {
        logger.warn({ err: error }, 'the maintenance of the embedded database failed; it will be tried again');
      }
    });
  }, everyMilliseconds).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
