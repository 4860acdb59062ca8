import { describe, expect, it } from '@jest/globals';
import type { ConverterSettings } from '../config/settings.js';
import { RecordError } from '../errors/record-error.js';
import { ExactNumber } from '../record/sink-record.js';
import { recordedTopic, recordOf } from '../testing/records.js';
import { convertRecord } from './convert-record.js';
import { JsonConverter } from './json/convert-json.js';

const json = (schemasEnable = true): ConverterSettings => ({ kind: 'json', schemasEnable });
const both = (settings: ConverterSettings) => ({ keyConverter: settings, valueConverter: settings });
const schema = (...names: string[]): string =>
  `{"type":"struct","fields":[${names.map((name) => `{"type":"int64","field":"${name}"}`).join(',')}]}`;
function refusal(key: Uint8Array | null, value: Uint8Array | null, settings = json()): RecordError {
  try {
    convertRecord({ ...recordOf(null, null), key, value }, both(settings));
  } catch (error) {
    if (RecordError.is(error)) return error;
    throw error;
  }
  throw new Error('it was not refused');
}
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('convertRecord', () => {
  it('keeps coordinates, and null stays null', () => {
    const record = recordOf(null, null, [], { topic: 't', partition: 3, offset: 9007199254740993n, timestamp: -1n });
    expect(convertRecord(record, both(json()))).toEqual({
      coordinates: { topic: 't', partition: 3, offset: 9007199254740993n, timestamp: -1n },
      key: null,
      value: null,
      headers: [],
    });
  });

  it.each([true, false])('sees by itself whether there is a schema, with schemas.enable %s', (schemasEnable) => {
    const settings = both(json(schemasEnable));
    const withSchema = convertRecord(recordOf('{"id":1}', `{"schema":${schema('a')},"payload":{"a":1}}`), settings);
    expect(withSchema.value).toEqual({ a: new ExactNumber('1') });
    expect(withSchema.valueSchema?.fields?.get('a')).toEqual({ type: 'int64', optional: false });
    expect(withSchema.key).toEqual({ id: new ExactNumber('1') });
    const plain = convertRecord(recordOf('1', '{"a":1}'), settings);
    expect(plain).toMatchObject({ key: new ExactNumber('1'), value: { a: new ExactNumber('1') } });
    expect(plain.valueSchema).toBeUndefined();
  });

  it('a row with columns called schema and payload is a row', () => {
    const value = (text: string, schemasEnable: boolean) => convertRecord(recordOf(null, text), both(json(schemasEnable))).value;
    expect(value('{"schema":"public","payload":"x"}', true)).toEqual({ schema: 'public', payload: 'x' });
    expect(value('{"schema":{"type":"note"},"payload":"x"}', true)).toEqual({ schema: { type: 'note' }, payload: 'x' });
    expect(value('{"schema":null,"payload":"x"}', false)).toEqual({ schema: null, payload: 'x' });
    expect(value('{"schema":null,"payload":"x"}', true)).toBe('x');
  });

  it('a remembered schema gives what reading the whole text gives', () => {
    const topic = recordedTopic('json-schema-envelope', 'app.public.documents');
    const remembering = new JsonConverter(true);
    for (const record of topic) {
      if (record.value === null) continue;
      const text = new TextDecoder().decode(record.value);
      expect(remembering.convert(text)).toEqual(new JsonConverter(true).convert(text));
    }
    // After a schema has been seen: a payload that is no JSON, cut off, or followed by more is refused as ever.
    const known = `{"schema":${schema('a')},"payload":`;
    expect(remembering.convert(`${known}{"a":1}}`).value).toEqual({ a: new ExactNumber('1') });
    expect(remembering.convert(`${known}null}`)).toMatchObject({ value: null });
    for (const rest of ['', '}', '{"a":1}', '{"a":1}}}', '{"a":1},"payload":2}', '1} ']) {
      const outcome = (converter: JsonConverter): unknown => {
        try {
          return converter.convert(known + rest);
        } catch {
          return 'refused';
        }
      };
      expect([rest, outcome(remembering)]).toEqual([rest, outcome(new JsonConverter(true))]);
    }
  });

  it('a column’s text that looks like the end of a schema does no harm', () => {
    const converter = new JsonConverter(true);
    const odd = `{"schema":{"type":"string","doc":",\\"payload\\":"},"payload":"a"}`;
    expect([1, 2].map(() => converter.convert(odd).value)).toEqual(['a', 'a']);
  });

  it('strings and bytes', () => {
    expect(convertRecord(recordOf('k', 'v'), both({ kind: 'string', schemasEnable: true }))).toMatchObject({
      key: 'k',
      value: 'v',
    });
    expect(convertRecord(recordOf('k', 'v'), both({ kind: 'bytes', schemasEnable: true })).value).toEqual(bytes('v'));
  });

  it('a byte order mark is no part of the value', () => {
    expect(convertRecord({ ...recordOf(null, null), value: bytes('\ufeff{"a":"b"}') }, both(json())).value).toEqual({ a: 'b' });
  });

  it.each<[string, Uint8Array, RegExp]>([
    ['no JSON', bytes('{"password":"hunter2"'), /21 bytes.*not JSON.*\.converter/],
    ['no bytes', new Uint8Array(), /no bytes at all/],
    ['no UTF-8', new Uint8Array([0x22, 0xff, 0x22]), /not UTF-8/],
    ['the wire format of a schema registry', new Uint8Array([0, 0, 0, 0, 7, 2, 3]), /schema registry/],
  ])('a value of %s is a bad record, and the message holds none of it', (_title, value, message) => {
    const error = refusal(bytes('{"id":1}'), value);
    expect(error).toMatchObject({ code: 'undecodable', stage: 'VALUE_CONVERTER' });
    expect(error.message).toMatch(message);
    expect(`${error.message} ${String(error.stack)}`).not.toContain('hunter2');
    expect(refusal(value, null)).toMatchObject({ code: 'undecodable', stage: 'KEY_CONVERTER' });
  });

  it('headers are JSON where they are JSON, else text, else bytes, and never fail a record', () => {
    const record = recordOf(null, null, [
      ['key', '{"id":9007199254740993}'],
      ['op', 'd'],
      ['op', 'd'],
      ['broken', '{"a"'],
      ['number', '7'],
      ['word', 'nullable'],
    ]);
    const odd = {
      ...record,
      headers: [...record.headers, { name: 'raw', value: new Uint8Array([255]) }, { name: 'none', value: null }],
    };
    expect(convertRecord(odd, both(json())).headers).toEqual([
      { name: 'key', value: { id: new ExactNumber('9007199254740993') } },
      { name: 'op', value: 'd' },
      { name: 'op', value: 'd' },
      { name: 'broken', value: '{"a"' },
      { name: 'number', value: new ExactNumber('7') },
      { name: 'word', value: 'nullable' },
      { name: 'raw', value: new Uint8Array([255]) },
      { name: 'none', value: null },
    ]);
  });
});
