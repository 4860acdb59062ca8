import type { Logger } from '@ossian/shared';
import type { ConnectorSettings } from '../config/settings.js';
import { FatalError } from '../errors/fatal-error.js';
import { type Admin, createKafkaClient } from './kafka-client.js';
import { kafkaFault } from './kafka-faults.js';
import { type PartitionState, readPartitionStates } from './kafka-offsets.js';
import { kafkaOptions } from './kafka-options.js';
import type { PartitionOffset } from './record-source.js';
import { matchTopics } from './topic-match.js';

export interface GroupMember {
  readonly clientId: string;
  readonly host: string;
}

/** A connector's consumer group, seen from outside it. */
export interface GroupOffsets {
  readonly groupId: string;
  /** Every partition of the connector's topics. */
  states(): Promise<PartitionState[]>;
  /** Who holds the group now. */
  members(): Promise<readonly GroupMember[]>;
  /** The first offset at or after a time (milliseconds since 1970); the log's end where there is none. */
  offsetsAt(topic: string, timestamp: number): Promise<readonly PartitionOffset[]>;
  /** Only while the group has no member. */
  set(offsets: readonly PartitionOffset[]): Promise<void>;
}

/**
 * Opens a connector's group, and closes it when `use` is done.
 *
 * @throws OutageError where the broker is out of reach; FatalError where it refuses us or a topic is missing.
 */
export async function withGroupOffsets<T>(
  settings: ConnectorSettings,
  logger: Logger,
  use: (group: GroupOffsets) => Promise<T>,
): Promise<T> {
  const options = kafkaOptions(settings);
  const admin = createKafkaClient(options, logger, 2).admin();
  try {
    await admin.connect();
    return await use(groupOffsets(admin, settings, options.groupId));
  } catch (error) {
    throw kafkaFault(error, options.brokers);
  } finally {
    await admin.disconnect();
  }
}

function groupOffsets(admin: Admin, settings: ConnectorSettings, groupId: string): GroupOffsets {
  return {
    groupId,
    states: async () => {
      const { topics, missing } = matchTopics(settings, await admin.listTopics());
      if (missing !== undefined) throw new FatalError('command', `${missing}: correct topics, or make it first`);
      return readPartitionStates(admin, groupId, topics);
    },
    members: async () => {
      const { groups } = await admin.describeGroups([groupId]);
      return (groups[0]?.members ?? []).map(({ clientId, clientHost }) => ({ clientId, host: clientHost.replace(/^\//, '') }));
    },
    offsetsAt: async (topic, timestamp) => {
      const [found, ends] = await Promise.all([
        admin.fetchTopicOffsetsByTimestamp(topic, timestamp),
        admin.fetchTopicOffsets(topic),
      ]);
      return found.map(({ partition, offset }) => {
        const end = ends.find((entry) => entry.partition === partition)?.high ?? '0';
        return { topic, partition, offset: BigInt(BigInt(offset) < 0n ? end : offset) };
      });
    },
    set: async (offsets) => {
      for (const topic of new Set(offsets.map((entry) => entry.topic))) {
        const partitions = offsets
          .filter((entry) => entry.topic === topic)
          .map(({ partition, offset }) => ({ partition, offset: String(offset) }));
        await admin.setOffsets({ groupId, topic, partitions });
      }
    },
  };
}
