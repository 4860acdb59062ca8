import { describe, expect, it } from '@jest/globals';
import type { MappingSettings } from '../config/settings.js';
import { mappingSettings } from '../testing/mapping-settings.js';
import { decode, envelopeOf, mapRecord, recordedTopic, recordOf, refusalOf } from '../testing/records.js';
import { identityAtBest } from './identity-at-best.js';

const row = '{"id":1,"body":"x"}';
const verdict = (
  key: string | null,
  value: string | null,
  settings: Partial<MappingSettings> = {},
  headers: [string, string][] = [],
) => {
  const mapped = mapRecord(recordOf(key, value, headers), settings);
  return mapped.kind === 'ignored' ? mapped.reason : mapped.event.op;
};

describe('records that are no rows', () => {
  const transaction = '{"status":"BEGIN","id":"1:2","event_count":null,"data_collections":null,"ts_ms":1}';
  const signal = '{"id":"s","type":"execute-snapshot","data":"{}"}';
  it.each<[string, string | null, string | null]>([
    ['transaction', '{"id":"1:2"}', transaction],
    ['transaction', '{"id":"1:2"}', transaction.replace('BEGIN', 'END')],
    ['schema_change', '{"databaseName":"db"}', '{"source":{},"ts_ms":1,"databaseName":"db","ddl":"alter","tableChanges":[]}'],
    ['schema_change', '{"databaseName":"db"}', '{"databaseName":"db","ddl":"alter"}'],
    ['notification', '{"id":"n"}', '{"id":"n","type":"STARTED","aggregate_type":"a","additional_data":null,"timestamp":1}'],
    ['heartbeat', '{"serverName":"app"}', '{"ts_ms":1}'],
    ['message', '{"prefix":"app"}', '{"op":"m","ts_ms":1,"source":{},"message":{"prefix":"app","content":"e30="}}'],
    ['signal', '{"id":"s"}', envelopeOf(signal, 'c')],
    ['signal', '{"id":"s"}', signal],
    ['signal', '{"id":"s"}', signal.replace('{', '{"__deleted":"false","__op":"c",')],
    ['empty', null, null],
  ])('%s by its shape', (kind, key, value) => {
    expect(verdict(key, value, { sideTopics: [] })).toBe(kind);
  });

  it.each([
    ['a row with a status', '{"id":1}', '{"status":"BEGIN","id":"1","body":"x"}'],
    ['a row with a transaction’s columns and more', '{"id":1}', transaction.replace('{', '{"body":"x",')],
    ['a row keyed by databaseName', '{"databaseName":"db"}', '{"databaseName":"db","body":"x"}'],
    ['a row with a column ddl', '{"id":1}', '{"id":1,"ddl":"create","body":"x"}'],
    ['a row keyed by serverName', '{"serverName":"app"}', '{"serverName":"app","ts_ms":1,"body":"x"}'],
    ['a row with a column op', '{"id":1}', '{"op":"m","body":"x","message":"hi"}'],
    ['a row like a signal of another type', '{"id":1}', '{"id":"s","type":"ticket","data":"x","body":"x"}'],
    ['a row like a signal with a column more', '{"id":1}', signal.replace('{', '{"body":"x",')],
    [
      'a row like a notification with a column more',
      '{"id":1}',
      '{"id":"n","type":"t","aggregate_type":"a","additional_data":null,"timestamp":1,"body":"x"}',
    ],
    ['a row with source and before', '{"id":1}', '{"id":1,"source":{},"before":null,"body":"x"}'],
  ])('%s is a row', (_title, key, value) => {
    expect(verdict(key, value)).toBe('upsert');
  });

  it('a table of {id, type, data} whose types are no signals is data', () => {
    expect(verdict('{"id":"s"}', '{"id":"s","type":"ticket","data":"x"}', { textFields: ['data'] })).toBe('upsert');
  });

  it('a topic is ignored by name only where it is listed', () => {
    const record = (topic: string) => recordOf('{"id":1}', row, [], { topic });
    const sideTopics = ['__debezium-heartbeat.*', 'app.side'];
    expect(mapRecord(record('__debezium-heartbeat.app'), { sideTopics })).toEqual({ kind: 'ignored', reason: 'side_topic' });
    expect(mapRecord(record('app.side'), { sideTopics })).toEqual({ kind: 'ignored', reason: 'side_topic' });
    for (const topic of ['transaction', 'app.side2', 'appXside', 'x__debezium-heartbeat.app']) {
      expect(mapRecord(record(topic), { sideTopics }).kind).toBe('event');
    }
  });
});

