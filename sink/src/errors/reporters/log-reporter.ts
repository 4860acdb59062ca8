import type { Logger } from '@ossian/shared';
import type { ConsumedRecord } from '../../record/consumed-record.js';
import type { RecordError } from '../record-error.js';
import type { Reporter } from './dead-letter.js';

/**
 * Logs a bad record as Kafka Connect's LogReporter does: where it stands, the stage and the error, and its key and value
 * only where `errors.log.include.messages` asks for them (S10).
 */
export function logBadRecord(
  logger: Logger,
  record: ConsumedRecord,
  error: RecordError,
  options: { reporter: Reporter; includeMessages: boolean; end: 'dead-lettered' | 'skipped' | 'failed' },
): void {
  const { topic, partition, offset, timestamp } = record;
  logger.error(
    {
      connector: options.reporter.connector,
      task: options.reporter.task,
      topic,
      partition,
      offset: String(offset),
      timestamp: String(timestamp),
      stage: error.stage,
      code: error.code,
      ...(options.includeMessages ? { error: error.message, key: textOf(record.key), value: textOf(record.value) } : {}),
    },
    `bad record ${options.end}`,
  );
}

/** Text where the bytes are UTF-8, else base64. */
function textOf(bytes: Uint8Array | null): string | null {
  if (bytes === null) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return Buffer.from(bytes).toString('base64');
  }
}
