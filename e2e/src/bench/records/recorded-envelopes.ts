import { readFileSync } from 'node:fs';
import { recordingFile } from '../../demo/knowledge-base.js';

export interface Envelope {
  readonly after: Readonly<Record<string, unknown>>;
  readonly source: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** What Debezium wrote of the recorded knowledge base's rows. Times past 2^53 are rounded in it; nobody reads them. */
export function recordedEnvelopes(): Envelope[] {
  const lines = readFileSync(recordingFile('before.jsonl'), 'utf8').trim().split('\n');
  const values = lines.map((line) => JSON.parse((JSON.parse(line) as { payload: string }).payload) as Envelope | null);
  return values.filter((value): value is Envelope => value?.after != null);
}
