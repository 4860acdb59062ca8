import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Command } from 'commander';
import { loadConnector } from '../config/load-connector.js';
import { readRecordFiles } from '../source/record-file.js';
import { inspectCommand, inspectLines } from './inspect.js';
import { printLines } from './inspect/print-lines.js';
import { validateCommand } from './validate.js';

const recorded = (topic: string): string =>
  fileURLToPath(new URL(`../../fixtures/debezium/json-envelope/${topic}.jsonl`, import.meta.url));
const config = {
  name: 'shop',
  topics: 'app.public.documents,app.public.tickets,app.public.notes',
  'ossian.text.fields': 'body',
  'ossian.title.field': 'title',
  'ossian.topic.app.public.tickets.text.fields': 'subject',
  'ossian.truncate.policy': 'fail',
  'ossian.topic.app.public.notes.truncate.policy': 'ignore',
  'ossian.api.key': '${env:OSSIAN_NO_SUCH_VARIABLE}',
};
const settings = loadConnector({ path: 'shop.json', text: JSON.stringify(config) }, { purpose: 'inspect', environment: {} });
const files = ['app.public.documents', 'app.public.tickets', 'app.public.notes', 'app.message'].map(recorded);

async function lines(json: boolean): Promise<string[]> {
  const all: string[] = [];
  for await (const line of inspectLines(readRecordFiles(files), settings, json)) all.push(line);
  return all;
}
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ossian-cli-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** What a command printed. */
async function run(...args: string[]): Promise<string> {
  const written: string[] = [];
  const write = jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  try {
    const program = new Command().exitOverride();
    inspectCommand(program);
    validateCommand(program);
    await program.parseAsync(args, { from: 'user' });
  } finally {
    write.mockRestore();
  }
  return written.join('');
}

describe('inspect', () => {
  it('tells each record’s verdict, and at the end how many of each kind with the first example and what to do', async () => {
    const text = (await lines(false)).join('\n');
    expect(text).toContain(
      'app.public.documents/0@1  upsert  id=2\n    title        Document 2\n    body         13 characters  Short body 2.',
    );
    expect(text).toContain('app.public.documents/0@17  delete  id=2  (deleted, moved to id=20)');
    expect(text).toContain('app.public.documents/0@19  upsert  id=20  (moved from id=2)');
    expect(text).toMatch(/app\.public\.documents\/0@3 {2}REFUSED {2}id=1 {2}unavailable_value: .*"body"/);
    expect(text).toContain('    unchanged    /sections/body');
    expect(text).toMatch(/app\.public\.tickets\/0@14 {2}STOPS THE TASK {2}truncated: /);
    expect(text).toContain('app.public.notes/0@5  ignored  truncate');
    expect(text).toContain('app.message/0@0  ignored  other_topic');
    const summary = text.slice(text.indexOf('\n66 records'));
    expect(
      summary
        .replaceAll(/ {2,}/g, ' ')
        .split('\n')
        .filter((line) => /^ \d/.test(line)),
    ).toEqual([
      ' 11 delete: blanked',
      ' 8 delete: deleted',
      ' 8 delete: tombstone',
      ' 1 ignored: empty',
      ' 2 ignored: other_topic',
      ' 1 ignored: truncate',
      ' 4 refused: no_identity (first: app.public.notes/0@0)',
      ' 3 refused: unavailable_value (first: app.public.documents/0@3)',
      ' 1 stops the task: truncated (first: app.public.tickets/0@14)',
      ' 27 upsert',
      ' 11 without the configured column "title" (first: app.public.tickets/0@0)',
    ]);
    expect(summary).toContain('REPLICA IDENTITY FULL');
  });

  it('as JSON, one object a line', async () => {
    const parsed = (await lines(true)).map((line) => JSON.parse(line) as Record<string, unknown>);
    const at = (topic: string, offset: string) => parsed.find((line) => line.topic === topic && line.offset === offset);
    expect(parsed).toHaveLength(67);
    expect(at('app.public.documents', '1')).toMatchObject({
      verdict: 'event',
      event: { op: 'upsert', document: { key: 'id=2' } },
    });
    expect(at('app.public.documents', '3')).toMatchObject({
      verdict: 'refused',
      code: 'unavailable_value',
      stage: 'TASK_PUT',
      document: { source: 'app.public.documents', key: 'id=1' },
    });
    expect(at('app.public.notes', '0')).toMatchObject({ verdict: 'refused', code: 'no_identity' });
    expect(parsed.at(-1)).toMatchObject({ summary: { records: 66, kinds: { 'refused: unavailable_value': { count: 3 } } } });
  });

  it('a reader that has seen enough is no fault', async () => {
    const output = new Writable({
      write: (_text, _encoding, done) => {
        done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
      },
    });
    await printLines(inspectLines(readRecordFiles(files), settings, false), output);
    expect(output.destroyed).toBe(true);
  });

  it('needs neither Kafka nor a backend nor a secret', async () => {
    const path = join(folder, 'shop.json');
    writeFileSync(path, JSON.stringify(config));
    const text = await run('inspect', '--config', path, '--records', recorded('app.public.notes'));
    expect(text).toContain('6 records');
  });
});

describe('validate', () => {
  const whole = {
    ...config,
    'bootstrap.servers': 'b:9092',
    'ossian.url': 'http://h',
    'ossian.corpus': 'c',
    'ossian.api.key': 's3cret',
  };
  const file = (entries: object): string => {
    const path = join(folder, 'validated.json');
    writeFileSync(path, JSON.stringify(entries));
    return path;
  };
  it('S10: shows what holds, defaults included, and no secret', async () => {
    const text = await run('validate', '--config', file({ ...whole, 'ossian.record.format': 'flat', 'connector.class': 'X' }));
    expect(text).toContain('Connector "shop" may start.');
    expect(text).toMatch(/Warning: .*connector\.class/);
    expect(text).toMatch(/Note: .*add\.headers/);
    expect(text).toMatch(/ossian\.unavailable\.policy +refuse {2}\(default\)/);
    expect(text).toMatch(/ossian\.api\.key +\[hidden\]/);
    expect(text).not.toContain('s3cret');
  });

  it('S9: tells every fault, those of Kafka’s own values too', async () => {
    await expect(run('validate', '--config', file({ ...whole, 'ossian.corpus': 'a b', nmae: 1 }))).rejects.toMatchObject({
      exitCode: 2,
      faults: { length: 2 },
    });
    await expect(run('validate', '--config', file({ ...whole, 'security.protocol': 'TLS' }))).rejects.toThrow(
      /security\.protocol/,
    );
  });
});
