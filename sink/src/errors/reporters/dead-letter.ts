import type { ConsumedRecord, RecordHeader } from '../../record/consumed-record.js';
import type { RecordError } from '../record-error.js';

/** Who reports: the connector's name and the task's number. */
export interface Reporter {
  readonly connector: string;
  readonly task: number;
}

/**
 * What goes to the dead letter queue: the record's own key, value, headers and timestamp as they were, and Kafka Connect's
 * context headers after the record's own (org.apache.kafka.connect.runtime.errors.DeadLetterQueueReporter: every value is
 * text in UTF-8), with two of ours: the stable code, and the original timestamp, which a topic may replace
 * (message.timestamp.type=LogAppendTime).
 *
 * @param reporter undefined where `errors.deadletterqueue.context.headers.enable` is false: the record goes as it was.
 */
export function deadLetter(record: ConsumedRecord, error: RecordError, reporter: Reporter | undefined): ConsumedRecord {
  if (reporter === undefined) return record;
  const context: [name: string, value: string][] = [
    ['__connect.errors.topic', record.topic],
    ['__connect.errors.partition', String(record.partition)],
    ['__connect.errors.offset', String(record.offset)],
    ['__connect.errors.connector.name', reporter.connector],
    ['__connect.errors.task.id', String(reporter.task)],
    ['__connect.errors.stage', error.stage],
    ['__connect.errors.class.name', executingClass[error.stage]],
    ['__connect.errors.exception.class.name', error.name],
    ['__connect.errors.exception.message', error.message],
    ['__connect.errors.exception.stacktrace', error.stack ?? ''],
    ['__ossian.error.code', error.code],
    ['__ossian.timestamp', String(record.timestamp)],
  ];
  const encoder = new TextEncoder();
  const added: RecordHeader[] = context.map(([name, value]) => ({ name, value: encoder.encode(value) }));
  return { ...record, headers: [...record.headers, ...added] };
}

/** What Connect calls the class that was at work; ours is the step's name. */
const executingClass: Readonly<Record<RecordError['stage'], string>> = {
  KEY_CONVERTER: 'ossian.convert.KeyConverter',
  VALUE_CONVERTER: 'ossian.convert.ValueConverter',
  HEADER_CONVERTER: 'ossian.convert.HeaderConverter',
  TRANSFORMATION: 'ossian.transform.TransformationChain',
  TASK_PUT: 'ossian.task.WorkerSinkTask',
};

/** Where dead letters go. Resolves when they are kept for good; throws OutageError while the other side is away. */
export interface DeadLetterQueue {
  write(letters: readonly ConsumedRecord[]): Promise<void>;
  close(): Promise<void>;
}
