import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@ossian/shared';
import { until } from '../testing/row-records.js';
import { ConsumerSession } from './consumer-session.js';
import type { Consumer, KafkaClient } from './kafka-client.js';
import type { ReceivedRecords } from './record-source.js';

/** KafkaJS's consumer, as far as a session uses it; the test joins and fetches in its place. */
class ConsumerDouble {
  readonly events = new Proxy({}, { get: (_target, name) => name }) as Consumer['events'];
  readonly seeks: string[] = [];
  readonly resolved: string[] = [];
  readonly #listeners = new Map<string, (event: { payload: unknown }) => void>();
  #eachBatch: (payload: unknown) => Promise<void> = () => Promise.resolve();

  on(name: string, listener: (event: { payload: unknown }) => void): void {
    this.#listeners.set(name, listener);
  }
  connect = () => Promise.resolve();
  subscribe = () => Promise.resolve();
  disconnect = () => Promise.resolve();
  pause = () => undefined;
  resume = () => undefined;
  seek = ({ offset }: { offset: string }) => void this.seeks.push(offset);
  run = ({ eachBatch }: { eachBatch: (payload: unknown) => Promise<void> }) => {
    this.#eachBatch = eachBatch;
    this.#listeners.get('GROUP_JOIN')?.({ payload: { memberAssignment: { t: [0] } } });
    return Promise.resolve();
  };
  /** A fetch from an offset that brought these. */
  async fetch(fetchedOffset: string, ...offsets: string[]): Promise<void> {
    const messages = offsets.map((offset) => ({ offset, timestamp: '0', key: null, value: null, headers: {} }));
    const batch = { topic: 't', partition: 0, fetchedOffset, highWatermark: '99', messages, lastOffset: () => offsets.at(-1) };
    await this.#eachBatch({ batch, resolveOffset: (offset: string) => void this.resolved.push(offset) });
  }
}

async function start() {
  const consumer = new ConsumerDouble();
  const received: ReceivedRecords[] = [];
  let assigned = false;
  const session = new ConsumerSession({
    client: { consumer: () => consumer as unknown as Consumer, options: { brokers: [] } } as unknown as KafkaClient,
    topics: ['t'],
    logger: createLogger('test', 'silent'),
    nextGeneration: () => 1,
    findStarts: () => Promise.resolve(new Map([['t-0', { offset: 10n, commit: false }]])),
    listener: {
      assigned: () => void (assigned = true),
      rebalancing: () => undefined,
      revoked: () => undefined,
      received: (one) => void received.push(one),
      waiting: () => undefined,
    },
  });
  session.start();
  await until(() => assigned && consumer.seeks.length === 1, 'started');
  return { consumer, offsets: () => received.flatMap(({ records }) => records.map(({ offset }) => Number(offset))) };
}

describe('a consumer’s batches', () => {
  it('S1: one that does not begin where the one before ended is thrown away and fetched again from there', async () => {
    const { consumer, offsets } = await start();
    await consumer.fetch('10', '10', '12');
    // As KafkaJS would go on after it had moved to the log's end, or with a batch from before a rebalance.
    await consumer.fetch('40', '40', '41');
    expect(offsets()).toEqual([10, 12]);
    expect(consumer.seeks).toEqual(['10', '13']);
    expect(consumer.resolved).toEqual(['12']);
    await consumer.fetch('13', '20');
    expect(offsets()).toEqual([10, 12, 20]);
  });
  it('S3: records that came before are not handed on again', async () => {
    const { consumer, offsets } = await start();
    await consumer.fetch('10', '10', '11');
    await consumer.fetch('10', '10', '11', '12');
    expect(offsets()).toEqual([10, 11, 12]);
  });
});
