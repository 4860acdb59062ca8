import type { Logger } from '@ossian/shared';
import type { ConnectorSettings } from '../config/settings.js';
import { FatalError } from '../errors/fatal-error.js';
import type { DeadLetterQueue } from '../errors/reporters/dead-letter.js';
import type { ConsumedRecord } from '../record/consumed-record.js';
import { type Admin, createKafkaClient, type KafkaClient, type Message, type Producer } from './kafka-client.js';
import { kafkaFault } from './kafka-faults.js';
import { kafkaOptions, producerSettings } from './kafka-options.js';

/** Names the headers whose value was null: KafkaJS cannot write a null value, so that they arrive as empty ones. */
export const nullHeadersHeader = '__ossian.null.headers';

/**
 * The dead letter topic. A letter is kept when all in-sync replicas have it (acks=all). The topic is made where it is
 * missing, with one partition and the configured replication factor, as Kafka Connect makes it, but without a time limit:
 * letters have their records' timestamps, and retention would delete an old record's letter at once.
 */
export class KafkaDeadLetterQueue implements DeadLetterQueue {
  readonly #topic: string;
  readonly #replicationFactor: number;
  readonly #client: KafkaClient;
  readonly #logger: Logger;
  #producer: Promise<Producer> | undefined;
  /** Milliseconds that the topic keeps a record; undefined: for good. */
  #retention: number | undefined;

  /** @throws FatalError (`kafka_configuration`). */
  constructor(settings: ConnectorSettings, topic: string, logger: Logger) {
    const kafka = producerSettings(settings.kafka);
    const options = { ...kafkaOptions({ name: settings.name, kafka }), clientId: `connector-dlq-producer-${settings.name}-0` };
    this.#topic = topic;
    this.#logger = logger;
    this.#replicationFactor = settings.tolerance.deadLetterReplicationFactor;
    // The caller tries again without end, and says why it waits: few tries here.
    this.#client = createKafkaClient(options, logger, 2);
  }

  async write(letters: readonly ConsumedRecord[]): Promise<void> {
    try {
      const producer = await (this.#producer ??= this.#open());
      for (const part of parts(letters)) await this.#send(producer, part);
      this.#warnOfRetention(letters);
    } catch (error) {
      // A topic that was deleted meanwhile is looked for, and made, at the next try.
      if (typesOf(error).includes('UNKNOWN_TOPIC_OR_PARTITION')) await this.close();
      throw this.#faultOf(error);
    }
  }

  /** The broker's limit is on all that is sent at once: what is over it goes in halves, down to the single letter. */
  async #send(producer: Producer, letters: readonly ConsumedRecord[]): Promise<void> {
    try {
      await producer.send({ topic: this.#topic, acks: -1, messages: letters.map(messageOf) });
    } catch (error) {
      const isTooLarge = typesOf(error).some((type) => type === 'MESSAGE_TOO_LARGE' || type === 'RECORD_LIST_TOO_LARGE');
      if (!isTooLarge || letters.length === 1) throw error;
      const middle = Math.ceil(letters.length / 2);
      await this.#send(producer, letters.slice(0, middle));
      await this.#send(producer, letters.slice(middle));
    }
  }

  async close(): Promise<void> {
    const producer = await this.#producer?.catch(() => undefined);
    this.#producer = undefined;
    await producer?.disconnect();
  }

  async #open(): Promise<Producer> {
    try {
      await this.#makeTopic();
      const producer = this.#client.producer();
      await producer.connect();
      return producer;
    } catch (error) {
      this.#producer = undefined;
      throw error;
    }
  }

  async #makeTopic(): Promise<void> {
    const admin = this.#client.admin();
    await admin.connect();
    try {
      if ((await admin.listTopics()).includes(this.#topic)) this.#retention = await readRetention(admin, this.#topic);
      else {
        const configEntries = [{ name: 'retention.ms', value: '-1' }];
        const topic = { topic: this.#topic, numPartitions: 1, replicationFactor: this.#replicationFactor, configEntries };
        await admin.createTopics({ topics: [topic], waitForLeaders: true });
      }
    } finally {
      await admin.disconnect();
    }
  }

  #warnOfRetention(letters: readonly ConsumedRecord[]): void {
    const retention = this.#retention;
    if (retention === undefined) return;
    const old = letters.find(({ timestamp }) => timestamp >= 0n && Date.now() - Number(timestamp) > retention);
    if (old === undefined) return;
    this.#retention = undefined;
    const { topic, partition, offset } = old;
    this.#logger.warn(
      { topic, partition, offset: String(offset) },
      `the dead letter of a record that is older than retention.ms of ${this.#topic} is deleted soon: set it to -1 on that topic`,
    );
  }

  #faultOf(error: unknown): Error {
    const fault = kafkaFault(error, this.#client.options.brokers);
    if (FatalError.is(fault)) return fault;
    const remedy = Object.entries(remedies).find(([type]) => typesOf(error).includes(type))?.[1];
    if (remedy === undefined) return fault;
    return new FatalError('dead_letter_topic', `dead letters cannot go to topic ${this.#topic}: ${remedy}`, { cause: error });
  }
}

/** `retention.ms` of a topic; undefined where there is no limit, or it cannot be read. */
async function readRetention(admin: Admin, name: string): Promise<number | undefined> {
  const topicResource = 2;
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: [{ type: topicResource, name, configNames: ['retention.ms'] }],
  });
  const value = Number(resources[0]?.configEntries.find(({ configName }) => configName === 'retention.ms')?.configValue ?? -1);
  return value >= 0 ? value : undefined;
}

