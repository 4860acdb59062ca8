import { partitionName, type PartitionOffset, type TopicPartition } from '../source/record-source.js';
import { PartitionWork } from './partition-work.js';

/** The partitions that are ours in one generation of the group, and the signal that fences their work afterwards. */
export interface Assignment {
  readonly generation: number;
  readonly works: readonly PartitionWork[];
  /** Work of older generations, of partitions that are not ours now, whose last request is still under way. */
  readonly left: readonly PartitionWork[];
  readonly stop: AbortSignal;
  work(partition: TopicPartition): PartitionWork | undefined;
  fence(): void;
}

/** @param before the last assignment: a partition sends nothing before what it had under way in there has been answered. */
export function openAssignment(
  generation: number,
  partitions: readonly PartitionOffset[],
  before: Assignment | undefined,
): Assignment {
  const busy = [...(before?.works ?? []), ...(before?.left ?? [])].filter((work) => work.busy);
  const older = new Map(busy.map((work) => [work.name, work]));
  const works = partitions.map((partition) => new PartitionWork(partition, older.get(partitionName(partition))));
  const byName = new Map(works.map((work) => [work.name, work]));
  const fence = new AbortController();
  return {
    generation,
    works,
    left: busy.filter((work) => !byName.has(work.name)),
    stop: fence.signal,
    work: (partition) => byName.get(partitionName(partition)),
    fence: () => fence.abort(),
  };
}
