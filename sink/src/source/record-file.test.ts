import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { describeError } from '@ossian/shared';
import type { ConsumedRecord } from '../record/consumed-record.js';
import { parseRecordLine, readRecordFiles } from './record-file.js';

const text = (bytes: Uint8Array | null | undefined): string | null => (bytes ? Buffer.from(bytes).toString('utf8') : null);

async function collect(paths: string[]): Promise<ConsumedRecord[]> {
  const records: ConsumedRecord[] = [];
  for await (const record of readRecordFiles(paths)) records.push(record);
  return records;
}

describe('a line of a record file', () => {
  it('is what kcat -J prints, with headers as one flat array that may repeat a name', () => {
    const record = parseRecordLine(
      '{"topic":"t","partition":3,"offset":7,"tstype":"create","ts":1796092020008,"headers":["__op","u","__op","u","n",null],"key":"{\\"id\\":1}","payload":"é"}',
      'f:1',
    );
    expect(record).toMatchObject({ topic: 't', partition: 3, offset: 7n, timestamp: 1796092020008n });
    expect(text(record.key)).toBe('{"id":1}');
    expect([...(record.value ?? [])]).toEqual([0xc3, 0xa9]);
    expect(record.headers.map(({ name, value }) => [name, text(value)])).toEqual([
      ['__op', 'u'],
      ['__op', 'u'],
      ['n', null],
    ]);
  });
  it('may hold headers as pairs, timestamp and value, and bytes as base64', () => {
    const record = parseRecordLine(
      '{"topic":"t","offset":"7","timestamp":5,"headers":[["a","1"]],"key_b64":"AP8=","value_b64":"AAE="}',
      'f:1',
    );
    expect(record).toMatchObject({ partition: 0, offset: 7n, timestamp: 5n });
    expect([...(record.key ?? [])]).toEqual([0, 255]);
    expect([...(record.value ?? [])]).toEqual([0, 1]);
    expect(record.headers).toHaveLength(1);
  });
  it('S7: keeps an offset past 2^53 exact', () => {
    expect(parseRecordLine('{"topic":"t","partition":0,"offset":9007199254740993,"ts":1}', 'f:1').offset).toBe(9007199254740993n);
  });
  it.each([
    ['{"topic":"t"', 'not a line of JSON'],
    ['[]', 'not a JSON object'],
    ['{"offset":1}', '"topic" is missing'],
    ['{"topic":"t","offset":1.5}', '"offset"'],
    ['{"topic":"t","offset":1,"payload":{"a":1}}', '"payload" is not a string'],
    ['{"topic":"t","offset":1,"key_b64":"%"}', 'not base64'],
    ['{"topic":"t","offset":1,"headers":["a"]}', 'name without a value'],
  ])('that is wrong (%s) says where and what', (line, message) => {
    expect(() => parseRecordLine(line, 'notes.jsonl:12')).toThrow(/^notes\.jsonl:12: /);
    expect(() => parseRecordLine(line, 'notes.jsonl:12')).toThrow(message);
  });
  it('S10: an error never quotes the content of a broken line', () => {
    const lines = ['{"topic":"t","payload":secret}', 'secret', '{"topic":"secret" x}'];
    for (const line of lines) {
      const thrown = (() => {
        try {
          return parseRecordLine(line, 'f:1');
        } catch (error) {
          return error;
        }
      })();
      // As it is logged: with everything that caused it.
      expect(JSON.stringify(describeError(thrown))).toContain('not a line of JSON');
      expect(JSON.stringify(describeError(thrown))).not.toContain('secret');
    }
  });
});

describe('record files', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ossian-records-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const file = async (name: string, ...lines: [topic: string, partition: number, offset: number, timestamp: number][]) => {
    const path = join(folder, name);
    const json = lines.map(([topic, partition, offset, ts]) => JSON.stringify({ topic, partition, offset, ts }));
    await writeFile(path, `${json.join('\n')}\n\n`);
    return path;
  };

  it('S3: are merged by timestamp, each keeping its own order', async () => {
    const a = await file('a', ['a', 0, 0, 10], ['a', 0, 1, 30], ['a', 0, 2, 20]);
    const b = await file('b', ['b', 0, 0, 15], ['b', 0, 1, 25]);
    const records = await collect([a, b]);
    expect(records.map(({ topic, offset }) => `${topic}${offset}`)).toEqual(['a0', 'b0', 'b1', 'a1', 'a2']);
  });
  it('S3: one partition in two files comes by offset, whatever its timestamps', async () => {
    const a = await file('a', ['t', 0, 5, 40]);
    const b = await file('b', ['t', 0, 4, 50]);
    expect((await collect([a, b])).map(({ offset }) => offset)).toEqual([4n, 5n]);
  });
  it('may hold U+2028 unescaped, which is no end of a line', async () => {
    const path = join(folder, 'separator.jsonl');
    await writeFile(path, '{"topic":"t","offset":1,"payload":"a\u2028b"}');
    expect((await collect([path])).map(({ value }) => text(value))).toEqual(['a\u2028b']);
  });
  it('in which something is not UTF-8 are refused: nothing is replaced silently', async () => {
    const path = join(folder, 'latin.jsonl');
    await writeFile(
      path,
      Buffer.from('{"topic":"t","offset":1,"payload":"\u00fc"}\n{"topic":"t","offset":2,"payload":"\u00fc"}', 'latin1'),
    );
    await expect(collect([path])).rejects.toThrow(`${path}:1: not UTF-8`);
  });
  it('may have lines longer than what is read at once, with characters across the borders', async () => {
    const path = join(folder, 'long.jsonl');
    const long = `a${'\u20ac'.repeat(100_000)}`;
    const line = (offset: number) => JSON.stringify({ topic: 't', offset, payload: long });
    await writeFile(path, `${line(1)}\r\n${line(2)}`);
    expect((await collect([path])).map(({ value }) => text(value))).toEqual([long, long]);
  });
  it('that cannot be read or parsed name the file and the line', async () => {
    await expect(collect([join(folder, 'none.jsonl')])).rejects.toThrow(/none\.jsonl.*ENOENT/);
    const path = join(folder, 'broken.jsonl');
    await writeFile(path, '{"topic":"t","offset":1}\nnonsense\n');
    await expect(collect([path])).rejects.toThrow(`${path}:2: not a line of JSON`);
  });
});
