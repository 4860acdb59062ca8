import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type BackendDouble, misbehaviours, startBackendDouble } from '../testing/backend-double.js';
import type { RunSummary } from './run/run-summary.js';

const bin = new URL('../../bin/ossian-sink.js', import.meta.url).pathname;
interface Ended {
  code: number;
  out: string;
  err: string;
}

describe('ossian-sink run --records', () => {
  let folder: string;
  let backend: BackendDouble;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ossian-run-'));
    backend = await startBackendDouble();
  });
  afterEach(async () => {
    await backend.close();
    await rm(folder, { recursive: true });
  });

  const sink = (...words: string[]): Promise<Ended> =>
    new Promise((resolve) => {
      execFile(process.execPath, [bin, ...words], { cwd: folder }, (error, out, err) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err });
      });
    });
  const files = async (config: Record<string, string>, lines: readonly object[]): Promise<string[]> => {
    const all = {
      name: 'shop',
      topics: 't',
      'key.converter.schemas.enable': 'false',
      'value.converter.schemas.enable': 'false',
      'ossian.url': backend.url,
      'ossian.api.key': 'very-secret-key',
      'ossian.corpus': 'kb',
      'ossian.text.fields': 'body',
      ...config,
    };
    await writeFile(join(folder, 'shop.json'), JSON.stringify({ name: 'shop', config: all }));
    await writeFile(join(folder, 't.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'));
    return ['run', '--config', 'shop.json', '--records', 't.jsonl', '--json'];
  };
  const record = (offset: number, value: object | null, key: object | null = { id: offset }) => ({
    topic: 't',
    partition: 0,
    offset,
    ts: 1764550000000 + offset,
    key: key && JSON.stringify(key),
    payload: value && JSON.stringify(value),
  });
  const summary = ({ out }: Ended): RunSummary => JSON.parse(out) as RunSummary;

  it('delivers everything through the whole pipeline, without Kafka, and ends with 0; every record has ended in one way', async () => {
    const lines = [record(0, { id: 0, body: 'text' }), record(1, null), record(2, null, null)];
    const ended = await sink(...(await files({}, lines)));
    expect(ended.code).toBe(0);
    const sums = summary(ended);
    expect(sums).toMatchObject({ consumed: 3, delivered: 2, ignored: 1, dead_lettered: 0, skipped: 0, state: 'STOPPED' });
    expect(sums.delivered + sums.ignored + sums.dead_lettered + sums.skipped).toBe(sums.consumed);
    expect(backend.batches.flatMap(({ events }) => events.map(({ op }) => op))).toEqual(['upsert', 'delete']);
    expect(backend.progress.at(-1)?.partitions).toEqual([{ topic: 't', partition: 0, committed: '3', end: '3' }]);
  });

  it('leaves out the records of other topics, as `inspect` says it would, and names them', async () => {
    const other = { ...record(0, { id: 0, body: 'text' }), topic: 'other' };
    const ended = await sink(...(await files({}, [other, record(1, { id: 1, body: 'text' })])));
    expect(summary(ended)).toMatchObject({ consumed: 1, delivered: 1 });
    expect(ended.err).toMatch(/"topics":\["other"\].*does not read/);
  });

  it('with a dead letter ends with 1, and keeps the letter in a record file', async () => {
    const tolerant = { 'errors.tolerance': 'all', 'errors.deadletterqueue.topic.name': 'dlq' };
    const ended = await sink(...(await files(tolerant, [record(0, { id: 0 }), record(1, { id: 1, body: 'text' })])));
    expect(ended.code).toBe(1);
    expect(summary(ended)).toMatchObject({ consumed: 2, delivered: 1, dead_lettered: 1, refusals: { columns_missing: 1 } });
    const letters = (await readFile(join(folder, 'shop.dead-letters.jsonl'), 'utf8')).trim().split('\n');
    expect(letters).toHaveLength(1);
    expect(JSON.parse(letters[0] ?? '')).toMatchObject({ topic: 't', offset: 0, key: '{"id":0}', payload: '{"id":0}' });
  });

  it('S10: ends with 1 where the task failed, says why and what to do, and shows neither key nor content', async () => {
    backend.always = () => misbehaviours.problem(404, 'no_such_corpus');
    const ended = await sink(...(await files({}, [record(0, { id: 0, body: 'private words' })])));
    expect(ended.code).toBe(1);
    expect(summary(ended)).toMatchObject({ state: 'FAILED', consumed: 0 });
    expect(summary(ended).error).toMatch(/404 no_such_corpus.*create the corpus.*corpus kb at http/);
    expect(ended.out + ended.err).not.toMatch(/very-secret-key|private words/);
  });

  it('S6: a wrong key fails it although there is no record', async () => {
    backend.question = misbehaviours.problem(401, 'unauthorized');
    const ended = await sink(...(await files({}, [])));
    expect(ended.code).toBe(1);
    expect(summary(ended)).toMatchObject({ state: 'FAILED', error: expect.stringContaining('set ossian.api.key') });
  });

  it('ends with 1 at a line that is broken, named by file and line, before anything is delivered', async () => {
    const words = await files({}, [record(0, { id: 0, body: 'text' })]);
    await writeFile(join(folder, 't.jsonl'), `${JSON.stringify(record(0, { id: 0, body: 'text' }))}\nnonsense\n`);
    const ended = await sink(...words);
    expect(ended.code).toBe(1);
    expect(summary(ended).error).toContain('t.jsonl:2: not a line of JSON');
    expect(backend.batches).toEqual([]);
  });

  it('S9: ends with 2 where the configuration is wrong, and for a command line that is', async () => {
    const words = await files({ 'ossian.text.fields': '', nonsense: '1' }, []);
    const ended = await sink(...words);
    expect(ended.code).toBe(2);
    expect(ended.err).toContain('nonsense');
    expect((await sink('run')).code).toBe(2);
    expect((await sink('nonsense')).code).toBe(2);
  });

  it('says its version and what its commands are', async () => {
    expect((await sink('--version')).out).toMatch(/^\d+\.\d+\.\d+\n$/);
    const help = await sink('--help');
    expect(help.code).toBe(0);
    for (const command of ['run', 'validate', 'inspect', 'offsets']) expect(help.out).toContain(command);
    expect((await sink('run', '--help')).out).toContain('Examples:');
  });
});
