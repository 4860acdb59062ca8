import type { Logger } from '@ossian/shared';

/** One entry of KafkaJS's own log. */
export interface KafkaLogEntry {
  readonly namespace: string;
  readonly label: string;
  readonly log: { readonly message: string; readonly [name: string]: unknown };
}

/**
 * The fetch position lies outside the log. Its name is one that KafkaJS never retries, so that the consumer ends before it
 * does what it would do next.
 */
export class FetchOffsetOutOfRange extends Error {
  override readonly name = 'KafkaJSNotImplemented';
  readonly topic: string;
  readonly partition: number;
  constructor(topic: string, partition: number) {
    super(`the fetch offset of ${topic}-${partition} is out of range`);
    this.topic = topic;
    this.partition = partition;
  }
  static is(error: unknown): error is FetchOffsetOutOfRange {
    return error instanceof FetchOffsetOutOfRange;
  }
}

/**
 * The broker does not know a topic that was being read: it was deleted, and the next log under its name is another one. KafkaJS
 * would go on in that one from where it was in the old one. For the name see above.
 */
export class FetchedTopicGone extends Error {
  override readonly name = 'KafkaJSNotImplemented';
  constructor() {
    super('a topic is gone, or was made anew: reading begins again from the committed offsets');
  }
  static is(error: unknown): error is FetchedTopicGone {
    return error instanceof FetchedTopicGone;
  }
}
/** KafkaJS's text for the broker's UNKNOWN_TOPIC_OR_PARTITION. */
const topicIsUnknown = 'This server does not host this topic-partition';

/** Names of what KafkaJS may tell that is worth keeping; nothing else of an entry is logged (S10). */
const kept = ['groupId', 'memberId', 'broker', 'topic', 'partition', 'error', 'retryCount', 'topics'] as const;

/**
 * Brings KafkaJS's log into ours, a level lower: what it calls an error is often one of a row of retries, and what matters
 * in the end reaches the task's status.
 *
 * @throws FetchOffsetOutOfRange KafkaJS has no event for it: this line of its log is the only sign, and right after it the
 *   group's offset is overwritten with -1 or -2 (consumerGroup.js, recoverFromOffsetOutOfRange).
 * @throws FetchedTopicGone for the same reason.
 */
export function logKafkaEntry(logger: Logger, entry: KafkaLogEntry): void {
  const { log, label } = entry;
  const { topic, partition } = log;
  if (log.message.startsWith('Offset out of range, resetting') && typeof topic === 'string') {
    throw new FetchOffsetOutOfRange(topic, Number(partition));
  }
  if (log.message.startsWith('Response Fetch(') && log['error'] === topicIsUnknown) throw new FetchedTopicGone();
  const fields = Object.fromEntries(kept.filter((name) => log[name] !== undefined).map((name) => [name, log[name]]));
  const write = label === 'ERROR' ? 'warn' : 'debug';
  logger[write]({ kafka: entry.namespace, ...fields }, log.message);
}
