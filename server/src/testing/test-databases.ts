import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { createLogger } from '@ossian/shared';
import pg from 'pg';
import type { Database } from '../storage/database.js';
import { openDatabase } from '../storage/open-database.js';

const url = process.env['OSSIAN_TEST_DATABASE_URL'];
const logger = createLogger('test', 'silent');

/** Whether tests that need a Postgres run: they are left out without one, but fail where OSSIAN_STACK=required. */
export const expectsPostgres = url !== undefined || process.env['OSSIAN_STACK'] === 'required';

/** A fresh Postgres database beside the one that OSSIAN_TEST_DATABASE_URL names. */
export async function createTestPostgres(): Promise<{ url: string; drop: () => Promise<void> }> {
  if (url === undefined) throw new Error('OSSIAN_TEST_DATABASE_URL is not set');
  const name = `ossian_test_${process.pid}_${randomBytes(4).toString('hex')}`;
  const target = new URL(url);
  target.pathname = `/${name}`;
  await administer(`CREATE DATABASE ${name}`);
  return { url: target.href, drop: () => administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/**
 * Runs the block on the embedded database (in memory) and, where OSSIAN_TEST_DATABASE_URL is set, on a fresh Postgres database that
 * is dropped afterwards. Where OSSIAN_STACK=required a missing URL fails instead of being left out.
 */
export function describeEachDatabase(title: string, block: (getDatabase: () => Database) => void): void {
  describe(`${title} (embedded)`, () => {
    let database: Database | undefined;
    beforeAll(async () => {
      database = await openDatabase({ logger, onFatal: () => undefined });
    });
    afterAll(() => database?.close());
    block(() => database!);
  });
  if (url === undefined) {
    const missing = (): void => {
      throw new Error(
        'OSSIAN_STACK=required, but OSSIAN_TEST_DATABASE_URL is not set: these tests need a Postgres with pgvector',
      );
    };
    if (expectsPostgres) it(`${title} (postgres)`, missing);
    else it.skip(`${title} (postgres): OSSIAN_TEST_DATABASE_URL is not set`, missing);
    return;
  }
  describe(`${title} (postgres)`, () => {
    let database: Database | undefined;
    let drop: (() => Promise<void>) | undefined;
    beforeAll(async () => {
      const fresh = await createTestPostgres();
      drop = fresh.drop;
      database = await openDatabase({ databaseUrl: fresh.url, logger });
    });
    afterAll(async () => {
      await database?.close();
      await drop?.();
    });
    block(() => database!);
  });
}
