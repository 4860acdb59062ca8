import { partitionName, type PartitionOffset, type TopicPartition } from '../source/record-source.js';
import { PartitionWork } from './partition-work.js';

/** The partitions that are ours in one generation of the group, and the signal that fences their work afterwards. */
export interface Assignment {
  readonly generation: number;
  readonly works: readonly PartitionWork[];
  readonly stop: AbortSignal;
  work(partition: TopicPartition): PartitionWork | undefined;
  fence(): void;
}

export function openAssignment(
  generation: number,
  partitions: readonly PartitionOffset[],
  before: Assignment | undefined,
): Assignment {
  const works = partitions.map((partition) => new PartitionWork(partition, before?.work(partition)));
  const byName = new Map(works.map((work) => [work.name, work]));
  const fence = new AbortController();
  return {
    generation,
    works,
    stop: fence.signal,
    work: (partition) => byName.get(partitionName(partition)),
    fence: () => fence.abort(),
  };
}
