import { base64ToBytes } from '../base64.js';
import { ExactNumber, fieldOf, isValueObject, type Value, type ValueSchema } from '../sink-record.js';
import { bytesToInteger, decimalText } from './decimal-text.js';
import { dateText, durationText, timestampText, timeText } from './temporal-text.js';

/** Text of a value of a logical type; undefined where the value is not what the type says: then it stays as it arrived. */
export type LogicalText = (value: Value, schema: ValueSchema) => string | undefined;

const perSecond = { milli: 1000n, micro: 1_000_000n, nano: 1_000_000_000n };

/**
 * Postgres' infinity as Debezium sends it: the day number overflows 32 bits (2147483647 days after 2000-01-01), and
 * timestamps are those of org.postgresql.PGStatement#DATE_POSITIVE_INFINITY and its negative, in whatever unit.
 */
const infinities = new Map([
  ['-2147472692', 'infinity'],
  ['-2147472691', '-infinity'],
]);
const timestampInfinities = new Map([
  ['9223372036825200000', 'infinity'],
  ['9223372036825200', 'infinity'],
  ['-9223372036832400000', '-infinity'],
  ['-9223372036832400', '-infinity'],
]);

const ofInteger =
  (render: (units: bigint) => string, sentinels?: ReadonlyMap<string, string>): LogicalText =>
  (value) => {
    if (!(value instanceof ExactNumber) || !/^-?\d+$/.test(value.text)) return undefined;
    return sentinels?.get(value.text) ?? render(BigInt(value.text));
  };
const date = ofInteger(dateText, infinities);
const timestamp = (units: bigint, zone = ''): LogicalText =>
  ofInteger((value) => timestampText(value, units) + zone, timestampInfinities);
const time = (units: bigint): LogicalText => ofInteger((value) => timeText(value, units));
const duration = (units: bigint): LogicalText => ofInteger((value) => durationText(value, units));

/**
 * Logical types whose wire form a person would not read: org.apache.kafka.connect.data.* and io.debezium.*. Those that are
 * readable text already (Json, Uuid, Enum, Xml, Zoned…, Iso…, Interval, Year) need nothing. io.debezium.time timestamps come
 * from columns without a zone, so none is invented; Connect's own Timestamp is a moment, in UTC.
 */
export const logicalTypes: ReadonlyMap<string, LogicalText> = new Map<string, LogicalText>([
  ['org.apache.kafka.connect.data.Decimal', (value, schema) => decimal(value, Number(schema.parameters?.scale))],
  ['org.apache.kafka.connect.data.Date', date],
  ['org.apache.kafka.connect.data.Time', time(perSecond.milli)],
  ['org.apache.kafka.connect.data.Timestamp', timestamp(perSecond.milli, 'Z')],
  ['io.debezium.data.VariableScaleDecimal', variableScaleDecimal],
  ['io.debezium.data.Bits', (value, schema) => bits(value, Number(schema.parameters?.length))],
  ['io.debezium.data.geometry.Point', point],
  ['io.debezium.time.Date', date],
  ['io.debezium.time.Time', time(perSecond.milli)],
  ['io.debezium.time.MicroTime', time(perSecond.micro)],
  ['io.debezium.time.NanoTime', time(perSecond.nano)],
  ['io.debezium.time.Timestamp', timestamp(perSecond.milli)],
  ['io.debezium.time.MicroTimestamp', timestamp(perSecond.micro)],
  ['io.debezium.time.NanoTimestamp', timestamp(perSecond.nano)],
  ['io.debezium.time.MicroDuration', duration(perSecond.micro)],
  ['io.debezium.time.NanoDuration', duration(perSecond.nano)],
]);

function bytesOf(value: Value | undefined): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value;
  return typeof value === 'string' ? base64ToBytes(value) : undefined;
}

/** With `decimal.format=NUMERIC` the value is a number already, and stays as it is. */
function decimal(value: Value | undefined, scale: number): string | undefined {
  const bytes = bytesOf(value);
  if (!bytes || bytes.length === 0 || !Number.isInteger(scale)) return undefined;
  return decimalText(bytesToInteger(bytes), scale);
}

function variableScaleDecimal(value: Value): string | undefined {
  const scale = isValueObject(value) ? fieldOf(value, 'scale') : undefined;
  if (!isValueObject(value) || !(scale instanceof ExactNumber)) return undefined;
  return decimal(fieldOf(value, 'value'), Number(scale.text));
}

/** Little-endian bytes of `length` bits (io.debezium.data.Bits), shown as Postgres does, the highest first. */
function bits(value: Value, length: number): string | undefined {
  const bytes = bytesOf(value);
  if (!bytes) return undefined;
  const all = [...bytes].reverse().map((byte) => byte.toString(2).padStart(8, '0'));
  const text = all.join('');
  return Number.isInteger(length) && length > 0 && length < text.length ? text.slice(-length) : text;
}

/** Well-known text, with the numbers as they are. */
function point(value: Value): string | undefined {
  const x = isValueObject(value) ? fieldOf(value, 'x') : undefined;
  const y = isValueObject(value) ? fieldOf(value, 'y') : undefined;
  return x instanceof ExactNumber && y instanceof ExactNumber ? `POINT(${x.text} ${y.text})` : undefined;
}
