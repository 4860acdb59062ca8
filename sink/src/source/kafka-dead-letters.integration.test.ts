import { afterAll, expect, it } from '@jest/globals';
import { createLogger } from '@ossian/shared';
import { OutageError } from '../errors/outage-error.js';
import { RecordError } from '../errors/record-error.js';
import { deadLetter } from '../errors/reporters/dead-letter.js';
import type { ConsumedRecord } from '../record/consumed-record.js';
import { connectorSettings } from '../testing/connector-settings.js';
import { describeWithKafka } from '../testing/kafka-broker.js';
import { until } from '../testing/row-records.js';
import { KafkaDeadLetterQueue } from './kafka-dead-letters.js';
import { KafkaSource } from './kafka-source.js';

const logger = createLogger('test', 'silent');
const settingsFor = (broker: string, topic: string, replicationFactor: string) =>
  connectorSettings({
    'bootstrap.servers': broker,
    'errors.tolerance': 'all',
    'errors.deadletterqueue.topic.name': topic,
    'errors.deadletterqueue.topic.replication.factor': replicationFactor,
  });
const bad: ConsumedRecord = {
  topic: 'shop.articles',
  partition: 3,
  offset: 9007199254740993n,
  timestamp: 1764550000123n,
  key: Uint8Array.of(0, 255),
  value: null,
  headers: [
    { name: '__op', value: Buffer.from('u') },
    { name: '__op', value: Buffer.from('u') },
    { name: 'nothing', value: null },
  ],
};
const error = new RecordError('missing_columns', 'TASK_PUT', 'The row lacks column "body".');

describeWithKafka('the dead letter topic on a real broker', (broker) => {
  afterAll(() => broker.close());

  it('is made where it is missing, and keeps key, value, headers and timestamp as they were, with every context header', async () => {
    const topic = broker.name('dlq');
    const queue = new KafkaDeadLetterQueue(settingsFor(broker.address, topic, '1'), topic, logger);
    await queue.write([deadLetter(bad, error, { connector: 'shop', task: 2 })]);
    await queue.close();
    const letters: ConsumedRecord[] = [];
    const source = new KafkaSource(
      connectorSettings({ 'bootstrap.servers': broker.address, name: topic, topics: topic }),
      logger,
    );
    const stop = new AbortController();
    const ignore = (): void => undefined;
    const received = ({ records }: { records: readonly ConsumedRecord[] }) => void letters.push(...records);
    const running = source.run(
      { assigned: ignore, rebalancing: ignore, revoked: ignore, waiting: ignore, received },
      stop.signal,
    );
    await until(() => letters.length === 1, 'the letter');
    stop.abort();
    await running;
    const [letter] = letters;
    expect(letter).toMatchObject({ timestamp: 1764550000123n, value: null });
    // Older than the broker's retention by a year: it is still there after the broker has looked (every second).
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(await (await broker.admin()).fetchTopicOffsets(topic)).toMatchObject([{ low: '0', high: '1' }]);
    expect([...(letter?.key ?? [])]).toEqual([0, 255]);
    const headers = letter?.headers.map(({ name, value }) => [name, Buffer.from(value ?? []).toString()]) ?? [];
    expect(headers.filter(([name]) => name !== '__connect.errors.exception.stacktrace')).toEqual([
      ['__op', 'u'],
      ['__op', 'u'],
      ['nothing', ''],
      ['__connect.errors.topic', 'shop.articles'],
      ['__connect.errors.partition', '3'],
      ['__connect.errors.offset', '9007199254740993'],
      ['__connect.errors.connector.name', 'shop'],
      ['__connect.errors.task.id', '2'],
      ['__connect.errors.stage', 'TASK_PUT'],
      ['__connect.errors.class.name', 'ossian.task.WorkerSinkTask'],
      ['__connect.errors.exception.class.name', 'RecordError'],
      ['__connect.errors.exception.message', 'The row lacks column "body".'],
      ['__ossian.error.code', 'missing_columns'],
      ['__ossian.timestamp', '1764550000123'],
      ['__ossian.null.headers', '["nothing"]'],
    ]);
    expect(headers.find(([name]) => name === '__connect.errors.exception.stacktrace')?.[1]).toMatch(
      /^RecordError: The row lacks/,
    );
  });

  const heavy = (size: number, key: string | null = 'k'): ConsumedRecord => ({
    ...bad,
    key: key === null ? null : Buffer.from(key),
    value: new Uint8Array(size),
    headers: [],
  });
  const make = async (config: Record<string, string>): Promise<{ topic: string; queue: KafkaDeadLetterQueue }> => {
    const topic = broker.name('dlq');
    const configEntries = Object.entries(config).map(([name, value]) => ({ name, value }));
    await (await broker.admin()).createTopics({ waitForLeaders: true, topics: [{ topic, numPartitions: 1, configEntries }] });
    return { topic, queue: new KafkaDeadLetterQueue(settingsFor(broker.address, topic, '1'), topic, logger) };
  };

  it('takes letters that are over its limit together and not alone, and refuses a single one with the remedy', async () => {
    const { topic, queue } = await make({ 'max.message.bytes': '100000', 'retention.ms': '-1' });
    await queue.write(Array.from({ length: 20 }, () => heavy(30_000)));
    expect(await (await broker.admin()).fetchTopicOffsets(topic)).toMatchObject([{ high: '20' }]);
    await expect(queue.write([heavy(200_000)])).rejects.toThrow(/over the topic's max\.message\.bytes; raise it/);
    await queue.close();
  });

  it('is made anew where it was deleted meanwhile', async () => {
    const { topic, queue } = await make({ 'retention.ms': '-1' });
    await queue.write([bad]);
    await (await broker.admin()).deleteTopics({ topics: [topic] });
    const written = (): Promise<boolean> =>
      queue.write([bad]).then(
        () => true,
        (fault: unknown) => {
          if (OutageError.is(fault)) return false;
          throw fault;
        },
      );
    await until(written, 'a letter in the new topic', 15_000);
    await queue.close();
  });

  it('that is compacted refuses a letter without a key: the reason is no outage', async () => {
    const { queue } = await make({ 'cleanup.policy': 'compact' });
    await expect(queue.write([heavy(10, null)])).rejects.toThrow(/cleanup\.policy=compact/);
    await queue.close();
  });

  it('that cannot be made as configured fails with the remedy', async () => {
    const topic = broker.name('dlq');
    const queue = new KafkaDeadLetterQueue(settingsFor(broker.address, topic, '3'), topic, logger);
    await expect(queue.write([bad])).rejects.toThrow(/fewer brokers than errors\.deadletterqueue\.topic\.replication\.factor/);
    await queue.close();
  });
});

it('S5: a dead letter broker that is away is an outage', async () => {
  const queue = new KafkaDeadLetterQueue(settingsFor('127.0.0.1:9', 'dlq', '1'), 'dlq', logger);
  const fault: unknown = await queue.write([bad]).catch((thrown: unknown) => thrown);
  expect(OutageError.is(fault)).toBe(true);
  expect(String(fault)).toContain('127.0.0.1:9');
  await queue.close();
});
