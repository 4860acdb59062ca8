import { describe, expect, it } from '@jest/globals';
import type { MappingSettings } from '../../config/settings.js';
import { envelopeOf, mapRecord, recordedTopic, recordOf, refusalOf } from '../../testing/records.js';

const map = (after: string, settings: Partial<MappingSettings> = {}) =>
  mapRecord(recordOf('{"id":1}', envelopeOf(after)), settings);
const eventOf = (after: string, settings: Partial<MappingSettings> = {}) => {
  const mapped = map(after, settings);
  if (mapped.kind !== 'event') throw new Error(`ignored ${mapped.reason}`);
  return mapped.event;
};
const documentOf = (after: string, settings: Partial<MappingSettings> = {}) => {
  const event = eventOf(after, settings);
  if (event.op !== 'upsert') throw new Error(event.op);
  return event.document;
};
const two = { textFields: ['a', 'b'] };

describe('S8: blanked rows and rows that lack columns', () => {
  it('a row of a topic without any configured text column is refused, and removes nothing', () => {
    const refusal = refusalOf(recordOf('{"id":1}', envelopeOf('{"a":"text"}')), { textFields: [] });
    expect(refusal).toMatchObject({ code: 'columns_missing', identity: { key: 'id=1' } });
  });
  it.each(['null', '""', '"  \\n\\t"', '"\u00a0"', '[]', '[null]'])(
    'a row whose every text column is empty (%s) is removed',
    (empty) => {
      expect(eventOf(`{"a":${empty},"b":null}`, two)).toMatchObject({
        op: 'delete',
        reason: 'blanked',
        document: { key: 'id=1' },
      });
    },
  );

  it.each([
    ['no configured column at all', '{"id":1,"c":"text"}', '"a", "b"'],
    ['one missing, the other empty', '{"a":"","c":"text"}', '"b"'],
    ['one missing, the other null', '{"b":null}', '"a"'],
  ])('%s never removes anything', (_title, after, named) => {
    const error = refusalOf(recordOf('{"id":1}', envelopeOf(after)), two);
    expect(error).toMatchObject({ code: 'columns_missing', stage: 'TASK_PUT' });
    expect(error.identity).toEqual({ source: 'app.public.documents', key: 'id=1' });
    expect(error.message).toContain(`no column ${named}`);
  });

  it('a column called like something that every object has is missing too', () => {
    expect(() => map('{"id":1}', { textFields: ['constructor'] })).toThrow(/no column "constructor"/);
    expect(() => map('{"id":1}', { textFields: ['__proto__'] })).toThrow(/no column "__proto__"/);
    expect(documentOf('{"__proto__":"text"}', { textFields: ['__proto__'] }).sections).toEqual([
      { name: '__proto__', text: 'text' },
    ]);
  });

  it('a column that is missing while others have text is counted', () => {
    const mapped = map('{"a":"text"}', {
      ...two,
      titleField: 't',
      metadataFields: ['m', 't'],
      aclField: 'r',
      uriTemplate: 'https://x/${u}',
    });
    expect(mapped).toMatchObject({ missingColumns: ['b', 't', 'u', 'm', 'r'] });
    expect(
      documentOf('{"a":"text"}', {
        ...two,
        titleField: 't',
        metadataFields: ['m'],
        aclField: 'r',
        uriTemplate: 'https://x/${u}',
      }),
    ).toEqual({
      source: 'app.public.documents',
      key: 'id=1',
      title: null,
      uri: null,
      sections: [{ name: 'a', text: 'text' }],
      metadata: {},
      acl: [],
    });
  });

  it('a blanked row is removed even where another configured column was not sent', () => {
    const event = eventOf('{"body":" ","m":"__debezium_unavailable_value"}', { metadataFields: ['m'] });
    expect(event).toMatchObject({ op: 'delete', reason: 'blanked' });
  });

  it('text that was not sent is not empty', () => {
    const event = eventOf('{"a":"","b":"__debezium_unavailable_value"}', { ...two, unavailablePolicy: 'keep' });
    expect(event).toMatchObject({ op: 'upsert', document: { sections: [], unchanged: ['/sections/b'] } });
  });
});

