import { afterAll, afterEach, expect, it } from '@jest/globals';
import { createLogger } from '@ossian/shared';
import type { ConsumedRecord } from '../record/consumed-record.js';
import { connectorSettings } from '../testing/connector-settings.js';
import { describeWithKafka } from '../testing/kafka-broker.js';
import { until } from '../testing/row-records.js';
import { KafkaSource } from './kafka-source.js';
import type { PartitionOffset, ReceivedRecords } from './record-source.js';

/** A source that runs, and what it has told. */
class RunningSource {
  readonly source: KafkaSource;
  readonly records: ConsumedRecord[] = [];
  readonly received: ReceivedRecords[] = [];
  readonly reasons: (string | undefined)[] = [];
  assigned: readonly PartitionOffset[] = [];
  generation = -1;
  assignments = 0;
  error: unknown;
  readonly ended: Promise<void>;
  readonly #stop = new AbortController();

  constructor(settings: ReturnType<typeof connectorSettings>, onAssigned: (running: RunningSource) => void = () => undefined) {
    this.source = new KafkaSource(settings, createLogger('test', 'silent'));
    const listener = {
      assigned: (generation: number, partitions: readonly PartitionOffset[]) => {
        this.generation = generation;
        this.assigned = partitions;
        this.assignments += 1;
        onAssigned(this);
      },
      rebalancing: () => undefined,
      revoked: () => {
        this.assigned = [];
      },
      received: (received: ReceivedRecords) => {
        this.received.push(received);
        this.records.push(...received.records);
      },
      waiting: (reason: string | undefined) => void this.reasons.push(reason),
    };
    this.ended = this.source.run(listener, this.#stop.signal).catch((error: unknown) => {
      this.error = error;
    });
  }
  get position(): string | undefined {
    const last = this.received.at(-1);
    return last && String(last.position);
  }
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.ended;
  }
}

