import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@ossian/shared';
import pg from 'pg';
import { createTestPostgres, expectsPostgres } from '../testing/test-databases.js';
import { isDatabaseAway, isDiskFull } from './database-away.js';
import { openEmbedded } from './embedded/open-embedded.js';
import { openDatabase } from './open-database.js';

const logger = createLogger('test', 'silent');
const folder = mkdtempSync(join(tmpdir(), 'ossian-open-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A worker that says it is ready and dies at the first statement that matches. */
function dyingWorker(at: string, how = "throw new Error('no space left')"): URL {
  const path = join(folder, `worker-${at}.mjs`);
  const library = (name: string): string => new URL(import.meta.resolve(name)).href;
  writeFileSync(
    path,
    `import { parentPort } from 'node:worker_threads';
     import { PGlite } from '${library('@electric-sql/pglite')}';
     import { fromTemplate } from '${new URL('embedded/memory-template.js', import.meta.url).href}';
     const database = await PGlite.create(await fromTemplate((options) => PGlite.create(options)));
     parentPort.on('message', ({ id, type, bytes }) => {
       if (type === 'close') return database.close().then(() => parentPort.postMessage({ type: 'closed' }));
       if (Buffer.from(bytes).toString('latin1').includes('${at}')) ${how};
       parentPort.postMessage({ type: 'result', id, bytes: database.execProtocolRawSync(bytes) });
     });
     parentPort.postMessage({ type: 'ready' });`,
  );
  return pathToFileURL(path);
}

describe('openDatabase', () => {
  // Making a cluster takes seconds: one is made, where the start before was cut off while it made its own, and copied for each test.
  let made: Promise<string> | undefined;
  const startOver = async (): Promise<string> => {
    const dataDir = join(folder, 'cut-off');
    mkdirSync(join(dataDir, 'postgres'), { recursive: true });
    writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '17');
    await (await openDatabase({ dataDir, logger })).close();
    return dataDir;
  };
  const copyOfMade = async (name: string): Promise<string> => {
    const dataDir = join(folder, name);
    cpSync(await (made ??= startOver()), dataDir, { recursive: true });
    return dataDir;
  };

  it('starts over where the first start was cut off while the cluster was made', async () => {
    expect(existsSync(join(await (made ??= startOver()), 'cluster-complete'))).toBe(true);
  });

  it('keeps what it holds from one opening to the next', async () => {
    const dataDir = await copyOfMade('kept');
    const first = await openDatabase({ dataDir, logger });
    await first.pool.query("INSERT INTO corpora (name) VALUES ('kept')");
    await expect(openDatabase({ dataDir, logger })).rejects.toMatchObject({ code: 'folder_locked' });
    await first.close();
    const second = await openDatabase({ dataDir, logger });
    expect((await second.pool.query('SELECT name FROM corpora')).rows).toEqual([{ name: 'kept' }]);
    await second.close();
  });

  it('says in one line what is wrong with an embedded folder that is broken', async () => {
    const dataDir = await copyOfMade('broken');
    rmSync(join(dataDir, 'postgres', 'global'), { recursive: true });
    const error: unknown = await openDatabase({ dataDir, logger }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ name: 'DatabaseOpenError', code: 'embedded_failed' });
    expect((error as Error).message).toContain(dataDir);
  });

  it('says in one line that Postgres is out of reach, without the password', async () => {
    const error: unknown = await openDatabase({ databaseUrl: 'postgres://u:secret@127.0.0.1:9/db', logger }).catch(
      (caught: unknown) => caught,
    );
    expect(error).toMatchObject({ name: 'DatabaseOpenError', code: 'database_unreachable' });
    expect((error as Error).message).toMatch(/127\.0\.0\.1:9\/db.*ECONNREFUSED.*is it running/);
    expect((error as Error).message).not.toContain('secret');
  });
});

(expectsPostgres ? it : it.skip)('says who must create the extension where this role may not', async () => {
  const { url, drop } = await createTestPostgres();
  const administration = new pg.Client({ connectionString: url });
  await administration.connect();
  const role = new URL(url).pathname.slice(1);
  await administration.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
  const limited = new URL(url);
  limited.username = role;
  limited.password = 'secret';
  const opening = openDatabase({ databaseUrl: limited.href, logger });
  await expect(opening).rejects.toMatchObject({
    code: 'extension_missing',
    message: expect.stringMatching(/let a superuser run CREATE EXTENSION vector/) as unknown,
  });
  await administration.query(`DROP ROLE ${role}`);
  await administration.end();
  await drop();
});

describe('an embedded database that dies', () => {
  it('rejects what is pending and what comes, and tells its owner', async () => {
    const fatal: unknown[] = [];
    const workerEntry = dyingWorker('die now');
    const database = await openEmbedded({ dataDir: undefined, logger, onFatal: (error) => fatal.push(error), workerEntry });
    expect((await database.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    const pending = await Promise.allSettled([
      database.pool.query("SELECT 'die now'"),
      database.pool.query('SELECT 2'),
      database.transaction((transaction) => transaction.query('SELECT 3')),
    ]);
    expect(pending.map((outcome) => outcome.status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(pending.every((outcome) => outcome.status === 'rejected' && isDatabaseAway(outcome.reason))).toBe(true);
    expect(fatal[0]).toMatchObject({
      name: 'EmbeddedStoppedError',
      message: expect.stringContaining('no space left') as unknown,
    });
    await database.close();
  });

  it('V1: stops where Postgres ends by itself (a full disk under its log) and never answers again, and says to make room', async () => {
    const fatal: unknown[] = [];
    const panic = `E\\0\\0\\0\\x33SPANIC\\0VPANIC\\0C53100\\0MNo space left on device\\0\\0`;
    const workerEntry = dyingWorker(
      'fill up',
      `return parentPort.postMessage({ type: 'result', id, bytes: new Uint8Array(Buffer.from('${panic}')) })`,
    );
    const database = await openEmbedded({ dataDir: undefined, logger, onFatal: (error) => fatal.push(error), workerEntry });
    const pending = await Promise.allSettled([
      database.pool.query("SELECT 'fill up', $1::int", [1]),
      // Several messages, each of which meets the fault.
      database.pool.query('SELECT $1::int', [2]),
    ]);
    for (const outcome of pending) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'EmbeddedStoppedError' } });
      expect(isDiskFull((outcome as PromiseRejectedResult).reason)).toBe(true);
    }
    expect(fatal).toMatchObject([
      { message: expect.stringMatching(/PANIC No space left on device; make room on its disk/) as unknown },
    ]);
    await database.close();
  });

  it('lets no statement through once a ROLLBACK has failed, and tells its owner', async () => {
    const fatal: unknown[] = [];
    // An error instead of a rollback: the session answers, and its transaction is still open.
    const workerEntry = dyingWorker('ROLLBACK', "bytes = Buffer.from('Q\\0\\0\\0\\x0cSELECTT\\0')");
    const database = await openEmbedded({ dataDir: undefined, logger, onFatal: (error) => fatal.push(error), workerEntry });
    const work = database.transaction(async (transaction) => {
      await transaction.query('SELECT 1/0');
    });
    await expect(work).rejects.toMatchObject({ code: '22012' });
    expect(fatal).toMatchObject([{ name: 'EmbeddedStoppedError' }]);
    await expect(database.pool.query('SELECT 2')).rejects.toMatchObject({ name: 'EmbeddedStoppedError' });
    await database.close();
  });
});
