import { expect, it } from '@jest/globals';
import { createLogger } from '@ossian/shared';
import pg from 'pg';
import { describeEachDatabase } from '../testing/test-databases.js';
import { migrate, readMigrations } from './migrate.js';

const logger = createLogger('test', 'silent');

describeEachDatabase('a database', (getDatabase) => {
  const names = async (): Promise<string[]> => {
    const { rows } = await getDatabase().pool.query<{ name: string }>('SELECT name FROM corpora ORDER BY name');
    return rows.map((row) => row.name);
  };
  const insert = 'INSERT INTO corpora (name) VALUES ($1)';

  it('gives errors as pg gives them, and goes on after them', async () => {
    const { pool } = getDatabase();
    const error: unknown = await pool.query(insert, [null]).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(pg.DatabaseError);
    expect(error).toMatchObject({ code: '23502', column: 'name', table: 'corpora', detail: expect.any(String) as unknown });
    await expect(pool.query('SELECT 1; SELECT 1/0')).rejects.toMatchObject({ code: '22012' });
    await expect(pool.query('SELECTT $1', [1])).rejects.toMatchObject({ code: '42601' });
    expect((await pool.query<{ sum: number }>('SELECT 1 + $1::int AS sum', [2])).rows).toEqual([{ sum: 3 }]);
  });

  it('rolls back a transaction whose work fails, and keeps what others commit before, after and at the same time', async () => {
    const database = getDatabase();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 9 }, (_, index) =>
        database.transaction(async (transaction) => {
          await transaction.query(insert, [`batch-${index}`]);
          if (index % 3 === 1) await transaction.query('SELECT 1/0');
          if (index % 3 === 2) throw new Error('not the database');
        }),
      ),
    );
    expect(outcomes.map((outcome) => outcome.status === 'fulfilled')).toEqual(
      Array.from({ length: 9 }, (_, index) => index % 3 === 0),
    );
    await database.pool.query(insert, ['after']);
    expect(await names()).toEqual(['after', 'batch-0', 'batch-3', 'batch-6']);
  });

  it('does not acknowledge a COMMIT that rolled back', async () => {
    const lost = getDatabase().transaction(async (transaction) => {
      await transaction.query(insert, ['lost']);
      await transaction.query('SELECT 1/0').catch(() => undefined);
    });
    await expect(lost).rejects.toMatchObject({ name: 'CommitLostError' });
    expect(await names()).not.toContain('lost');
  });

  it('carries 20 MB in and out', async () => {
    const text = 'é'.repeat(10_000_000);
    const { rows } = await getDatabase().pool.query<{ text: string }>('SELECT $1::text AS text', [text]);
    expect(rows[0]!.text === text).toBe(true);
  });

  it('migrates once, in order, and again without effect', async () => {
    await migrate(getDatabase(), logger);
    const { rows } = await getDatabase().pool.query<{ version: number }>(
      'SELECT version FROM schema_migrations ORDER BY version',
    );
    expect(rows.map((row) => row.version)).toEqual(readMigrations().map((migration) => migration.version));
  });

  it('leaves nothing of a migration that fails', async () => {
    const broken = [...readMigrations(), { version: 9000, name: 'broken', sql: 'CREATE TABLE half (id int); SELECT 1/0' }];
    await expect(migrate(getDatabase(), logger, broken)).rejects.toMatchObject({ code: '22012' });
    const { rows } = await getDatabase().pool.query(
      "SELECT to_regclass('half') AS half, (SELECT count(*)::int FROM schema_migrations WHERE version = 9000) AS noted",
    );
    expect(rows).toEqual([{ half: null, noted: 0 }]);
  });

  it('refuses a schema that is newer than the code', async () => {
    const { pool } = getDatabase();
    await pool.query("INSERT INTO schema_migrations (version, name) VALUES (9999, 'from_the_future')");
    await expect(migrate(getDatabase(), logger)).rejects.toMatchObject({
      code: 'schema_newer',
      message: expect.stringMatching(/schema version 9999 .* start that version/s) as unknown,
    });
    await pool.query('DELETE FROM schema_migrations WHERE version = 9999');
  });
});
