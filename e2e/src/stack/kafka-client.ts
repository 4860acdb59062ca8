import { type Admin, type IHeaders, Kafka, type KafkaMessage, logLevel, type Message } from 'kafkajs';
import { sleep } from '@ossian/shared';
import { StackError } from './stack-error.js';

/** One record as it lies in the topic. Offset and timestamp (milliseconds) are decimal text. */
export interface TopicRecord {
  topic: string;
  partition: number;
  offset: string;
  timestamp: string;
  key: Buffer | null;
  value: Buffer | null;
  /** In the order of names; a name that was sent twice stands twice. */
  headers: readonly (readonly [string, Buffer | null])[];
}
export interface PartitionOffsets {
  partition: number;
  low: bigint;
  /** The offset that the next record will get. */
  high: bigint;
}

/** Reads and writes topics of the stack's broker for tests: what a test sees does not go through the code under test. */
export class KafkaClient {
  readonly #kafka: Kafka;
  readonly #admin: Admin;

  private constructor(kafka: Kafka) {
    this.#kafka = kafka;
    this.#admin = kafka.admin();
  }
  static async connect(bootstrap: string): Promise<KafkaClient> {
    const client = new KafkaClient(new Kafka({ clientId: 'ossian-e2e', brokers: [bootstrap], logLevel: logLevel.NOTHING }));
    await client.#admin.connect();
    return client;
  }
  async close(): Promise<void> {
    await this.#admin.disconnect();
  }

