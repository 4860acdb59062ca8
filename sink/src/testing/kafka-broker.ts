import { describe, it } from '@jest/globals';
import { createLogger } from '@ossian/shared';
import { type Admin, createKafkaClient, type Message, type Producer } from '../source/kafka-client.js';
import { kafkaOptions } from '../source/kafka-options.js';
import { readPartitionStates } from '../source/kafka-offsets.js';
import { connectorSettings } from './connector-settings.js';

const address = process.env['OSSIAN_TEST_KAFKA'];

/** Tests against the real broker at OSSIAN_TEST_KAFKA; without one they are skipped, or fail where OSSIAN_STACK=required. */
export function describeWithKafka(title: string, body: (broker: TestBroker) => void): void {
  if (address !== undefined) describe(title, () => body(new TestBroker(address)));
  else if (process.env['OSSIAN_STACK'] === 'required') {
    describe(title, () => {
      it('needs a broker', () => {
        throw new Error('OSSIAN_TEST_KAFKA is unset, and OSSIAN_STACK=required');
      });
    });
  } else describe.skip(title, () => body(new TestBroker('127.0.0.1:1')));
}

let names = 0;

/** A broker with what tests do to it. Topics and groups have names of their own, so that tests do not meet. */
export class TestBroker {
  readonly address: string;
  readonly #client: ReturnType<typeof createKafkaClient>;
  #admin: Promise<Admin> | undefined;
  #producer: Promise<Producer> | undefined;

  constructor(broker: string) {
    this.address = broker;
    const settings = connectorSettings({ 'bootstrap.servers': broker });
    this.#client = createKafkaClient(kafkaOptions(settings), createLogger('test', 'silent'));
  }

  name(prefix: string): string {
    names += 1;
    return `${prefix}-${process.pid}-${Date.now().toString(36)}-${names}`;
  }
  async admin(): Promise<Admin> {
    this.#admin ??= (async () => {
      const admin = this.#client.admin();
      await admin.connect();
      return admin;
    })();
    return this.#admin;
  }
  async producer(): Promise<Producer> {
    this.#producer ??= (async () => {
      const producer = this.#client.producer();
      await producer.connect();
      return producer;
    })();
    return this.#producer;
  }
  async topic(prefix: string, partitions = 1): Promise<string> {
    const topic = this.name(prefix);
    await this.makeTopic(topic, partitions);
    return topic;
  }
  async makeTopic(topic: string, partitions = 1): Promise<void> {
    await (await this.admin()).createTopics({ waitForLeaders: true, topics: [{ topic, numPartitions: partitions }] });
  }
  async send(topic: string, messages: Message[], compression = 0): Promise<void> {
    await (await this.producer()).send({ topic, messages, compression, acks: -1 });
  }
  /** Rows of a flattened table, spread over the partitions. */
  async sendRows(topic: string, count: number, partitions = 1, first = 0): Promise<void> {
    const messages = Array.from({ length: count }, (_, index) => ({
      key: JSON.stringify({ id: first + index }),
      value: JSON.stringify({ id: first + index, body: `text ${first + index}` }),
      partition: index % partitions,
    }));
    await this.send(topic, messages);
  }
  /** Deletes a topic and, as soon as the broker lets it, makes it anew with so many rows. */
  async replaceTopic(topic: string, rows: number): Promise<void> {
    const admin = await this.admin();
    await admin.deleteTopics({ topics: [topic] });
    await persist(() => this.makeTopic(topic));
    await persist(() => this.sendRows(topic, rows));
  }
  /** Cuts the beginning of a log off. The broker refuses it for a moment after a write. */
  async deleteRecords(topic: string, before: string): Promise<void> {
    const admin = await this.admin();
    await persist(() => admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: before }] }));
  }
  async committed(group: string, topic: string): Promise<(string | undefined)[]> {
    const states = await readPartitionStates(await this.admin(), group, [topic]);
    return states.map(({ committed }) => (committed === undefined ? undefined : String(committed)));
  }
  async close(): Promise<void> {
    await (await this.#admin)?.disconnect();
    await (await this.#producer)?.disconnect();
    this.#admin = undefined;
    this.#producer = undefined;
  }
}

/** Tries again for a while. */
async function persist(work: () => Promise<unknown>): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (attempt === 20) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