describe('the parts of a document', () => {
  it('sections stand in configured order, empty ones left out, text as it is', () => {
    const document = documentOf('{"b":" two\\n","a":"one","c":""}', { textFields: ['c', 'b', 'a'] });
    expect(document.sections).toEqual([
      { name: 'b', text: ' two\n' },
      { name: 'a', text: 'one' },
    ]);
  });

  it.each([
    ['a number', '9007199254740993.10', '9007199254740993.10'],
    ['a boolean', 'false', 'false'],
    ['an array', '["one",2,null,true]', 'one\n2\n\ntrue'],
    ['an object', '{"b":1.50,"a":["x"]}', '{"b":1.50,"a":["x"]}'],
    ['an array of objects', '[{"a":1}]', '[{"a":1}]'],
  ])('S7: a text column that is %s is readable exact text', (_title, value, text) => {
    expect(documentOf(`{"body":${value}}`).sections).toEqual([{ name: 'body', text }]);
  });

  it.each([
    ['S7: a number', '9007199254740993', '9007199254740993'],
    ['S7: a decimal with zeros', '1.10', '1.10'],
    ['text', '"ops"', 'ops'],
    ['an empty text', '""', ''],
    ['a boolean', 'true', true],
    ['null', 'null', null],
    ['an array', '["a",1,null,false]', ['a', '1', null, false]],
    ['an array in an array', '[[1,2.0],"x"]', ['[1,2.0]', 'x']],
    ['an object', '{"a":1.0}', '{"a":1.0}'],
  ])('metadata that is %s', (_title, value, expected) => {
    expect(documentOf(`{"body":"x","m":${value}}`, { metadataFields: ['m'] }).metadata).toEqual({ m: expected });
  });

  it.each([
    ['null', '[]'],
    ['""', '[]'],
    ['"  "', '[]'],
    ['[]', '[]'],
    ['[null,""]', '[]'],
    ['"group:ops"', '["group:ops"]'],
    ['["group:ops",null,"b"]', '["group:ops","b"]'],
    ['7', '["7"]'],
    ['"[\\"a\\"]"', '["[\\"a\\"]"]'],
  ])('readers from %s: %s', (value, expected) => {
    expect(JSON.stringify(documentOf(`{"body":"x","acl":${value}}`, { aclField: 'acl' }).acl)).toBe(expected);
  });

  it.each(['{"a":1}', '[["a"]]'])('readers that are no groups (%s) are refused, never made public', (value) => {
    const record = recordOf('{"id":1}', envelopeOf(`{"body":"x","acl":${value}}`));
    expect(refusalOf(record, { aclField: 'acl' })).toMatchObject({ code: 'acl_form', identity: { key: 'id=1' } });
  });

  it('without an ACL column a document is public, and without a title column it has no title', () => {
    expect(documentOf('{"body":"x"}')).toMatchObject({ acl: null, title: null, uri: null, metadata: {} });
  });

  it.each([
    ['"A title"', 'A title'],
    ['null', null],
    ['"  "', null],
    ['42', '42'],
  ])('title from %s', (value, expected) => {
    expect(documentOf(`{"body":"x","t":${value}}`, { titleField: 't' }).title).toBe(expected);
  });

  it.each([
    ['{"body":"x","id":9007199254740993,"s":"a b/ü?&"}', 'https://x/9007199254740993/a%20b%2F%C3%BC%3F%26#c'],
    ['{"body":"x","id":1,"s":null}', null],
    ['{"body":"x","id":1}', null],
  ])('the address of %s', (after, expected) => {
    expect(documentOf(after, { uriTemplate: 'https://x/${id}/${s}#c' }).uri).toBe(expected);
  });
});

describe('logical types, with a schema', () => {
  const kinds = recordedTopic('json-schema-envelope', 'app.public.kinds');
  const metadataOf = (index: number, metadataFields: string[]) => {
    const mapped = mapRecord(kinds[index]!, { textFields: ['id'], metadataFields });
    return mapped.kind === 'event' && mapped.event.op === 'upsert' ? mapped.event.document.metadata : undefined;
  };

  it('S7: become the exact text that a person reads', () => {
    // What psql showed for the row: see the recording's statements and types.
    const expected = {
      b: true,
      i2: '-7',
      r: '1.5',
      d: '0.1',
      n: '123.4567890123',
      dt: '2026-02-03',
      tm: '23:59:58.123456',
      ts: '2026-02-03T04:05:06.789012',
      ts3: '2026-02-03T04:05:06.789',
      tz: '2026-02-02T23:05:06.789012Z',
      tmz: '02:05:06Z',
      iv: '367 days 09:04:05.6',
      j: '{"a": 1}',
      xm: '<a>b</a>',
      en: 'bad',
      pt: 'POINT(1.5 2.0)',
      m: '12.34',
      bits: '1010101010',
      bi: ['1', '9007199254740993'],
      nums: ['1.10', null],
      ch: 'ab   ',
    };
    expect(metadataOf(0, Object.keys(expected))).toEqual(expected);
    // 1e20, as psql shows a numeric without a scale.
    expect(metadataOf(3, ['n'])).toEqual({ n: '100000000000000000000' });
  });

  it('without a schema what is ambiguous stays as it arrived', () => {
    const [plain] = recordedTopic('json-envelope', 'app.public.kinds');
    const mapped = mapRecord(plain!, { textFields: ['id'], metadataFields: ['m', 'dt', 'ts', 'n', 'bits'] });
    expect(mapped).toMatchObject({
      event: {
        document: {
          metadata: {
            m: 'BNI=',
            dt: '20487',
            ts: '1770091506789012',
            n: '{"scale":10,"value":"AR9x+wTL"}',
            bits: 'qgI=',
          },
        },
      },
    });
  });

  it('keys stay the primitives of the wire, whatever the converter knows', () => {
    const schema = '{"type":"struct","fields":[{"type":"int32","name":"io.debezium.time.Date","field":"day"}]}';
    const withSchema = recordOf(`{"schema":${schema},"payload":{"day":20487}}`, null);
    expect(mapRecord(withSchema)).toMatchObject({ event: { document: { key: 'day=20487' } } });
    expect(mapRecord(recordOf('{"day":20487}', null))).toMatchObject({ event: { document: { key: 'day=20487' } } });
  });

  it('infinity is said as such', () => {
    expect(metadataOf(3, ['r', 'd', 'dt', 'ts', 'tz'])).toEqual({
      r: 'NaN',
      d: 'Infinity',
      dt: 'infinity',
      ts: 'infinity',
      tz: '-infinity',
    });
  });
});
