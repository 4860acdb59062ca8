import { createReadStream } from 'node:fs';
import { isLosslessNumber, parse } from 'lossless-json';
import type { ConsumedRecord, RecordHeader } from '../record/consumed-record.js';
import { FatalError } from '../errors/fatal-error.js';

/**
 * Reads record files: JSON Lines in the form that `kcat -C -J` prints (`topic`, `partition`, `offset`, `ts`, `headers`,
 * `key`, `payload`), where `key_b64` and `payload_b64` hold bytes that are not UTF-8. `timestamp` and `value` are
 * understood for `ts` and `payload`, and headers as pairs or as one flat array. Empty lines are passed over.
 *
 * Several files are merged by timestamp, keeping the order of the lines within each file; where the next records of two
 * files are of one partition, the lower offset comes first.
 *
 * @throws FatalError (`record_file`) with file and line number where a line is not such a record or a file cannot be read.
 */
export async function* readRecordFiles(paths: readonly string[]): AsyncIterable<ConsumedRecord> {
  const readers = paths.map((path) => readRecordFile(path));
  try {
    const heads = await Promise.all(readers.map(async (reader) => (await reader.next()).value ?? undefined));
    for (;;) {
      const earliest = indexOfEarliest(heads);
      const head = heads[earliest];
      if (head === undefined) return;
      yield head;
      heads[earliest] = (await readers[earliest]?.next())?.value ?? undefined;
    }
  } finally {
    await Promise.all(readers.map((reader) => reader.return(undefined)));
  }
}

function indexOfEarliest(heads: readonly (ConsumedRecord | undefined)[]): number {
  let earliest = -1;
  for (const [index, head] of heads.entries()) {
    const best = heads[earliest];
    if (head !== undefined && (best === undefined || comesBefore(head, best))) earliest = index;
  }
  return earliest;
}

function comesBefore(a: ConsumedRecord, b: ConsumedRecord): boolean {
  if (a.topic === b.topic && a.partition === b.partition) return a.offset < b.offset;
  return a.timestamp < b.timestamp;
}

async function* readRecordFile(path: string): AsyncGenerator<ConsumedRecord, undefined> {
  let number = 0;
  try {
    for await (const bytes of readLines(path)) {
      number += 1;
      const line = decodeLine(bytes, `${path}:${number}`);
      // A byte order mark is what some editors leave at the start of a file.
      const text = number === 1 ? line.replace(/^\uFEFF/, '') : line;
      if (text.trim() !== '') yield parseRecordLine(text, `${path}:${number}`);
    }
  } catch (error) {
    if (FatalError.is(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new FatalError('record_file', `cannot read the record file ${path}: ${reason}`, { cause: error });
  }
  return undefined;
}

/** Lines as bytes: a character that is not UTF-8 is found by whoever decodes them, and none is replaced silently. */
async function* readLines(path: string): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      yield Buffer.concat([...rest, chunk.subarray(start, end)]);
      rest = [];
      start = end + 1;
    }
    if (start < chunk.length) rest.push(chunk.subarray(start));
  }
  yield Buffer.concat(rest);
}

const lineFeed = 10;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeLine(bytes: Buffer, where: string): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new FatalError('record_file', `${where}: not UTF-8 text; write such bytes as "payload_b64" or "key_b64"`);
  }
}

const numberFields = ['partition', 'offset', 'ts', 'timestamp'] as const;

function hasRoundedNumber(json: Record<string, unknown>): boolean {
  return numberFields.some((field) => Number.isInteger(json[field]) && !Number.isSafeInteger(json[field]));
}

/** Parses one line of a record file. `where` (file:line) stands in errors. */
export function parseRecordLine(line: string, where: string): ConsumedRecord {
  const fault = (what: string): FatalError =>
    new FatalError('record_file', `${where}: ${what}; record files are JSON Lines as \`kcat -C -J\` prints them`);
  let json: unknown;
  try {
    json = JSON.parse(line);
    // Only a number past 2^53 needs the parser that keeps its exact text, which is slower.
    if (isObject(json) && hasRoundedNumber(json)) json = parse(line);
  } catch {
    // Without its cause: the parser's message may quote the line, and content is not for logs.
    throw fault('not a line of JSON');
  }
  if (!isObject(json)) throw fault('not a JSON object');
  const { topic } = json;
  if (typeof topic !== 'string' || topic === '') throw fault('"topic" is missing');
  const partition = integer(json['partition'] ?? 0);
  const offset = integer(json['offset']);
  const timestamp = integer(json['ts'] ?? json['timestamp'] ?? -1);
  if (partition === undefined || partition < 0n) throw fault('"partition" is not a whole number');
  if (offset === undefined || offset < 0n) throw fault('"offset" is missing or not a whole number');
  if (timestamp === undefined) throw fault('"ts" is not a whole number of milliseconds');
  return {
    topic,
    partition: Number(partition),
    offset,
    timestamp,
    key: bytesOf(json, 'key', fault),
    value: bytesOf(json, 'payload' in json || 'payload_b64' in json ? 'payload' : 'value', fault),
    headers: headersOf(json['headers'], fault),
  };
}

type Fault = (what: string) => FatalError;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function integer(value: unknown): bigint | undefined {
  const text = isLosslessNumber(value) ? value.value : typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && /^-?\d+$/.test(text) ? BigInt(text) : undefined;
}

function bytesOf(json: Record<string, unknown>, name: string, fault: Fault): Uint8Array | null {
  const base64 = json[`${name}_b64`];
  if (base64 != null) {
    if (typeof base64 !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) throw fault(`"${name}_b64" is not base64`);
    return Buffer.from(base64, 'base64');
  }
  const text = json[name];
  if (text == null) return null;
  if (typeof text !== 'string') throw fault(`"${name}" is not a string (write its bytes as text, or as "${name}_b64")`);
  return Buffer.from(text, 'utf8');
}

function headersOf(value: unknown, fault: Fault): RecordHeader[] {
  if (value == null) return [];
  if (!Array.isArray(value)) throw fault('"headers" is not an array of names and values');
  const items: readonly unknown[] = value;
  const flat: readonly unknown[] = items.some((item) => Array.isArray(item)) ? items.flat() : items;
  if (flat.length % 2 !== 0) throw fault('"headers" has a name without a value');
  const headers: RecordHeader[] = [];
  for (let index = 0; index < flat.length; index += 2) {
    const [name, text] = [flat[index], flat[index + 1]];
    if (typeof name !== 'string') throw fault('"headers" has a name that is not a string');
    if (text !== null && typeof text !== 'string') throw fault(`the value of header "${name}" is not a string`);
    headers.push({ name, value: text === null ? null : Buffer.from(text, 'utf8') });
  }
  return headers;
}