describeWithKafka('a consumer group on a real broker', (broker) => {
  const running: RunningSource[] = [];
  const run = (changes: Record<string, string>, onAssigned?: (source: RunningSource) => void): RunningSource => {
    const settings = connectorSettings({
      'bootstrap.servers': broker.address,
      'consumer.override.session.timeout.ms': '6000',
      'consumer.override.heartbeat.interval.ms': '500',
      ...changes,
    });
    const source = new RunningSource(settings, onAssigned);
    running.push(source);
    return source;
  };
  afterEach(async () => {
    await Promise.all(running.splice(0).map((source) => source.stop()));
  });
  afterAll(() => broker.close());

  it('gives records as bytes, with repeated headers as many, whatever compressed them', async () => {
    const topic = await broker.topic('codecs');
    const now = Date.now();
    const big = Buffer.from(Array.from({ length: 50_000 }, (_, index) => (index * 7919 + (index >> 7)) & 255));
    for (const compression of [0, 1, 2, 3, 4]) {
      const headers = { __op: [Buffer.from('u'), Buffer.from('u')], other: Buffer.from([0, 255]) };
      await broker.send(topic, [{ key: null, value: big, headers, timestamp: String(now) }], compression);
    }
    const source = run({ name: broker.name('c'), topics: topic });
    await until(() => source.records.length === 5, 'five records');
    for (const [index, record] of source.records.entries()) {
      expect(record).toMatchObject({ topic, partition: 0, offset: BigInt(index), timestamp: BigInt(now), key: null });
      expect(Buffer.from(record.value ?? []).equals(big)).toBe(true);
      expect(record.headers.map(({ name, value }) => [name, Buffer.from(value ?? []).toString('hex')])).toEqual([
        ['__op', '75'],
        ['__op', '75'],
        ['other', '00ff'],
      ]);
    }
  });

  it('passes transactions’ gaps and markers: the position comes to the log’s end', async () => {
    const topic = await broker.topic('gaps');
    const client = await import('kafkajs');
    const producer = new client.default.Kafka({ brokers: [broker.address], logLevel: 0 }).producer({
      transactionalId: topic,
      idempotent: true,
      maxInFlightRequests: 1,
    });
    await producer.connect();
    for (const commit of [true, false, true, false]) {
      const transaction = await producer.transaction();
      await transaction.send({ topic, messages: [{ value: commit ? 'kept' : 'aborted' }] });
      await (commit ? transaction.commit() : transaction.abort());
    }
    await producer.disconnect();
    const source = run({ name: broker.name('g'), topics: topic });
    await until(() => source.position === '8', 'the end, behind the last marker');
    expect(source.records.map(({ offset, value }) => `${offset} ${Buffer.from(value ?? []).toString()}`)).toEqual([
      '0 kept',
      '4 kept',
    ]);
    expect(await source.source.endOffsets(source.assigned)).toEqual([{ topic, partition: 0, offset: 8n }]);
  });

  it('S1: two members share the partitions; what a member lost it can commit no more; one that leaves is followed', async () => {
    const topic = await broker.topic('shared', 4);
    await broker.sendRows(topic, 40, 4);
    const name = broker.name('s');
    const first = run({ name, topics: topic });
    await until(() => first.records.length === 40, 'all to the first');
    const old = first.generation;
    expect(await first.source.commit(old, [{ topic, partition: 0, offset: 3n }])).toBe(true);
    const second = run({ name, topics: topic });
    await until(() => first.assigned.length === 2 && second.assigned.length === 2, 'two each');
    const both = [...first.assigned, ...second.assigned].map(({ partition }) => partition);
    expect(both.sort()).toEqual([0, 1, 2, 3]);
    const owner = [first, second].find(({ assigned }) => assigned.some(({ partition }) => partition === 0));
    expect(owner?.assigned.find(({ partition }) => partition === 0)?.offset).toBe(3n);
    expect(await first.source.commit(old, [{ topic, partition: 1, offset: 9n }])).toBe(false);
    expect(await broker.committed(`connect-${name}`, topic)).toEqual(['3', undefined, undefined, undefined]);
    await second.stop();
    await until(() => first.assigned.length === 4, 'all four again');
  });

  it('S1: a committed offset below the log fails with the range, and stays what it was', async () => {
    const topic = await broker.topic('below');
    await broker.sendRows(topic, 10);
    const name = broker.name('b');
    const admin = await broker.admin();
    await admin.setOffsets({ groupId: `connect-${name}`, topic, partitions: [{ partition: 0, offset: '2' }] });
    await broker.deleteRecords(topic, '5');
    const source = run({ name, topics: topic });
    await source.ended;
    expect(String(source.error)).toMatch(/committed offset 2 of .* is gone: the log holds 5 to 10, so 3 offsets were deleted/);
    expect(source.records).toEqual([]);
    expect(await broker.committed(`connect-${name}`, topic)).toEqual(['2']);
    const other = run({ name, topics: topic, 'ossian.offset.out.of.range': 'earliest' });
    await until(() => other.records.length === 5, 'what is left');
    expect(await broker.committed(`connect-${name}`, topic)).toEqual(['5']);
  });

  it('S1: a committed offset above the log fails with the range, and stays what it was', async () => {
    const topic = await broker.topic('above');
    await broker.sendRows(topic, 3);
    const name = broker.name('a');
    const admin = await broker.admin();
    await admin.setOffsets({ groupId: `connect-${name}`, topic, partitions: [{ partition: 0, offset: '7' }] });
    const source = run({ name, topics: topic });
    await source.ended;
    expect(String(source.error)).toMatch(/committed offset 7 of .* is beyond the log: the log holds 0 to 3/);
    expect(await broker.committed(`connect-${name}`, topic)).toEqual(['7']);
    const other = run({ name, topics: topic, 'ossian.offset.out.of.range': 'latest' });
    await until(async () => (await broker.committed(`connect-${name}`, topic))[0] === '3', 'the end is committed');
    await broker.sendRows(topic, 1, 1, 3);
    await until(() => other.records.length === 1, 'the next record');
  });

  it('S1: a log that is cut while it is read fails too, before the client moves the offset by itself', async () => {
    const topic = await broker.topic('cut');
    await broker.sendRows(topic, 4);
    const name = broker.name('d');
    const source = run({ name, topics: topic });
    await until(() => source.records.length === 4, 'four');
    expect(await source.source.commit(source.generation, [{ topic, partition: 0, offset: 4n }])).toBe(true);
    source.source.pause({ topic, partition: 0 });
    await new Promise((resolve) => setTimeout(resolve, 400));
    await broker.sendRows(topic, 6, 1, 4);
    await broker.deleteRecords(topic, '8');
    source.source.resume({ topic, partition: 0 });
    await source.ended;
    expect(String(source.error)).toMatch(/committed offset 4 of .* is gone: the log holds 8 to 10/);
    expect(source.records).toHaveLength(4);
    expect(await broker.committed(`connect-${name}`, topic)).toEqual(['4']);
  });

  it('S1: a topic that is deleted and made again at once is read from its beginning', async () => {
    const topic = await broker.topic('again');
    await broker.sendRows(topic, 20);
    const source = run({ name: broker.name('c'), topics: topic });
    await until(() => source.records.length === 20, 'the old topic');
    expect(await source.source.commit(source.generation, [{ topic, partition: 0, offset: 20n }])).toBe(true);
    await broker.replaceTopic(topic, 60);
    await until(() => source.records.length >= 60 && source.position === '60', 'the end of the new topic', 20_000);
    expect(source.records.slice(20).map(({ offset }) => offset)).toEqual(
      Array.from({ length: 60 }, (_, offset) => BigInt(offset)),
    );
  });

  it('waits for a topic that does not exist yet, and takes up those that come to match a regex later', async () => {
    const prefix = broker.name('later');
    const source = run({
      name: broker.name('r'),
      topics: '',
      'topics.regex': `${prefix}\\..*`,
      'consumer.override.metadata.max.age.ms': '500',
    });
    await until(() => source.reasons.at(-1)?.includes('no topic matches topics.regex') === true, 'the reason');
    await broker.makeTopic(`${prefix}.one`);
    await broker.sendRows(`${prefix}.one`, 1);
    await until(() => source.records.length === 1, 'the first topic');
    expect(source.reasons.at(-1)).toBeUndefined();
    await broker.makeTopic(`${prefix}.two`);
    await broker.sendRows(`${prefix}.two`, 1);
    await until(() => source.records.some(({ topic }) => topic === `${prefix}.two`), 'the second topic');
  });

  it('a partition that was paused by its owner on assignment is not fetched until it is resumed', async () => {
    const topic = await broker.topic('held', 2);
    await broker.sendRows(topic, 10, 2);
    const source = run({ name: broker.name('h'), topics: topic }, ({ source: kafka }) => kafka.pause({ topic, partition: 0 }));
    await until(() => source.records.length === 5, 'the other partition');
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(source.records.every(({ partition }) => partition === 1)).toBe(true);
    source.source.resume({ topic, partition: 0 });
    await until(() => source.records.length === 10, 'both');
  });
});

it('a broker that is out of reach is waited for, with the reason, and the wait ends at the stop', async () => {
  const source = new RunningSource(connectorSettings({ 'bootstrap.servers': '127.0.0.1:9' }));
  // At once what it does, while the client still tries by itself; then why it has to wait.
  expect(source.reasons).toEqual(['connecting to Kafka at 127.0.0.1:9']);
  await until(() => source.reasons.length > 1, 'a reason', 15_000);
  expect(source.reasons.at(-1)).toMatch(/^Kafka at 127\.0\.0\.1:9 cannot be reached: .*ECONNREFUSED/);
  await source.stop();
  expect(source.error).toBeUndefined();
});
