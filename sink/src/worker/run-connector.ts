import type { Logger } from '@ossian/shared';
import type { ConnectorSettings } from '../config/settings.js';
import { Backend } from '../deliver/backend.js';
import { DeadLetterFile } from '../errors/reporters/dead-letter-file.js';
import type { DeadLetterQueue } from '../errors/reporters/dead-letter.js';
import { KafkaDeadLetterQueue } from '../source/kafka-dead-letters.js';
import { KafkaSource } from '../source/kafka-source.js';
import { RecordFileSource } from '../source/record-file-source.js';
import type { RecordSource } from '../source/record-source.js';
import type { TaskTimings } from '../task/task-ports.js';
import type { TaskStatus } from '../task/task-status.js';
import { WorkerSinkTask } from '../task/worker-sink-task.js';

/** Record files in the place of Kafka. */
export interface RecordsInput {
  readonly paths: readonly string[];
  /** Where dead letters go, as a record file: there is no Kafka to send them to. */
  readonly deadLetters: string;
}

/** A connector that runs: its tasks in this process. */
export interface RunningConnector {
  readonly name: string;
  /** Resolves when every task has ended; never rejects. */
  readonly ended: Promise<readonly TaskStatus[]>;
  status(): readonly TaskStatus[];
  stop(): void;
  pause(): void;
  resume(): void;
}

/**
 * Starts a connector's tasks. From Kafka there are `tasks.max` of them, each a member of the connector's consumer group;
 * from files there is one.
 *
 * @throws FatalError (`kafka_configuration`).
 */
export function runConnector(
  settings: ConnectorSettings,
  options: { readonly logger: Logger; readonly records?: RecordsInput | undefined; readonly timings?: Partial<TaskTimings> },
): RunningConnector {
  const count = options.records === undefined ? settings.tasksMax : 1;
  const tasks = Array.from({ length: count }, (_, task) => {
    const logger = options.logger.child({ connector: settings.name, task });
    return new WorkerSinkTask({
      settings,
      task,
      logger,
      source: sourceOf(settings, logger, options.records),
      backend: new Backend(settings.delivery),
      deadLetters: deadLettersOf(settings, logger, options.records),
      ...(options.timings === undefined ? {} : { timings: options.timings }),
    });
  });
  return {
    name: settings.name,
    ended: Promise.all(tasks.map((task) => task.run())),
    status: () => tasks.map((task) => task.status()),
    stop: () => tasks.forEach((task) => task.stop()),
    pause: () => tasks.forEach((task) => task.pause()),
    resume: () => tasks.forEach((task) => task.resume()),
  };
}

function sourceOf(settings: ConnectorSettings, logger: Logger, records: RecordsInput | undefined): RecordSource {
  if (records === undefined) return new KafkaSource(settings, logger);
  return new RecordFileSource(records.paths, settings.readsTopic, (topics) =>
    logger.warn({ topics }, 'the record files hold records of topics that the connector does not read: they are left out'),
  );
}

function deadLettersOf(
  settings: ConnectorSettings,
  logger: Logger,
  records: RecordsInput | undefined,
): DeadLetterQueue | undefined {
  const { deadLetterTopic } = settings.tolerance;
  if (deadLetterTopic === undefined) return undefined;
  return records === undefined
    ? new KafkaDeadLetterQueue(settings, deadLetterTopic, logger)
    : new DeadLetterFile(records.deadLetters);
}
