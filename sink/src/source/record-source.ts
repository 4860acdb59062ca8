import type { ConsumedRecord } from '../record/consumed-record.js';

export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}
export interface PartitionOffset extends TopicPartition {
  readonly offset: bigint;
}
export interface ReceivedRecords extends TopicPartition {
  readonly records: readonly ConsumedRecord[];
  /** The offset after the last that was read: beyond the last record where the log held only markers there. */
  readonly position: bigint;
  /** The log's end as far as this fetch saw it. */
  readonly end: bigint;
}

/** Who takes the records: the task. None of these may throw. */
export interface SourceListener {
  /** These partitions are ours from now on, and no others. Generations grow; what belongs to an older one is fenced. */
  assigned(generation: number, partitions: readonly PartitionOffset[]): void;
  /** The group is about to rebalance: the last moment to commit for this generation. */
  rebalancing(generation: number): void;
  /** Nothing is ours until the next assignment. */
  revoked(): void;
  received(received: ReceivedRecords): void;
  /** The source itself waits, and why; undefined where it does not any more. */
  waiting(reason: string | undefined): void;
}

/** Where records come from: a consumer group, or record files. */
export interface RecordSource {
  /** Runs until the signal is aborted (resolves), the source ends by itself (resolves), or it cannot go on (FatalError). */
  run(listener: SourceListener, signal: AbortSignal): Promise<void>;
  /** Stops fetching a partition; group membership is kept. */
  pause(partition: TopicPartition): void;
  resume(partition: TopicPartition): void;
  /** @returns false where the generation is not the current one any more: nothing was committed then. */
  commit(generation: number, offsets: readonly PartitionOffset[]): Promise<boolean>;
  /** The logs' ends now, one for each of the partitions whose end is known. */
  endOffsets(partitions: readonly TopicPartition[]): Promise<PartitionOffset[]>;
}

export function partitionName({ topic, partition }: TopicPartition): string {
  return `${topic}-${partition}`;
}
