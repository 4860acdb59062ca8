import type { ConnectorSettings, ConverterSettings } from '../config/settings.js';
import { RecordError } from '../errors/record-error.js';
import type { Stage } from '../errors/stage.js';
import type { ConsumedRecord } from '../record/consumed-record.js';
import type { SinkRecord, Value, ValueSchema } from '../record/sink-record.js';
import { convertHeader } from './convert-header.js';
import { decodeText } from './decode-text.js';
import { JsonConverter } from './json/convert-json.js';
import { JsonFault } from './json/parse-json.js';

interface Converted {
  readonly value: Value;
  readonly schema?: ValueSchema;
}

/**
 * Decodes a record's key, value and headers by the connector's converters. A null key or value stays null.
 *
 * @throws RecordError (stage KEY_CONVERTER or VALUE_CONVERTER); its message never holds any of the record's content.
 */
export function convertRecord(
  record: ConsumedRecord,
  settings: Pick<ConnectorSettings, 'keyConverter' | 'valueConverter'>,
): SinkRecord {
  const { topic, partition, offset, timestamp } = record;
  const key = convertPart(record.key, settings.keyConverter, 'KEY_CONVERTER');
  const value = convertPart(record.value, settings.valueConverter, 'VALUE_CONVERTER');
  return {
    coordinates: { topic, partition, offset, timestamp },
    key: key.value,
    ...(key.schema ? { keySchema: key.schema } : {}),
    value: value.value,
    ...(value.schema ? { valueSchema: value.schema } : {}),
    headers: record.headers.map(convertHeader),
  };
}

/** One JSON converter for each converter's settings: it remembers schemas. */
const jsonConverters = new WeakMap<ConverterSettings, JsonConverter>();

function convertPart(bytes: Uint8Array | null, settings: ConverterSettings, stage: Stage): Converted {
  if (bytes === null) return { value: null };
  if (settings.kind === 'bytes') return { value: bytes };
  const text = decodeText(bytes);
  if (text === undefined) throw undecodable(bytes, settings, stage, 'it is not UTF-8 text');
  if (settings.kind === 'string') return { value: text };
  let converter = jsonConverters.get(settings);
  if (!converter) jsonConverters.set(settings, (converter = new JsonConverter(settings.schemasEnable)));
  try {
    return converter.convert(text);
  } catch (error) {
    if (JsonFault.is(error)) throw undecodable(bytes, settings, stage, error.message);
    throw error;
  }
}

function undecodable(bytes: Uint8Array, settings: ConverterSettings, stage: Stage, fault: string): RecordError {
  const part = stage === 'KEY_CONVERTER' ? 'key' : 'value';
  const hint =
    bytes[0] === 0 && bytes.length > 5
      ? `It begins like a schema registry's wire format (a zero byte and a schema id): ${part}.converter is probably another one.`
      : bytes.length === 0
        ? 'It has no bytes at all.'
        : `Check that ${part}.converter is the converter that the topic was written with.`;
  return new RecordError(
    'undecodable',
    stage,
    `The record's ${part} (${bytes.length} bytes) cannot be read by the ${settings.kind} converter: ${fault}. ${hint}`,
  );
}