describe('forms', () => {
  it.each([
    ['auto', envelopeOf(row), 'upsert'],
    ['auto', row, 'upsert'],
    ['envelope', envelopeOf(row), 'upsert'],
    ['envelope', row, 'record_form'],
    ['flat', row, 'upsert'],
    ['flat', envelopeOf(row), 'record_form'],
    ['plain', row, 'upsert'],
    ['plain', envelopeOf(row), 'record_form'],
    ['auto', '"text"', 'record_form'],
    ['auto', '[1]', 'record_form'],
    ['plain', '7', 'record_form'],
    ['auto', envelopeOf(row, 'x'), 'record_form'],
    ['auto', envelopeOf('null', 'c'), 'record_form'],
  ] as const)('format %s, %s: %s', (recordFormat, value, expected) => {
    if (expected === 'upsert') expect(verdict('{"id":1}', value, { recordFormat })).toBe(expected);
    else {
      const error = refusalOf(recordOf('{"id":1}', value), { recordFormat });
      expect(error).toMatchObject({
        code: expected,
        stage: 'TASK_PUT',
        identity: { source: 'app.public.documents', key: 'id=1' },
      });
    }
  });

  it('plain rows are rows whatever their columns are called', () => {
    expect(verdict('{"id":1}', '{"id":1,"__deleted":"true","__op":"d","body":"x"}', { recordFormat: 'plain' })).toBe('upsert');
    expect(verdict('{"serverName":"a"}', '{"ts_ms":"x"}', { recordFormat: 'plain', textFields: ['ts_ms'] })).toBe('upsert');
    expect(verdict('{"id":1}', null, { recordFormat: 'plain' })).toBe('delete');
  });

  it.each([
    ['__deleted as text', '{"id":1,"body":"x","__deleted":"true"}', []],
    ['__deleted as a boolean', '{"id":1,"body":"x","__deleted":true}', []],
    ['__op as a field', '{"id":1,"body":"x","__op":"d"}', []],
    ['__op as a header', row, [['__op', 'd']]],
    [
      '__op as a header that is sent twice',
      row,
      [
        ['__op', 'd'],
        ['__op', 'd'],
      ],
    ],
    ['__op as a header with quotes', row, [['__op', '"d"']]],
    ['__deleted as a header', row, [['__deleted', 'true']]],
  ] as [string, string, [string, string][]][])('a flattened delete: %s', (_title, value, headers) => {
    expect(verdict('{"id":1}', value, {}, headers)).toBe('delete');
  });

  it.each([
    ['__deleted false', '{"id":1,"body":"x","__deleted":"false"}', []],
    ['__op u', '{"id":1,"body":"x","__op":"u"}', [['__op', 'u']]],
  ] as [string, string, [string, string][]][])('no delete: %s', (_title, value, headers) => {
    expect(verdict('{"id":1}', value, {}, headers)).toBe('upsert');
  });

  it.each([
    ['clear', 'clear'],
    ['ignore', 'truncate'],
  ] as const)('truncate by policy %s', (truncatePolicy, expected) => {
    expect(verdict(null, envelopeOf('null', 't'), { truncatePolicy })).toBe(expected);
  });

  it('truncate by policy fail stops the task and says where', () => {
    const record = recordOf(null, envelopeOf('null', 't'));
    expect(() => mapRecord(record, { truncatePolicy: 'fail' })).toThrow(
      /app\.public\.documents was truncated \(partition 0, offset 7\).*ossian\.truncate\.policy/,
    );
  });
});

