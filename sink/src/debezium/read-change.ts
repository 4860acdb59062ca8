import type { MappingSettings } from '../config/settings.js';
import { RecordError } from '../errors/record-error.js';
import type { Change, Column, RowIdentity, SourcePosition } from '../record/change.js';
import { fieldOf, isValueObject, type SinkRecord, type ValueObject, type ValueSchema } from '../record/sink-record.js';
import { isEnvelope, structOf } from './envelope.js';
import { noPosition, positionOfFlattened, positionOfSource } from './source-position.js';
import { keyText, pickFields } from './row-key.js';
import { otherKey, rowIdentity, sourceName, staysTheSame } from './row-identity.js';
import { sideRecordKind } from './side-record.js';
import { matchesTopicPattern } from '../record/topic-pattern.js';
import { isUnavailable } from './unavailable.js';

/**
 * Reads a record as a change of a table, in the order of DESIGN 3.1: what is not a row, truncate, empty, identity, delete, row.
 *
 * @throws RecordError where it has no identity or is of a form that was not configured
 */
export function readChange(record: SinkRecord, settings: MappingSettings): Change {
  const { key, value } = record;
  // `plain` topics are not Debezium's: whatever their rows look like, they are rows.
  const side = settings.recordFormat === 'plain' ? undefined : sideRecordKind(key, value);
  if (side) return { kind: 'ignored', reason: side };
  if (matchesTopicPattern(record.coordinates.topic, settings.sideTopics)) return { kind: 'ignored', reason: 'side_topic' };
  if (value === null) return key === null ? { kind: 'ignored', reason: 'empty' } : readTombstone(record, settings);
  if (!isValueObject(value)) throw wrongForm(record, settings, 'The value is not an object with columns.');
  const envelope = isEnvelope(value);
  checkForm(record, envelope, settings);
  return envelope ? readEnvelope(record, value, settings) : readFlatRow(record, value, settings);
}

function checkForm(record: SinkRecord, envelope: boolean, settings: MappingSettings): void {
  const format = settings.recordFormat;
  if (format === 'auto' || envelope === (format === 'envelope')) return;
  const found = envelope ? 'a Debezium envelope' : 'not a Debezium envelope';
  throw wrongForm(record, settings, `ossian.record.format is ${format}, but the value is ${found}.`);
}

function wrongForm(record: SinkRecord, settings: MappingSettings, message: string): RecordError {
  return new RecordError('record_form', 'TASK_PUT', `${message} Check value.converter and ossian.record.format.`, {
    identity: record.key === null ? undefined : rowIdentity(record, undefined, settings),
  });
}

/** A null value: the row is gone. Only headers can say more (`add.headers`). */
function readTombstone(record: SinkRecord, settings: MappingSettings): Change {
  const at = settings.recordFormat === 'plain' ? noPosition : positionOfFlattened(undefined, record.headers);
  return deletion(record, rowIdentity(record, undefined, settings), 'tombstone', at, settings);
}

function readEnvelope(record: SinkRecord, value: ValueObject, settings: MappingSettings): Change {
  const operation = fieldOf(value, 'op');
  const at = positionOfSource(structOf(value, 'source') ?? {});
  const before = structOf(value, 'before');
  const after = structOf(value, 'after');
  if (operation === 't') return { kind: 'truncate', source: sourceName(record.coordinates.topic, settings), at };
  if (operation === 'd') return deletion(record, rowIdentity(record, before, settings), 'deleted', at, settings);
  const identity = rowIdentity(record, after, settings);
  if ((operation !== 'c' && operation !== 'r' && operation !== 'u') || !after) {
    const fault = after ? 'has an operation ("op") that is not known' : 'has no "after"';
    throw new RecordError('record_form', 'TASK_PUT', `The envelope ${fault}.`, { identity });
  }
  checkKeyIsKept(record, before, identity, settings);
  return rowChange(record, identity, after, record.valueSchema?.fields?.get('after'), at, settings);
}

/** Without a record key nothing tells of a changed key, and the old document would stay for good: better to say so. */
function checkKeyIsKept(
  record: SinkRecord,
  before: ValueObject | undefined,
  identity: RowIdentity,
  settings: MappingSettings,
): void {
  if (record.key !== null || !settings.keyFields) return;
  const old = pickFields(before, settings.keyFields);
  if (!old || keyText(old) === identity.key) return;
  throw new RecordError(
    'key_changed',
    'TASK_PUT',
    `A column of ossian.key.fields (${settings.keyFields.join(', ')}) changed, and the record has no key. Set message.key.columns on the Debezium connector, so that it sends the change of a key as a delete and a create.`,
    { identity },
  );
}

function readFlatRow(record: SinkRecord, row: ValueObject, settings: MappingSettings): Change {
  const identity = rowIdentity(record, row, settings);
  if (settings.recordFormat === 'plain') return rowChange(record, identity, row, record.valueSchema, noPosition, settings);
  const at = positionOfFlattened(row, record.headers);
  if (isFlatDelete(record, row)) return deletion(record, identity, 'deleted', at, settings);
  return rowChange(record, identity, row, record.valueSchema, at, settings);
}

/** ExtractNewRecordState in rewrite mode (`__deleted`), or with `add.fields` or `add.headers` naming `op`. */
function isFlatDelete(record: SinkRecord, row: ValueObject): boolean {
  const says = (name: string, ...answers: unknown[]): boolean =>
    answers.includes(fieldOf(row, name)) ||
    record.headers.some((header) => header.name === name && answers.includes(header.value));
  return says('__deleted', 'true', true) || says('__op', 'd');
}

function deletion(
  record: SinkRecord,
  identity: RowIdentity,
  reason: 'deleted' | 'tombstone',
  at: SourcePosition,
  settings: MappingSettings,
): Change {
  if (staysTheSame(record, '__debezium.newkey', identity, settings)) return { kind: 'ignored', reason: 'same_document' };
  return { kind: 'delete', identity, reason, movedTo: otherKey(record, '__debezium.newkey', identity, settings), at };
}

function rowChange(
  record: SinkRecord,
  identity: RowIdentity,
  row: ValueObject,
  schema: ValueSchema | undefined,
  at: SourcePosition,
  settings: MappingSettings,
): Change {
  const column = (name: string): Column => {
    const value = fieldOf(row, name);
    if (value === undefined) return { state: 'missing' };
    if (isUnavailable(value, settings.unavailable)) return { state: 'unavailable' };
    return { state: 'present', value, schema: schema?.fields?.get(name) };
  };
  const movedFrom = otherKey(record, '__debezium.oldkey', identity, settings);
  const isCreateHalf = movedFrom !== undefined || staysTheSame(record, '__debezium.oldkey', identity, settings);
  return { kind: 'row', identity, movedFrom, isCreateHalf, column, at };
}
