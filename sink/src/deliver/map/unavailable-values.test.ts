import { describe, expect, it } from '@jest/globals';
import type { MappingSettings } from '../../config/settings.js';
import fc from 'fast-check';
import { RecordError } from '../../errors/record-error.js';
import { unavailableForms } from '../../config/unavailable-forms.js';
import type { ConsumedRecord } from '../../record/consumed-record.js';
import { envelopeOf, mapRecord, recordedTopic, recordOf, refusalOf } from '../../testing/records.js';

const folders = ['json-envelope', 'json-schema-envelope', 'json-envelope-eos', 'flat-rewrite', 'flat-tombstone'];
/** Of the recorded table: each was TOASTed when only the title of row 1 changed (the fourth record). */
const toasted = ['body', 'tags', 'meta', 'raw', 'codes', 'attrs', 'uids'];
const renamed = (folder: string): ConsumedRecord => recordedTopic(folder, 'app.public.documents')[3]!;

const upsertOf = (record: ConsumedRecord, settings: Partial<MappingSettings>) => {
  const mapped = mapRecord(record, settings);
  if (mapped.kind !== 'event' || mapped.event.op !== 'upsert') throw new Error('not an upsert');
  return mapped.event.document;
};
/** Each place a configured column may stand in. */
const roles: readonly (readonly [string, (column: string) => Partial<MappingSettings>, (column: string) => string])[] = [
  ['text', (column) => ({ textFields: ['title', column] }), (column) => `/sections/${column}`],
  ['title', (column) => ({ textFields: ['title'], titleField: column }), () => '/title'],
  ['metadata', (column) => ({ textFields: ['title'], metadataFields: [column] }), (column) => `/metadata/${column}`],
  ['ACL', (column) => ({ textFields: ['title'], aclField: column }), () => '/acl'],
  ['URI', (column) => ({ textFields: ['title'], uriTemplate: `https://x/\${${column}}` }), () => '/uri'],
];
const cases = folders.flatMap((folder) =>
  toasted.flatMap((column) =>
    roles.map(([role, settings, pointer]) => [folder, column, role, settings(column), pointer(column)] as const),
  ),
);