  /** Names of all topics but Kafka's and Connect's own. */
  async topics(): Promise<string[]> {
    const all = await this.#admin.listTopics();
    return all.filter((topic) => !/^(_connect_|__consumer_|__transaction_state|__share)/.test(topic)).sort();
  }
  async createTopic(topic: string, partitions = 1, config: Record<string, string> = {}): Promise<void> {
    const configEntries = Object.entries(config).map(([name, value]) => ({ name, value }));
    await this.#admin.createTopics({ topics: [{ topic, numPartitions: partitions, replicationFactor: 1, configEntries }] });
  }
  /** Deletes topics and waits until the broker does not list them any more. */
  async deleteTopics(topics: readonly string[]): Promise<void> {
    const there = new Set(await this.#admin.listTopics());
    const doomed = topics.filter((topic) => there.has(topic));
    if (doomed.length === 0) return;
    await this.#admin.deleteTopics({ topics: doomed });
    await waitUntil(
      async () => !(await this.#admin.listTopics()).some((topic) => doomed.includes(topic)),
      'the topics to be deleted',
    );
  }
  /** Deletes all records before an offset, as retention would. */
  async deleteRecordsBefore(topic: string, partition: number, offset: bigint): Promise<void> {
    await this.#admin.deleteTopicRecords({ topic, partitions: [{ partition, offset: String(offset) }] });
  }

  /** Where each partition begins and ends; empty while the topic is not there. */
  async offsets(topic: string): Promise<PartitionOffsets[]> {
    if (!(await this.#admin.listTopics()).includes(topic)) return [];
    const offsets = await this.#admin.fetchTopicOffsets(topic);
    return offsets.map(({ partition, low, high }) => ({ partition, low: BigInt(low), high: BigInt(high) }));
  }
  /** How many records a topic has or had, over all partitions. */
  async end(topic: string): Promise<bigint> {
    return (await this.offsets(topic)).reduce((sum, { high }) => sum + high, 0n);
  }
  async waitForEnd(topic: string, atLeast: number | bigint, milliseconds = 60_000): Promise<void> {
    await waitUntil(async () => (await this.end(topic)) >= BigInt(atLeast), `${topic} to reach ${atLeast} records`, milliseconds);
  }

  /** Committed offsets by partition; -1 where there is none. */
  async committed(group: string, topic: string): Promise<Map<number, bigint>> {
    const [found] = await this.#admin.fetchOffsets({ groupId: group, topics: [topic] });
    return new Map(found?.partitions.map(({ partition, offset }) => [partition, BigInt(offset)]));
  }
  async setCommitted(group: string, topic: string, offsets: ReadonlyMap<number, bigint>): Promise<void> {
    const partitions = [...offsets].map(([partition, offset]) => ({ partition, offset: String(offset) }));
    await this.#admin.setOffsets({ groupId: group, topic, partitions });
  }
  async groupMembers(group: string): Promise<{ memberId: string; clientId: string }[]> {
    const { groups } = await this.#admin.describeGroups([group]);
    return groups[0]?.members.map(({ memberId, clientId }) => ({ memberId, clientId })) ?? [];
  }
  /** Deletes a group that has no members; one that is not there is fine. */
  async deleteGroup(group: string): Promise<void> {
    const { groups } = await this.#admin.listGroups();
    if (groups.some(({ groupId }) => groupId === group)) await this.#admin.deleteGroups([group]);
  }

  async produce(topic: string, messages: Message[]): Promise<void> {
    const producer = this.#kafka.producer();
    await producer.connect();
    try {
      await producer.send({ topic, messages, acks: -1 });
    } finally {
      await producer.disconnect();
    }
  }

  /** Every record that the topics hold now, in the order of topic, partition, offset. */
  async consumeAll(topics: readonly string[], milliseconds = 60_000): Promise<TopicRecord[]> {
    const missing = new Map<string, bigint>();
    for (const topic of topics)
      for (const { partition, low, high } of await this.offsets(topic))
        if (high > low) missing.set(`${topic}/${partition}`, high);
    if (missing.size === 0) return [];
    const records: TopicRecord[] = [];
    const groupId = `e2e-reader-${process.pid}-${Date.now()}-${Math.random().toString(36).slice(2)}`;
    const consumer = this.#kafka.consumer({ groupId, maxWaitTimeInMs: 200, maxBytesPerPartition: 8 << 20 });
    await consumer.connect();
    try {
      await consumer.subscribe({
        topics: [...new Set([...missing.keys()].map((key) => key.slice(0, key.lastIndexOf('/'))))],
        fromBeginning: true,
      });
      await consumer.run({
        autoCommit: false,
        eachBatch: ({ batch }) => {
          for (const message of batch.messages)
            if (!isControl(message)) records.push(toRecord(batch.topic, batch.partition, message));
          const key = `${batch.topic}/${batch.partition}`;
          const wanted = missing.get(key);
          if (wanted !== undefined && BigInt(batch.lastOffset()) + 1n >= wanted) missing.delete(key);
          return Promise.resolve();
        },
      });
      await waitUntil(() => Promise.resolve(missing.size === 0), `the ends of ${topics.join(', ')} to be read`, milliseconds);
    } finally {
      await consumer.disconnect();
    }
    await this.deleteGroup(groupId);
    return records.sort(compareRecords);
  }
}

export async function waitUntil(condition: () => Promise<boolean>, what: string, milliseconds = 60_000): Promise<void> {
  const deadline = Date.now() + milliseconds;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new StackError(`waited ${milliseconds / 1000} s in vain for ${what}`);
    await sleep(50);
  }
}

const isControl = (message: KafkaMessage): boolean => (message as { isControlRecord?: boolean }).isControlRecord === true;

function compareRecords(a: TopicRecord, b: TopicRecord): number {
  if (a.topic !== b.topic) return a.topic < b.topic ? -1 : 1;
  return a.partition - b.partition || Number(BigInt(a.offset) - BigInt(b.offset));
}

function toRecord(topic: string, partition: number, message: KafkaMessage): TopicRecord {
  const { offset, timestamp, key, value } = message;
  return { topic, partition, offset, timestamp, key, value, headers: flattenHeaders(message.headers ?? {}) };
}

/** A header that was sent twice arrives as an array. */
function flattenHeaders(headers: IHeaders): (readonly [string, Buffer | null])[] {
  return Object.entries(headers).flatMap(([name, values]) =>
    (Array.isArray(values) ? values : [values]).map((value) => [name, value === undefined ? null : Buffer.from(value)] as const),
  );
}
