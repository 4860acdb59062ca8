import { FatalError } from '../errors/fatal-error.js';
import { partitionName, type TopicPartition } from './record-source.js';

export interface LogRange {
  readonly low: bigint;
  /** The high watermark: the offset of the next record to be written. */
  readonly high: bigint;
}
export interface StartPolicy {
  /** `ossian.offset.out.of.range`. */
  readonly outOfRange: 'fail' | 'earliest' | 'latest';
  /** `auto.offset.reset`: where a group without a committed offset starts. */
  readonly reset: 'earliest' | 'latest' | 'none';
}
export interface Start {
  readonly offset: bigint;
  /** True where the offset is not the committed one and is to be committed at once, so that a crash cannot move it. */
  readonly commit: boolean;
  /** Said in the log, where records are passed over or read again. */
  readonly warning?: string;
}

/**
 * Where to start reading a partition. KafkaJS moves silently to one end of the log when the committed offset is outside it:
 * so the offset is compared with the log's own before anything is fetched.
 *
 * @param committed undefined where the group has none for this partition.
 * @param hasOthers the group has committed other partitions of this topic, so that this partition is new and none of its
 *   records were ever seen: it is read from its beginning, whatever `reset` says.
 * @throws FatalError (`offset_out_of_range`, `no_committed_offset`) with the range and the remedy.
 */
export function startOffset(
  partition: TopicPartition,
  committed: bigint | undefined,
  log: LogRange,
  policy: StartPolicy,
  hasOthers: boolean,
): Start {
  const name = partitionName(partition);
  if (committed === undefined) {
    if (policy.reset === 'none') {
      throw new FatalError(
        'no_committed_offset',
        `${name} has no committed offset and auto.offset.reset is none: set one with \`ossian-sink offsets set\``,
      );
    }
    const earliest = policy.reset === 'earliest' || hasOthers;
    return { offset: earliest ? log.low : log.high, commit: !earliest };
  }
  if (committed >= log.low && committed <= log.high) return { offset: committed, commit: false };
  const fault = describeFault(name, committed, log);
  if (policy.outOfRange === 'fail') {
    throw new FatalError(
      'offset_out_of_range',
      `${fault}. Decide where to go on, then restart: \`ossian-sink offsets reset --topic ${partition.topic} --partition ` +
        `${partition.partition} --to earliest\` (or latest), or set ossian.offset.out.of.range`,
    );
  }
  const offset = policy.outOfRange === 'earliest' ? log.low : log.high;
  return { offset, commit: true, warning: `${fault}: going on at ${offset} (ossian.offset.out.of.range=${policy.outOfRange})` };
}

function describeFault(name: string, committed: bigint, log: LogRange): string {
  const range = `the log holds ${log.low} to ${log.high}`;
  return committed < log.low
    ? `the committed offset ${committed} of ${name} is gone: ${range}, so ${log.low - committed} offsets were deleted before they were read`
    : `the committed offset ${committed} of ${name} is beyond the log: ${range}, so the topic was re-created or cut off`;
}