describe('S4: no shape of the unavailable value is ever delivered', () => {
  it.each(cases)('%s: column %s as %s', (folder, column, _role, settings, pointer) => {
    const error = refusalOf(renamed(folder), settings);
    expect(error).toMatchObject({
      code: 'unavailable_value',
      stage: 'TASK_PUT',
      identity: { source: 'app.public.documents', key: 'id=1' },
    });
    expect(error.message).toContain(`"${column}"`);
    expect(error.message).toContain('REPLICA IDENTITY FULL');

    const document = upsertOf(renamed(folder), { ...settings, unavailablePolicy: 'keep' });
    expect(document.unchanged).toEqual([pointer]);
    expect(document.sections).toEqual([{ name: 'title', text: 'Renamed' }]);
    expect(document.metadata).toEqual({});
    for (const part of [document.title, document.uri, document.acl]) expect(part ?? null).toBeNull();
    expect(JSON.stringify({ ...document, unchanged: [] })).not.toMatch(/debezium_unavailable|X19kZWJleml1|b68a35a7|"95"/);
  });

  it.each(folders)('%s: a column that is not configured is not read', (folder) => {
    expect(upsertOf(renamed(folder), { textFields: ['title'] }).sections).toEqual([{ name: 'title', text: 'Renamed' }]);
  });

  const codes = [...new TextEncoder().encode('__debezium_unavailable_value')];
  it.each([
    ['text', '"__debezium_unavailable_value"'],
    ['base64', '"X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ=="'],
    ['hex', '"5f5f646562657a69756d5f756e617661696c61626c655f76616c7565"'],
    ['hex in capitals', '"5F5F646562657A69756D5F756E617661696C61626C655F76616C7565"'],
    ["Postgres' own hex", '"\\\\x5f5f646562657a69756d5f756e617661696c61626c655f76616c7565"'],
    ['an array of text', '["__debezium_unavailable_value"]'],
    ['an array of base64', '["X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ=="]'],
    ['an array of codes', JSON.stringify(codes)],
    ['an array of codes as decimals', `[${codes.map((code) => `${code}.0`).join(',')}]`],
    ['a uuid', '"b68a35a7-17ad-35b3-af2a-ae46edb4545a"'],
    ['an array of uuids', '["b68a35a7-17ad-35b3-af2a-ae46edb4545a"]'],
    ['hstore as JSON text', '"{\\"__debezium_unavailable_value\\":\\"__debezium_unavailable_value\\"}"'],
    ['hstore as a map', '{"__debezium_unavailable_value":"__debezium_unavailable_value"}'],
    ['a member of a struct', '{"a":{"b":[1,"__debezium_unavailable_value"]}}'],
    ['a decimal of variable scale', '{"scale":0,"value":"X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ=="}'],
  ])('knows it as %s', (_title, value) => {
    const record = recordOf('{"id":1}', envelopeOf(`{"id":1,"body":${value}}`));
    expect(refusalOf(record, {}).code).toBe('unavailable_value');
  });

  it.each([
    ['text that contains it', '"about __debezium_unavailable_value"'],
    ['other codes', '[95,95,100]'],
    ['as many other numbers', JSON.stringify(codes.map((code, index) => (index === 5 ? code + 1 : code)))],
    ['jsonb in which it is a member', '"{\\"a\\": \\"__debezium_unavailable_value\\"}"'],
    ['a name-based uuid of something else', '"b68a35a7-17ad-35b3-af2a-ae46edb4545b"'],
  ])('takes %s for data', (_title, value) => {
    const record = recordOf('{"id":1}', envelopeOf(`{"id":1,"body":${value}}`));
    expect(upsertOf(record, {}).sections).toHaveLength(1);
  });

  it('follows a placeholder of another text, and of bytes', () => {
    // The UUID is md5("gone") = 50c1f58be7f5e47e0f53d64c094783c2 with version 3 and the variant put in.
    const gone = { unavailable: unavailableForms('gone') };
    for (const value of ['"gone"', '["gone"]', '"Z29uZQ=="', '[103,111,110,101]', '["50c1f58b-e7f5-347e-8f53-d64c094783c2"]']) {
      const record = recordOf('{"id":1}', envelopeOf(`{"id":1,"body":${value}}`));
      expect(refusalOf(record, gone).code).toBe('unavailable_value');
    }
    const bytes = { unavailable: unavailableForms('hex:fffe00') };
    for (const value of ['"//4A"', '"__4A"', '[-1,-2,0]', '[255,254,0]']) {
      expect(refusalOf(recordOf('{"id":1}', envelopeOf(`{"id":1,"body":${value}}`)), bytes).code).toBe('unavailable_value');
    }
    const usual = recordOf('{"id":1}', envelopeOf('{"id":1,"body":"__debezium_unavailable_value"}'));
    expect(upsertOf(usual, gone).sections).toHaveLength(1);
  });

  it.each(['json-envelope', 'json-schema-envelope', 'flat-rewrite', 'flat-tombstone'])(
    '%s: the create half of a key change keeps what it lacks, whatever the policy',
    (folder) => {
      const half = recordedTopic(folder, 'app.public.documents').find(({ headers }) =>
        headers.some(({ name, value }) => name === '__debezium.oldkey' && new TextDecoder().decode(value) === '{"id":1}'),
      )!;
      const document = upsertOf(half, { textFields: ['body'], titleField: 'title', metadataFields: ['tags', 'meta', 'score'] });
      expect(document).toMatchObject({ key: 'id=10', moved_from: 'id=1', title: 'Renamed', sections: [] });
      expect(document.unchanged).toEqual(['/sections/body', '/metadata/tags']);
      expect(document.metadata).toMatchObject({ meta: '{"small": true}' });
    },
  );

  it('names a part by a JSON pointer, escaped', () => {
    const record = recordOf('{"id":1}', envelopeOf('{"id":1,"body":"x","a/b~c":"__debezium_unavailable_value"}'));
    const document = upsertOf(record, { metadataFields: ['a/b~c'], unavailablePolicy: 'keep' });
    expect(document.unchanged).toEqual(['/metadata/a~1b~0c']);
  });

  it('a key column that was not sent is no identity', () => {
    const record = recordOf(null, envelopeOf('{"id":"__debezium_unavailable_value","body":"x"}'));
    expect(refusalOf(record, { keyFields: ['id'] })).toMatchObject({ code: 'no_identity', identity: undefined });
  });
});

