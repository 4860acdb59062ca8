import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Stack, startStack } from './index.js';
import { waitUntil } from './kafka-client.js';
import { TestDatabase } from './test-database.js';

const program = fileURLToPath(new URL('../../bin/stack.js', import.meta.url));
const suite = process.env['OSSIAN_TEST_KAFKA'] === undefined ? describe.skip : describe;

/** Processes whose command line names the text, this one and ps aside. */
function processesNaming(text: string): string[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.includes(text));
}

suite('the stack command', () => {
  const onTestEnd: (() => void)[] = [];
  afterEach(() => {
    for (const end of onTestEnd.splice(0)) end();
  });

  it('leaves no process and no folder when its owner is killed with -9', async () => {
    const mark = `mark-${randomUUID()}`;
    const inner = `console.log(process.env.OSSIAN_TEST_STACK_FOLDER); setInterval(() => {}, 1e9) // ${mark}`;
    // As "npm test" does: the command starts another, in which the tests run.
    const code = `require('node:child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(inner)}], { stdio: 'inherit' })`;
    const owner = spawn(process.execPath, [program, 'run', '--', process.execPath, '-e', code], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let output = '';
    owner.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    onTestEnd.push(() => {
      owner.stdout.destroy();
      for (const line of processesNaming(mark)) process.kill(Number.parseInt(line, 10), 'SIGKILL');
    });
    await waitUntil(() => Promise.resolve(output.includes('\n')), 'the command to run', 60_000);
    const folder = output.trim();
    expect(processesNaming(folder)).toHaveLength(4); // broker, worker, two Postgres
    expect(processesNaming(mark)).toHaveLength(3); // the owner, the command, and what that has started
    owner.kill('SIGKILL');
    await waitUntil(
      () => Promise.resolve(processesNaming(folder).length === 0 && !existsSync(folder)),
      'everything to end',
      10_000,
    );
    expect(processesNaming(mark)).toEqual([]);
  }, 90_000);

  it("passes the command's exit code on and stops what it started", async () => {
    const code = 'process.exit(process.env.OSSIAN_TEST_DATABASE_URL.startsWith("postgres://") ? 7 : 1)';
    const owner = spawn(process.execPath, [program, 'run', 'backend-postgres', '--', process.execPath, '-e', code], {
      stdio: 'ignore',
    });
    expect(await new Promise((resolve) => owner.once('exit', resolve))).toBe(7);
  }, 60_000);
});

suite('a stack', () => {
  let stack: Stack;
  let database: TestDatabase;
  beforeAll(async () => {
    stack = await startStack({ parts: ['backend-postgres'] });
    database = await TestDatabase.create(stack.address('backend-postgres'), 'kept');
    await database.query('create table t (id int); insert into t values (1)');
  });
  afterAll(async () => {
    await database.drop();
    await stack.stop();
  });

  it('has pgvector in the backend database', async () => {
    await database.query('create extension vector');
    expect(await database.query(`select ('[1,2]'::vector <-> '[1,4]'::vector)::text as d`)).toEqual([{ d: '2' }]);
  });
  it('starts a killed part again on the same data and address', async () => {
    await stack.kill('backend-postgres');
    await expect(database.query('select 1')).rejects.toThrow();
    await stack.restart('backend-postgres');
    expect(await database.query('select id from t')).toEqual([{ id: 1 }]);
  });
  it('shows the log of a part that does not start', async () => {
    const runFolder = mkdtempSync(join(tmpdir(), 'ossian-broken-'));
    writeFileSync(join(runFolder, 'kafka'), 'a file where the data folder should be');
    try {
      await expect(startStack({ parts: ['kafka'], runFolder })).rejects.toThrow(
        /kafka.*failed[\s\S]*last lines of .*kafka-format\.log\n.*\w/,
      );
    } finally {
      rmSync(runFolder, { recursive: true });
    }
  });
});
