import { appendFile } from 'node:fs/promises';
import type { ConsumedRecord } from '../../record/consumed-record.js';
import { FatalError } from '../fatal-error.js';
import type { DeadLetterQueue } from './dead-letter.js';

/** Dead letters as a record file, for a run over record files, which has no Kafka: it can be inspected and run again. */
export class DeadLetterFile implements DeadLetterQueue {
  readonly path: string;
  constructor(path: string) {
    this.path = path;
  }

  async write(letters: readonly ConsumedRecord[]): Promise<void> {
    try {
      await appendFile(this.path, letters.map((letter) => `${lineOf(letter)}\n`).join(''));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new FatalError('dead_letter_file', `dead letters cannot be written to ${this.path}: ${reason}`, { cause: error });
    }
  }
  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** One line in the form that `kcat -J` prints and `readRecordFiles` reads. */
function lineOf(record: ConsumedRecord): string {
  const { topic, partition, offset, timestamp, headers } = record;
  // Offsets and timestamps past 2^53 stand as strings, which readers of ours take.
  const number = (value: bigint): number | string => (Number.isSafeInteger(Number(value)) ? Number(value) : String(value));
  return JSON.stringify({
    topic,
    partition,
    offset: number(offset),
    ts: number(timestamp),
    headers: headers.flatMap(({ name, value }) => [name, value && Buffer.from(value).toString('utf8')]),
    ...bytes('key', record.key),
    ...bytes('payload', record.value),
  });
}

function bytes(name: string, value: Uint8Array | null): Record<string, string | null> {
  if (value === null) return { [name]: null };
  try {
    return { [name]: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(value) };
  } catch {
    return { [`${name}_b64`]: Buffer.from(value).toString('base64') };
  }
}