describe('S4, for any row', () => {
  const shapes = [
    '"__debezium_unavailable_value"',
    '"X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ=="',
    '["b68a35a7-17ad-35b3-af2a-ae46edb4545a"]',
    JSON.stringify([...new TextEncoder().encode('__debezium_unavailable_value')]),
    '"{\\"__debezium_unavailable_value\\":\\"__debezium_unavailable_value\\"}"',
  ];
  const columns = ['a', 'b', 'c', 'd', 'e', 'f'];
  const cell = fc.oneof(
    fc.constantFrom(...shapes),
    fc.constantFrom('null', '"text"', '""', '12.50', '["x"]'),
    fc.constant(undefined),
  );
  const nested = cell.chain((value) => fc.constantFrom(value, value && `{"x":[${value}]}`, value && `[null,${value}]`));
  const settings = fc.record({
    textFields: fc.uniqueArray(fc.constantFrom(...columns), { minLength: 1 }),
    titleField: fc.option(fc.constantFrom(...columns), { nil: undefined }),
    metadataFields: fc.uniqueArray(fc.constantFrom(...columns)),
    aclField: fc.option(fc.constantFrom(...columns), { nil: undefined }),
    uriTemplate: fc.option(fc.constantFrom('https://x/${a}/${f}'), { nil: undefined }),
    unavailablePolicy: fc.constantFrom('refuse' as const, 'keep' as const),
  });

  it('what is delivered holds no shape of it, and what holds none is never refused for it', () => {
    fc.assert(
      fc.property(fc.array(nested, { minLength: 6, maxLength: 6 }), settings, fc.boolean(), (cells, changes, moved) => {
        const after = columns
          .flatMap((name, index) => (cells[index] === undefined ? [] : [`"${name}":${cells[index]}`]))
          .join(',');
        const headers = moved ? [['__debezium.oldkey', '{"id":2}'] as const] : [];
        const record = recordOf('{"id":1}', envelopeOf(`{${after}}`), headers);
        const isShape = (name: string): boolean => shapes.some((shape) => cells[columns.indexOf(name)]?.includes(shape));
        const uri = changes.uriTemplate ? ['a', 'f'] : [];
        const read = [
          ...changes.textFields,
          ...changes.metadataFields,
          changes.titleField ?? 'none',
          changes.aclField ?? 'none',
          ...uri,
        ];
        let delivered: string;
        try {
          const mapped = mapRecord(record, changes);
          delivered = mapped.kind === 'event' ? JSON.stringify(mapped.event) : '';
        } catch (error) {
          if (!RecordError.is(error)) throw error;
          if (error.code === 'unavailable_value') {
            expect({ moved, policy: changes.unavailablePolicy, holds: read.some(isShape) }).toEqual({
              moved: false,
              policy: 'refuse',
              holds: true,
            });
          }
          return;
        }
        expect(delivered).not.toMatch(/debezium_unavailable_value|X19kZWJleml1bV9|b68a35a7-17ad/);
        expect(delivered).not.toContain('"95","95","100"');
        expect(delivered).not.toContain('95\\n95\\n100');
      }),
      { numRuns: 1000 },
    );
  });
});