describe('identity', () => {
  const identity = (key: string | null, value: string | null, settings: Partial<MappingSettings> = {}) => {
    const mapped = mapRecord(recordOf(key, value), settings);
    return mapped.kind === 'event' && mapped.event.op !== 'clear' ? mapped.event.document : undefined;
  };
  it('the source is the topic, or as configured, literally', () => {
    expect(identity('{"id":1}', row)).toMatchObject({ source: 'app.public.documents', key: 'id=1' });
    expect(identity('{"id":1}', row, { source: 'shop/${topic}' })).toMatchObject({ source: 'shop/app.public.documents' });
    const odd = mapRecord(recordOf('{"id":1}', row, [], { topic: "a$&b$'" }));
    expect(odd).toMatchObject({ event: { document: { source: "a$&b$'" } } });
  });

  it.each([
    ['part of the record’s key', '{"tenant":1,"id":2}', row, ['id'], 'id=2'],
    ['all of it', '{"tenant":1,"id":2}', row, ['tenant', 'id'], 'id=2&tenant=1'],
    ['from the row where there is no key', null, envelopeOf('{"id":5,"body":"x"}'), ['id'], 'id=5'],
    ['from a flattened row', null, '{"id":5,"body":"x"}', ['id'], 'id=5'],
    ['for a delete from before', null, '{"before":{"id":6},"after":null,"op":"d","source":{}}', ['id'], 'id=6'],
  ] as const)('ossian.key.fields: %s', (_title, key, value, keyFields, expected) => {
    expect(identity(key, value, { keyFields })).toMatchObject({ key: expected });
  });

  it.each([
    ['no key and none named', null, envelopeOf(row), undefined, 'no_identity'],
    ['a named column is missing', null, envelopeOf(row), ['uid'], 'no_identity'],
    ['a named column is null', null, envelopeOf('{"id":null,"body":"x"}'), ['id'], 'no_identity'],
    ['a delete without a full before', null, '{"before":{"id":null},"after":null,"op":"d","source":{}}', ['id'], 'no_identity'],
    ['not all are in the record’s key', '{"id":1}', envelopeOf(row), ['id', 'body'], 'key_fields'],
    ['the key has no fields', '{}', envelopeOf(row), undefined, 'no_identity'],
    ['the key is bare', '1', envelopeOf(row), ['id'], 'key_fields'],
  ] as const)('none where %s', (_title, key, value, keyFields, code) => {
    expect(refusalOf(recordOf(key, value), { keyFields })).toMatchObject({ code, identity: undefined });
  });

  it('of an update `before` is not read, but to see that a key without a record key changed', () => {
    const update = '{"before":{"id":4,"body":"old"},"after":{"id":5,"body":"x"},"op":"u","source":{}}';
    expect(refusalOf(recordOf(null, update), { keyFields: ['id'] })).toMatchObject({
      code: 'key_changed',
      identity: { key: 'id=5' },
    });
    expect(verdict('{"id":5}', update)).toBe('upsert');
  });

  it('a bad record’s identity is told where it can be', () => {
    const best = (key: string | null, value: string | null) => identityAtBest(decode(recordOf(key, value)), mappingSettings());
    expect(best('{"id":1}', '"text"')).toMatchObject({ identity: { key: 'id=1' } });
    expect(best('{"id":1}', envelopeOf(row))).toMatchObject({ at: { position: '5', timestamp: '1764549999123' } });
    expect(best(null, envelopeOf(row))).toBeUndefined();
  });
});

describe('key changes', () => {
  const other = (
    key: string,
    header: string,
    value: string | null,
    settings: Partial<MappingSettings> = {},
    name = '__debezium.newkey',
  ) => {
    const mapped = mapRecord(recordOf(key, value, [[name, header]]), settings);
    if (mapped.kind !== 'event' || mapped.event.op === 'clear' || mapped.event.op === 'skip') return undefined;
    return mapped.event.op === 'delete' ? mapped.event.document.moved_to : mapped.event.document.moved_from;
  };
  it.each([
    ['the same field', '{"id":2}', '{"id":20}', 'id=20'],
    ['S7: above 2^53', '{"id":2}', '{"id":9007199254740993}', 'id=9007199254740993'],
    ['two fields in another order', '{"a":1,"b":"x"}', '{"b":"y","a":1}', 'a=1&b=y'],
    ['a bare key', '2', '20', 'key=20'],
    ['written with a schema', '{"id":2}', '{"schema":{"type":"struct","fields":[]},"payload":{"id":20}}', 'id=20'],
    ['another type', '{"id":2}', '{"id":"20"}', undefined],
    ['another field', '{"id":2}', '{"no":20}', undefined],
    ['a field more', '{"id":2}', '{"id":20,"b":1}', undefined],
    ['a field less', '{"id":2,"b":1}', '{"id":20}', undefined],
    ['no JSON', '{"id":2}', 'Struct{id=20}', undefined],
    ['null', '{"id":2}', 'null', undefined],
    ['its own key', '{"id":2}', '{"id":2}', undefined],
  ])('the header names %s', (_title, key, header, expected) => {
    expect(other(key, header, null)).toBe(expected);
    expect(other(key, header, row, {}, '__debezium.oldkey')).toBe(expected);
  });

  it('is followed in the part of the key that is configured', () => {
    expect(other('{"tenant":1,"id":2}', '{"tenant":1,"id":3}', null, { keyFields: ['id'] })).toBe('id=3');
    expect(other('{"tenant":1,"id":2}', '{"tenant":2,"id":2}', null, { keyFields: ['id'] })).toBeUndefined();
  });
});

