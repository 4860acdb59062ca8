import type { IgnoredKind } from '../record/ignored-kind.js';
import { fieldOf, isValueObject, type Value, type ValueObject } from '../record/sink-record.js';
import { isEnvelope, structOf } from './envelope.js';

/** Debezium's signal types (io.debezium.pipeline.signal.actions and the watermarks of incremental snapshots). */
const signalTypes = new Set([
  'log',
  'schema-changes',
  'execute-snapshot',
  'stop-snapshot',
  'pause-snapshot',
  'resume-snapshot',
  'set-binlog-position',
  'snapshot-window-open',
  'snapshot-window-close',
]);

/**
 * What Debezium writes beside rows, told by its shape and never by a topic's name: a table called `transaction` is data.
 * Each shape is asked for whole, so that a row that only resembles one stays a row.
 */
export function sideRecordKind(key: Value, value: Value): IgnoredKind | undefined {
  if (!isValueObject(value)) return undefined;
  if (isTransaction(value)) return 'transaction';
  if (isSchemaChange(key, value)) return 'schema_change';
  if (isNotification(value)) return 'notification';
  if (isHeartbeat(key, value)) return 'heartbeat';
  if (isMessage(value)) return 'message';
  return isSignal(value) ? 'signal' : undefined;
}

function isTransaction(value: ValueObject): boolean {
  const status = fieldOf(value, 'status');
  return (
    (status === 'BEGIN' || status === 'END') && hasExactly(value, ['status', 'id', 'event_count', 'data_collections'], ['ts_ms'])
  );
}

/** A row of a table that happens to be keyed by `databaseName` has no `ddl`. */
function isSchemaChange(key: Value, value: ValueObject): boolean {
  if (!Object.hasOwn(value, 'ddl')) return false;
  return Object.hasOwn(value, 'tableChanges') || (isValueObject(key) && hasExactly(key, ['databaseName']));
}

function isNotification(value: ValueObject): boolean {
  return hasExactly(value, ['id', 'type', 'aggregate_type', 'additional_data', 'timestamp']);
}

function isHeartbeat(key: Value, value: ValueObject): boolean {
  return isValueObject(key) && hasExactly(key, ['serverName']) && hasExactly(value, ['ts_ms']);
}

function isMessage(value: ValueObject): boolean {
  const message = structOf(value, 'message');
  return fieldOf(value, 'op') === 'm' && message !== undefined && hasExactly(message, ['prefix', 'content']);
}

function isSignal(value: ValueObject): boolean {
  const row = isEnvelope(value) ? (structOf(value, 'after') ?? structOf(value, 'before')) : withoutAdded(value);
  const type = row && fieldOf(row, 'type');
  return row !== undefined && typeof type === 'string' && signalTypes.has(type) && hasExactly(row, ['id', 'type', 'data']);
}

/** A flattened row without the fields that ExtractNewRecordState added. */
function withoutAdded(row: ValueObject): ValueObject {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !name.startsWith('__')));
}

function hasExactly(value: ValueObject, names: readonly string[], optional: readonly string[] = []): boolean {
  const found = Object.keys(value);
  return (
    found.length >= names.length &&
    names.every((name) => Object.hasOwn(value, name)) &&
    found.every((name) => names.includes(name) || optional.includes(name))
  );
}