/** What no waiting mends. */
const remedies: Readonly<Record<string, string>> = {
  INVALID_REPLICATION_FACTOR:
    'there are fewer brokers than errors.deadletterqueue.topic.replication.factor says (default 3); set it, or make the topic',
  INVALID_TOPIC_EXCEPTION: 'errors.deadletterqueue.topic.name is no name that Kafka takes',
  MESSAGE_TOO_LARGE: "a letter (the record and its context headers) is over the topic's max.message.bytes; raise it",
  RECORD_LIST_TOO_LARGE: "the letters are over the broker's limit; raise message.max.bytes",
  INVALID_RECORD: 'the broker refuses a letter; with cleanup.policy=compact a topic takes none without a key: set it to delete',
  INVALID_TIMESTAMP:
    "letters have their records' timestamps, and the topic refuses one; correct message.timestamp.before.max.ms and message.timestamp.after.max.ms",
  POLICY_VIOLATION: 'a policy of the broker refuses to make it; make the topic',
};

/** Bytes that are sent at once, below the broker's default limit (max.message.bytes, 1 MiB). */
const partBytes = 512 * 1024;

/** Letters in parts, in their order; a larger one alone. */
function parts(letters: readonly ConsumedRecord[]): ConsumedRecord[][] {
  const all: ConsumedRecord[][] = [];
  let room = 0;
  for (const letter of letters) {
    const size = (letter.key?.length ?? 0) + (letter.value?.length ?? 0);
    const last = all.at(-1);
    if (last === undefined || size > room) {
      all.push([letter]);
      room = partBytes - size;
    } else {
      last.push(letter);
      room -= size;
    }
  }
  return all;
}

function typesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const own = 'type' in error && typeof error.type === 'string' ? [error.type] : [];
  const inner: unknown[] = 'errors' in error && Array.isArray(error.errors) ? error.errors : [];
  return [...own, ...inner.flatMap(typesOf), ...typesOf(error.cause)];
}

function messageOf(record: ConsumedRecord): Message {
  const headers = new Map<string, Buffer[]>();
  const add = (name: string, value: Uint8Array): void => {
    headers.set(name, [...(headers.get(name) ?? []), bufferOf(value)]);
  };
  for (const { name, value } of record.headers) add(name, value ?? new Uint8Array());
  const nulls = record.headers.filter(({ value }) => value === null).map(({ name }) => name);
  if (nulls.length > 0) add(nullHeadersHeader, Buffer.from(JSON.stringify(nulls)));
  return {
    key: record.key && bufferOf(record.key),
    value: record.value && bufferOf(record.value),
    headers: Object.fromEntries(headers),
    ...(record.timestamp < 0n ? {} : { timestamp: String(record.timestamp) }),
  };
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
