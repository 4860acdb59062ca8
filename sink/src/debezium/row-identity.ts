import type { MappingSettings } from '../config/settings.js';
import { RecordError } from '../errors/record-error.js';
import type { RowIdentity } from '../record/change.js';
import { isValueObject, type SinkRecord, type Value, type ValueObject } from '../record/sink-record.js';
import { haveSameShape, keyText, pickFields } from './row-key.js';
import { isUnavailable } from './unavailable.js';

/** The name of a topic's source: `${topic}` stands for the topic. */
export function sourceName(topic: string, settings: MappingSettings): string {
  return settings.source.replaceAll('${topic}', () => topic);
}

/**
 * Which document a record is about (DESIGN 3.2).
 *
 * @param row the row that names it where the record has no key: `after`, for deletes `before`
 * @throws RecordError (`no_identity`, `key_fields`) where it has none
 */
export function rowIdentity(record: SinkRecord, row: ValueObject | undefined, settings: MappingSettings): RowIdentity {
  const key = identifyingKey(record.key, row, settings);
  if (isUnavailable(key, settings.unavailable)) {
    throw noIdentity('no_identity', 'A column of its key was not sent by the source (unavailable value).');
  }
  const text = keyText(key);
  if (text === '') throw noIdentity('no_identity', 'The key of the record has no fields.');
  return { source: sourceName(record.coordinates.topic, settings), key: text };
}

function identifyingKey(key: Value, row: ValueObject | undefined, { keyFields }: MappingSettings): Value {
  if (keyFields === undefined) {
    if (key !== null) return key;
    throw noIdentity(
      'no_identity',
      'The record has no key. Give the table a primary key, set message.key.columns on the Debezium connector, or name the columns that identify a row in ossian.key.fields.',
    );
  }
  const names = keyFields.join(', ');
  if (key === null) {
    const picked = pickFields(row, keyFields);
    if (picked) return picked;
    throw noIdentity(
      'no_identity',
      `The record has no key, and the row has not all of the columns of ossian.key.fields (${names}) with a value. For deletes the table needs REPLICA IDENTITY FULL.`,
    );
  }
  const part = isValueObject(key) && keyFields.every((name) => Object.hasOwn(key, name)) ? partOf(key, keyFields) : undefined;
  if (part) return part;
  throw noIdentity(
    'key_fields',
    `ossian.key.fields (${names}) are not all fields of the record's key: name fields that are, or leave the setting out.`,
  );
}

function partOf(key: ValueObject, names: readonly string[]): ValueObject {
  return Object.fromEntries(names.map((name) => [name, key[name] ?? null]));
}

function noIdentity(code: string, message: string): RecordError {
  return new RecordError(code, 'TASK_PUT', message);
}

type KeyHeader = '__debezium.newkey' | '__debezium.oldkey';

/**
 * The other key of a key change, from `__debezium.newkey` or `__debezium.oldkey`. It is used only with the record key's
 * fields and JSON types; else it is ignored, and the change is a plain delete and create.
 */
export function otherKey(record: SinkRecord, header: KeyHeader, own: RowIdentity, settings: MappingSettings): string | undefined {
  const other = headerKey(record, header, settings);
  return other === own.key ? undefined : other;
}

/**
 * Whether a key changed only in fields that `ossian.key.fields` leaves out: the document is the same before and after, and
 * neither half of the change may remove it (they may lie on different partitions).
 */
export function staysTheSame(record: SinkRecord, header: KeyHeader, own: RowIdentity, settings: MappingSettings): boolean {
  return settings.keyFields !== undefined && headerKey(record, header, settings) === own.key;
}

function headerKey(record: SinkRecord, header: KeyHeader, settings: MappingSettings): string | undefined {
  const value = record.headers.find(({ name }) => name === header)?.value ?? null;
  if (value === null || record.key === null || !haveSameShape(record.key, value)) return undefined;
  return keyText(settings.keyFields && isValueObject(value) ? partOf(value, settings.keyFields) : value);
}
