import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Logger } from '@ossian/shared';
import type { ConsumedRecord } from '../../record/consumed-record.js';
import { readRecordFiles } from '../../source/record-file.js';
import { RecordError } from '../record-error.js';
import { deadLetter } from './dead-letter.js';
import { DeadLetterFile } from './dead-letter-file.js';
import { logBadRecord } from './log-reporter.js';

const record: ConsumedRecord = {
  topic: 'shop.articles',
  partition: 3,
  offset: 9007199254740993n,
  timestamp: 1764550000123n,
  key: Buffer.from('{"id":"secret key"}'),
  value: Uint8Array.of(0, 255, 1),
  headers: [
    { name: '__op', value: Buffer.from('u') },
    { name: '__op', value: Buffer.from('u') },
  ],
};
const error = new RecordError('missing_columns', 'VALUE_CONVERTER', 'The row lacks column "body" in secret row.');
const reporter = { connector: 'shop', task: 2 };

describe('a dead letter', () => {
  it('keeps the record as it was, and adds Connect’s context headers after its own', () => {
    const letter = deadLetter(record, error, reporter);
    expect(letter).toMatchObject({ key: record.key, value: record.value, timestamp: record.timestamp });
    expect(letter.headers.slice(0, 2)).toEqual(record.headers);
    const added = letter.headers.slice(2).map(({ name, value }) => [name, new TextDecoder().decode(value ?? undefined)]);
    expect(added.filter(([name]) => name !== '__connect.errors.exception.stacktrace')).toEqual([
      ['__connect.errors.topic', 'shop.articles'],
      ['__connect.errors.partition', '3'],
      ['__connect.errors.offset', '9007199254740993'],
      ['__connect.errors.connector.name', 'shop'],
      ['__connect.errors.task.id', '2'],
      ['__connect.errors.stage', 'VALUE_CONVERTER'],
      ['__connect.errors.class.name', 'ossian.convert.ValueConverter'],
      ['__connect.errors.exception.class.name', 'RecordError'],
      ['__connect.errors.exception.message', 'The row lacks column "body" in secret row.'],
      ['__ossian.error.code', 'missing_columns'],
      ['__ossian.timestamp', '1764550000123'],
    ]);
    expect(added.some(([name]) => name === '__connect.errors.exception.stacktrace')).toBe(true);
  });
  it('in a file is a record file: it can be read again as it was, byte for byte', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ossian-letters-'));
    try {
      const path = join(folder, 'letters.jsonl');
      const letter = deadLetter(record, error, reporter);
      await new DeadLetterFile(path).write([letter]);
      const read: ConsumedRecord[] = [];
      for await (const one of readRecordFiles([path])) read.push(one);
      const plain = (one: ConsumedRecord | undefined) => ({
        ...one,
        key: [...(one?.key ?? [])],
        value: [...(one?.value ?? [])],
        headers: one?.headers.map(({ name, value }) => [name, [...(value ?? [])]]),
      });
      expect(plain(read[0])).toEqual(plain(letter));
      await expect(new DeadLetterFile(folder).write([letter])).rejects.toThrow(/cannot be written/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('the log of bad records', () => {
  const lines = (includeMessages: boolean): string => {
    const written: unknown[] = [];
    const logger = { error: (...words: unknown[]) => written.push(words) } as unknown as Logger;
    logBadRecord(logger, record, error, { reporter, includeMessages, end: 'skipped' });
    return JSON.stringify(written);
  };
  it('S10: says where the record stands and what is wrong, and none of its content', () => {
    const text = lines(false);
    for (const part of ['shop.articles', '9007199254740993', 'VALUE_CONVERTER', 'missing_columns', 'skipped']) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain('secret');
    expect(text).not.toContain('AP8B');
  });
  it('has the content where errors.log.include.messages asks for it', () => {
    expect(lines(true)).toContain('secret key');
    expect(lines(true)).toContain('AP8B');
  });
});
