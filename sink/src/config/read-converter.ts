import type { Configuration } from './configuration.js';
import { keyConverterKeys, valueConverterKeys } from './declared-keys.js';
import type { ConverterSettings } from './settings.js';

const kinds: Readonly<Record<string, ConverterSettings['kind']>> = {
  'org.apache.kafka.connect.json.JsonConverter': 'json',
  'org.apache.kafka.connect.storage.StringConverter': 'string',
  'org.apache.kafka.connect.converters.ByteArrayConverter': 'bytes',
};
/** Known, and to come; each with what can be done today. */
const later = new Set([
  'io.confluent.connect.avro.AvroConverter',
  'io.confluent.connect.json.JsonSchemaConverter',
  'io.confluent.connect.protobuf.ProtobufConverter',
  'io.apicurio.registry.utils.converter.AvroConverter',
]);

/** `key.converter` or `value.converter`; the class may be written without its package. */
export function readConverter(part: 'key' | 'value', configuration: Configuration): ConverterSettings {
  const keys = part === 'key' ? keyConverterKeys : valueConverterKeys;
  const name = configuration.get(keys.converter);
  const schemasEnable = configuration.get(keys.schemasEnable);
  const known = Object.keys(kinds);
  const className = known.find((candidate) => candidate === name || candidate.endsWith(`.${name}`));
  const kind = className && kinds[className];
  if (kind) return Object.freeze({ kind, schemasEnable });
  configuration.fault(
    keys.converter.name,
    later.has(name)
      ? `${keys.converter.name} ${name} is not in this version yet: converters that need a schema registry come later. Have Debezium write the topic with the JsonConverter.`
      : `${keys.converter.name} ${name} is not a known converter. These are: ${known.join(', ')}.`,
  );
  return { kind: 'json', schemasEnable };
}
