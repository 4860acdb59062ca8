import type { Logger } from '@ossian/shared';
import type { ConnectorSettings } from '../config/settings.js';
import { FatalError } from '../errors/fatal-error.js';
import { type Admin, type Consumer, createKafkaClient, type KafkaClient } from './kafka-client.js';
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
  const client = createKafkaClient(options, logger, 2);
  const admin = client.admin();
  try {
    await admin.connect();
    return await use(groupOffsets(client, admin, settings));
  } catch (error) {
    throw kafkaFault(error, options.brokers);
  } finally {
    await admin.disconnect();
  }
}

function groupOffsets(client: KafkaClient, admin: Admin, settings: ConnectorSettings): GroupOffsets {
  const { groupId } = client.options;
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
    set: (offsets) => commitAsOnlyMember(client.consumer(), groupId, offsets),
  };
}

/**
 * Commits as the group's only member: whoever joins beside us shows in the assignment, and nothing is committed then.
 * KafkaJS's own setOffsets waits five seconds for each topic.
 */
async function commitAsOnlyMember(consumer: Consumer, groupId: string, offsets: readonly PartitionOffset[]): Promise<void> {
  const topics = [...new Set(offsets.map(({ topic }) => topic))];
  try {
    await consumer.connect();
    await consumer.subscribe({ topics });
    const assignment = new Promise<Readonly<Record<string, readonly number[]>>>((resolve, reject) => {
      consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
        consumer.pause(topics.map((topic) => ({ topic })));
        resolve(payload.memberAssignment);
      });
      consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
    });
    await consumer.run({ autoCommit: false, eachBatch: () => Promise.resolve() });
    const ours = await assignment;
    if (offsets.some(({ topic, partition }) => ours[topic]?.includes(partition) !== true)) {
      throw new FatalError('group_active', `group ${groupId} is active: a sink has joined it just now; stop it first`);
    }
    await consumer.commitOffsets(offsets.map(({ topic, partition, offset }) => ({ topic, partition, offset: String(offset) })));
  } finally {
    await consumer.disconnect();
  }
}
