import type { Admin } from './kafka-client.js';
import type { PartitionOffset, TopicPartition } from './record-source.js';
import type { LogRange } from './start-offset.js';

/** A group's committed offset and the log's range, for one partition. */
export interface PartitionState extends TopicPartition {
  /** The next offset to be read; undefined where the group has none. */
  readonly committed: bigint | undefined;
  readonly log: LogRange;
}

/** @returns every partition of the topics, in order. Throws what KafkaJS throws. */
export async function readPartitionStates(admin: Admin, groupId: string, topics: readonly string[]): Promise<PartitionState[]> {
  const [groups, ranges] = await Promise.all([
    admin.fetchOffsets({ groupId, topics: [...topics] }),
    Promise.all(topics.map((topic) => readRanges(admin, topic))),
  ]);
  const committed = new Map<string, bigint>();
  for (const { topic, partitions } of groups) {
    // A negative number is none at all; some tools store -1 and -2 literally.
    for (const { partition, offset } of partitions)
      if (BigInt(offset) >= 0n) committed.set(`${topic}/${partition}`, BigInt(offset));
  }
  return ranges.flat().map((entry) => ({ ...entry, committed: committed.get(`${entry.topic}/${entry.partition}`) }));
}

async function readRanges(admin: Admin, topic: string): Promise<(TopicPartition & { log: LogRange })[]> {
  const offsets = await admin.fetchTopicOffsets(topic);
  return offsets
    .map(({ partition, low, high }) => ({ topic, partition, log: { low: BigInt(low), high: BigInt(high) } }))
    .sort((a, b) => a.partition - b.partition);
}

/** The logs' ends. A topic that is gone is left out. */
export async function readEndOffsets(admin: Admin, partitions: readonly TopicPartition[]): Promise<PartitionOffset[]> {
  const topics = [...new Set(partitions.map(({ topic }) => topic))];
  const ranges = (await Promise.all(topics.map((topic) => readRanges(admin, topic)))).flat();
  const wanted = new Set(partitions.map(({ topic, partition }) => `${topic}/${partition}`));
  return ranges
    .filter(({ topic, partition }) => wanted.has(`${topic}/${partition}`))
    .map(({ topic, partition, log }) => ({ topic, partition, offset: log.high }));
}