describe('positions', () => {
  const positions = (folder: string, topic = 'app.public.documents') =>
    recordedTopic(folder, topic).map((record) => {
      const mapped = mapRecord(record, { textFields: ['title'], unavailablePolicy: 'keep' });
      return mapped.kind === 'event' ? mapped.event.position : undefined;
    });
  it('of envelopes: the last of source.sequence, the source’s time, and whether a snapshot read it', () => {
    const all = positions('json-envelope');
    const common = { connector: 'ossian', topic: 'app.public.documents', partition: 0 };
    expect(all[0]).toEqual({
      ...common,
      offset: '0',
      timestamp: '1796092020008',
      source_position: '29208832',
      source_timestamp: '1796092019642',
      snapshot: true,
    });
    expect(all[5]).toMatchObject({ source_position: '29209968', source_timestamp: '1796092022002', snapshot: false });
    // An incremental snapshot's row: lsn is null, sequence is not.
    expect(all[33]).toMatchObject({ source_position: '29238664', snapshot: true });
    // Both halves of a key change carry one; the tombstone between them has none.
    expect([all[20], all[22]].map((position) => position?.source_position)).toEqual(['29230560', '29230560']);
    expect(all[21]).toEqual({ ...common, offset: '21', timestamp: '1796092022177', snapshot: false });
  });

  it('of flattened rows: what add.fields gave', () => {
    const all = positions('flat-rewrite');
    expect(all[0]).toMatchObject({ source_position: '29208832', source_timestamp: '1796092064202', snapshot: true });
    expect(all[3]).toMatchObject({ source_position: '29208928', source_timestamp: '1796092066485', snapshot: false });
    expect(all[28]).toMatchObject({ source_timestamp: '1796092066644', snapshot: true });
    expect(all[28]).not.toHaveProperty('source_position');
    for (const position of positions('flat-tombstone')) expect(Object.keys(position ?? {})).not.toContain('source_position');
  });

  const positionOf = (value: string | null, headers: [string, string][] = []) => {
    const mapped = mapRecord(recordOf('{"id":1}', value, headers));
    return mapped.kind === 'event' ? mapped.event.position : undefined;
  };
  it.each<[string, string | null, [string, string][], object]>([
    [
      'headers on a bare tombstone',
      null,
      [
        ['__op', 'd'],
        ['__source_lsn', '17'],
        ['__source_ts_ms', '99'],
      ],
      { source_position: '17', source_timestamp: '99', snapshot: false },
    ],
    [
      'a header that is sent twice',
      null,
      [
        ['__lsn', '17'],
        ['__lsn', '17'],
      ],
      { source_position: '17' },
    ],
    [
      'a sequence as a header',
      null,
      [
        ['__source_sequence', '["16","18"]'],
        ['__source_lsn', '17'],
      ],
      { source_position: '18' },
    ],
    ['a snapshot by header', row, [['__op', 'r']], { snapshot: true }],
    ['a snapshot by field', '{"id":1,"body":"x","__source_snapshot":"incremental"}', [], { snapshot: true }],
    ['no snapshot', '{"id":1,"body":"x","__source_snapshot":"false"}', [], { snapshot: false }],
    [
      'MySQL: file and position',
      envelopeOf(row, 'u', '{"file":"mysql-bin.000012","pos":3456,"ts_ms":5000,"snapshot":"false"}'),
      [],
      { source_position: '12000000003456', source_timestamp: '5000' },
    ],
    [
      'MySQL flattened',
      '{"id":1,"body":"x","__source_file":"bin.000001","__source_pos":4}',
      [],
      { source_position: '1000000000004' },
    ],
    [
      'a sequence whose first is null',
      envelopeOf(row, 'u', '{"sequence":"[null,\\"28883480\\"]","lsn":1,"snapshot":"first"}'),
      [],
      { source_position: '28883480', snapshot: true },
    ],
    [
      'S7: an LSN above 2^53',
      envelopeOf(row, 'u', '{"lsn":18446744073709551615}'),
      [],
      { source_position: '18446744073709551615', snapshot: false },
    ],
    ['a boolean snapshot of an older version', envelopeOf(row, 'u', '{"lsn":1,"snapshot":true}'), [], { snapshot: true }],
  ])('%s', (_title, value, headers, expected) => {
    expect(positionOf(value, headers)).toMatchObject(expected);
  });

  it.each([
    ['a null LSN', envelopeOf(row, 'r', '{"lsn":null,"snapshot":"incremental"}')],
    ['a file without a number', envelopeOf(row, 'u', '{"file":"","pos":0}')],
    ['an odd sequence', envelopeOf(row, 'u', '{"sequence":"[\\"1\\",null]"}')],
  ])('none from %s', (_title, value) => {
    expect(positionOf(value)).not.toHaveProperty('source_position');
  });
});

