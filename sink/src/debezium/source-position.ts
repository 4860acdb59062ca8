import { ExactNumber, fieldOf, type SinkHeader, type Value, type ValueObject } from '../record/sink-record.js';
import type { SourcePosition } from '../record/change.js';

const integer = /^-?\d{1,39}$/;
/** One binlog file is far below 10^12 bytes (max_binlog_size is at most 1 GiB), so file and position never overlap. */
const binlogFileStep = 1_000_000_000_000n;

export const noPosition: SourcePosition = { position: undefined, timestamp: undefined, snapshot: false };

/** Reads an envelope's `source` block. */
export function positionOfSource(source: ValueObject): SourcePosition {
  const snapshot = textOf(fieldOf(source, 'snapshot'));
  return {
    position:
      lastOfSequence(fieldOf(source, 'sequence')) ??
      integerOf(fieldOf(source, 'lsn')) ??
      binlogPosition(fieldOf(source, 'file'), fieldOf(source, 'pos')),
    timestamp: integerOf(fieldOf(source, 'ts_ms')),
    snapshot: snapshot !== undefined && snapshot !== 'false',
  };
}

/**
 * Reads what ExtractNewRecordState added: `add.fields` puts it into the row, `add.headers` into headers (and only headers
 * survive on a tombstone). A name without a struct (`lsn`) is looked up in `source` by Debezium, except for `op` and `ts_ms`.
 */
export function positionOfFlattened(row: ValueObject | undefined, headers: readonly SinkHeader[]): SourcePosition {
  const added = (name: string): Value | undefined => {
    const field = row && fieldOf(row, name);
    return field ?? headers.find((header) => header.name === name)?.value ?? undefined;
  };
  const either = (name: string): Value | undefined => added(`__source_${name}`) ?? added(`__${name}`);
  const snapshot = textOf(either('snapshot'));
  return {
    position: lastOfSequence(either('sequence')) ?? integerOf(either('lsn')) ?? binlogPosition(either('file'), either('pos')),
    timestamp: integerOf(added('__source_ts_ms')),
    snapshot: textOf(added('__op')) === 'r' || (snapshot !== undefined && snapshot !== 'false'),
  };
}

/** Postgres: a JSON string `["lastCommitLsn","lsn"]`, either of which may be null. A header arrives already decoded. */
function lastOfSequence(value: Value | undefined): string | undefined {
  if (Array.isArray(value)) return integerOf((value as readonly Value[]).at(-1));
  if (typeof value !== 'string') return undefined;
  return /"?(-?\d{1,39})"?\s*\]\s*$/.exec(value)?.[1];
}

function binlogPosition(file: Value | undefined, position: Value | undefined): string | undefined {
  const number = typeof file === 'string' ? /\.(\d{1,20})$/.exec(file)?.[1] : undefined;
  const within = integerOf(position);
  if (number === undefined || within === undefined) return undefined;
  return String(BigInt(number) * binlogFileStep + BigInt(within));
}

function integerOf(value: Value | undefined): string | undefined {
  const text = textOf(value);
  return text !== undefined && integer.test(text) ? text : undefined;
}

function textOf(value: Value | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (value instanceof ExactNumber) return value.text;
  return typeof value === 'boolean' ? String(value) : undefined;
}
