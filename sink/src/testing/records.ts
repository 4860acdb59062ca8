import { readFileSync } from 'node:fs';
import type { MappingSettings } from '../config/settings.js';
import { convertRecord } from '../convert/convert-record.js';
import { readChange } from '../debezium/read-change.js';
import { mapChange } from '../deliver/map/map-change.js';
import type { MappedRecord } from '../deliver/mapped-record.js';
import { RecordError } from '../errors/record-error.js';
import type { ConsumedRecord } from '../record/consumed-record.js';
import type { SinkRecord } from '../record/sink-record.js';
import { mappingSettings } from './mapping-settings.js';

const bytes = (text: string | null): Uint8Array | null => (text === null ? null : new TextEncoder().encode(text));
const json = { kind: 'json', schemasEnable: true } as const;

/** A record from JSON texts (not values: numbers would be rounded before the test begins). */
export function recordOf(
  key: string | null,
  value: string | null,
  headers: readonly (readonly [string, string])[] = [],
  at: Partial<ConsumedRecord> = {},
): ConsumedRecord {
  return {
    topic: 'app.public.documents',
    partition: 0,
    offset: 7n,
    timestamp: 1_764_550_000_000n,
    key: bytes(key),
    value: bytes(value),
    headers: headers.map(([name, text]) => ({ name, value: bytes(text) })),
    ...at,
  };
}

export function decode(record: ConsumedRecord): SinkRecord {
  return convertRecord(record, { keyConverter: json, valueConverter: json });
}

/** Decode, read, map: what the task does with a record, without its handling of faults. */
export function mapRecord(record: ConsumedRecord, changes: Partial<MappingSettings> = {}): MappedRecord {
  const settings = mappingSettings(changes);
  return mapChange(record, readChange(decode(record), settings), settings);
}

/** The error by which a record is refused; throws where it is not. */
export function refusalOf(record: ConsumedRecord, changes: Partial<MappingSettings> = {}): RecordError {
  try {
    mapRecord(record, changes);
  } catch (error) {
    if (RecordError.is(error)) return error;
    throw error;
  }
  throw new Error('the record was not refused');
}

/** An envelope's JSON text around the JSON text of `after`. */
export function envelopeOf(
  after: string,
  operation = 'u',
  source = '{"lsn":5,"ts_ms":1764549999123,"snapshot":"false"}',
): string {
  return `{"before":null,"after":${after},"source":${source},"op":"${operation}","ts_ms":1}`;
}

interface RecordedLine {
  topic: string;
  partition: number;
  offset: number;
  ts: number;
  headers: string[];
  key: string | null;
  payload: string | null;
}

const read = new Map<string, readonly ConsumedRecord[]>();

/** The records of one recorded topic, in order. */
export function recordedTopic(folder: string, topic: string): readonly ConsumedRecord[] {
  const name = `${folder}/${topic}`;
  const records = read.get(name) ?? readRecordedTopic(folder, topic);
  read.set(name, records);
  return records;
}

function readRecordedTopic(folder: string, topic: string): ConsumedRecord[] {
  const path = new URL(`../../fixtures/debezium/${folder}/${topic}.jsonl`, import.meta.url);
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line) => {
    const { topic: name, partition, offset, ts, headers, key, payload } = JSON.parse(line) as RecordedLine;
    const pairs = headers.flatMap((text, index) => (index % 2 === 0 ? [[text, headers[index + 1] ?? ''] as const] : []));
    return recordOf(key, payload, pairs, { topic: name, partition, offset: BigInt(offset), timestamp: BigInt(ts) });
  });
}