describe('S2: event ids', () => {
  const idOf = (at: object, connectorName = 'ossian'): string => {
    const mapped = mapRecord(recordOf('{"id":1}', row, [], at), { connectorName });
    return mapped.kind === 'event' ? mapped.event.id : '';
  };
  it('a redelivered record has the same id, made of connector, topic, partition, offset and timestamp', () => {
    const at = { topic: 'a.b', partition: 3, offset: 9007199254740993n, timestamp: 12n };
    expect(idOf(at)).toBe('ossian:a.b:3:9007199254740993:12');
    expect(idOf({ ...at })).toBe(idOf(at));
  });

  it('no two records share one', () => {
    const at = { topic: 'a', partition: 1, offset: 2n, timestamp: 3n };
    const others = [
      { topic: 'a:1' },
      { topic: 'b' },
      { partition: 2 },
      { offset: 3n },
      { timestamp: 4n },
      { offset: 23n, timestamp: 3n },
    ];
    const ids = [idOf(at), ...others.map((change) => idOf({ ...at, ...change })), idOf(at, 'other'), idOf(at, 'ossian:a')];
    expect(new Set(ids).size).toBe(ids.length);
    expect(idOf({ ...at, topic: 'x:y' }, 'a')).not.toBe(idOf({ ...at, topic: 'y' }, 'a:x'));
  });

  it('rows of one snapshot, which share a source position, have ids of their own', () => {
    const ids = recordedTopic('json-envelope', 'app.public.documents').flatMap((record) => {
      const mapped = mapRecord(record, { textFields: ['title'], unavailablePolicy: 'keep' });
      return mapped.kind === 'event' ? [mapped.event.id] : [];
    });
    expect(new Set(ids).size).toBe(42);
  });
});

describe('a key change outside ossian.key.fields', () => {
  const settings = { keyFields: ['id'], textFields: ['body'], unavailablePolicy: 'refuse' } as const;
  const key = (version: number): string => `{"id":1,"v":${version}}`;
  const body = '{"id":1,"v":2,"body":"__debezium_unavailable_value"}';
  it('leaves the document: its delete half and tombstone are ignored, its create half keeps what it does not bring', () => {
    const newKey: [string, string][] = [['__debezium.newkey', key(2)]];
    const deleted = '{"before":{"id":1,"v":1,"body":null},"after":null,"op":"d","source":{"lsn":5,"ts_ms":1}}';
    expect(verdict(key(1), deleted, settings, newKey)).toBe('same_document');
    expect(verdict(key(1), null, settings, newKey)).toBe('same_document');
    const created = mapRecord(recordOf(key(2), envelopeOf(body, 'c'), [['__debezium.oldkey', key(1)]]), settings);
    expect(created).toMatchObject({ event: { op: 'upsert', document: { key: 'id=1', unchanged: ['/sections/body'] } } });
    expect(created).not.toHaveProperty('event.document.moved_from');
  });
  it('is none where the key that it names is another document’s, or the setting is not there', () => {
    const moved: [string, string][] = [['__debezium.newkey', '{"id":2,"v":1}']];
    expect(verdict(key(1), null, settings, moved)).toBe('delete');
    expect(verdict(key(1), null, { textFields: ['body'] }, [['__debezium.newkey', key(2)]])).toBe('delete');
    expect(refusalOf(recordOf(key(2), envelopeOf(body, 'u')), settings).code).toBe('unavailable_value');
  });
});
