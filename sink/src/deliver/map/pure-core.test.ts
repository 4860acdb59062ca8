import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { unavailableForms } from '../../config/unavailable-forms.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** What the core is made of, used as a program would inside another JavaScript engine. */
const program = `
import { JsonConverter } from '${root}convert/json/convert-json.js';
import { readChange } from '${root}debezium/read-change.js';
import { mapChange } from '${root}deliver/map/map-change.js';
const json = new JsonConverter(true);
const coordinates = { topic: 'shop.articles', partition: 0, offset: 17n, timestamp: 5n };
const unavailable = { ...forms, bytes: new Uint8Array(forms.bytes), texts: new Set(forms.texts) };
const settings = { ...mapping, unavailable };
result = JSON.stringify(records.map(([key, value]) => {
  const { value: decodedKey } = json.convert(key);
  const { value: decoded, schema: valueSchema } = json.convert(value);
  try {
    const record = { coordinates, key: decodedKey, value: decoded, valueSchema, headers: [] };
    return mapChange(coordinates, readChange(record, settings), settings).event.document;
  } catch (error) {
    return error.code ?? String(error);
  }
}));
`;
const forms = unavailableForms('__debezium_unavailable_value');
const decimal = '{"type":"bytes","name":"org.apache.kafka.connect.data.Decimal","parameters":{"scale":"2"},"field":"price"}';
const schema = `{"type":"struct","fields":[{"type":"string","field":"body"},${decimal}]}`;

describe('the mapping core', () => {
  it('runs where there is nothing but JavaScript: no Node globals, no modules of Node', async () => {
    const globals: Record<string, unknown> = {
      result: '',
      forms: { placeholder: forms.placeholder, bytes: [...forms.bytes], texts: [...forms.texts], longest: forms.longest },
      mapping: {
        connectorName: 'c',
        source: '${topic}',
        textFields: ['body'],
        metadataFields: ['price'],
        uriTemplate: 'https://x/${body}',
        sideTopics: ['side*'],
        recordFormat: 'auto',
        unavailablePolicy: 'refuse',
        truncatePolicy: 'clear',
      },
      records: [
        ['{"id":9007199254740993}', `{"schema":${schema},"payload":{"body":"é \\ud83d","price":"EtaH"}}`],
        ['{"id":"ü"}', '{"body":"__debezium_unavailable_value"}'],
      ],
    };
    const context = vm.createContext(globals);
    const modules = new Map<string, vm.Module>();
    const load = (specifier: string, from: string): vm.Module => {
      const path = specifier === 'base64-js' ? specifier : resolve(from, specifier);
      const known = modules.get(path);
      if (known) return known;
      const module =
        path === 'base64-js'
          ? commonJs(path, context)
          : new vm.SourceTextModule(readFileSync(path, 'utf8'), { context, identifier: path });
      modules.set(path, module);
      return module;
    };
    const main = new vm.SourceTextModule(program, { context, identifier: `${root}main.js` });
    await main.link((specifier, referencing) => load(specifier, dirname(referencing.identifier)));
    await main.evaluate();
    expect([...modules.keys()].filter((path) => path.startsWith('node:'))).toEqual([]);
    expect(JSON.parse(String(globals.result))).toEqual([
      {
        source: 'shop.articles',
        key: 'id=9007199254740993',
        title: null,
        uri: 'https://x/%C3%A9%20%EF%BF%BD',
        sections: [{ name: 'body', text: 'é \ud83d' }],
        metadata: { price: '12345.67' },
        acl: null,
      },
      'unavailable_value',
    ]);
  });
});

/** A package in the old module form, run in the same bare context. */
function commonJs(name: string, context: vm.Context): vm.Module {
  const text = readFileSync(createRequire(import.meta.url).resolve(name), 'utf8');
  const exports = vm.runInContext(`(() => { const exports = {}; ${text}; return exports; })()`, context) as Record<
    string,
    unknown
  >;
  const names = Object.keys(exports);
  return new vm.SyntheticModule(
    names,
    function () {
      for (const exported of names) this.setExport(exported, exports[exported]);
    },
    { context, identifier: name },
  );
}
