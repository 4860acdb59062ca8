import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { createLogger } from '@ossian/shared';
import { type BackendDouble, misbehaviours, startBackendDouble } from '../testing/backend-double.js';
import { connectorSettings } from '../testing/connector-settings.js';
import { describeWithKafka } from '../testing/kafka-broker.js';
import { until } from '../testing/row-records.js';
import { runConnector, type RunningConnector } from './run-connector.js';

describeWithKafka('a connector on a real broker', (broker) => {
  let backend: BackendDouble;
  const running: RunningConnector[] = [];
  beforeEach(async () => {
    backend = await startBackendDouble();
  });
  afterEach(async () => {
    await stop(...running.splice(0));
    await backend.close();
  });
  afterAll(() => broker.close());

  const stop = async (...connectors: RunningConnector[]): Promise<void> => {
    for (const connector of connectors) connector.stop();
    await Promise.all(connectors.map(({ ended }) => ended));
  };
  const run = (changes: Record<string, string>): RunningConnector => {
    const settings = connectorSettings({
      'ossian.url': backend.url,
      'bootstrap.servers': broker.address,
      'consumer.override.session.timeout.ms': '6000',
      'consumer.override.heartbeat.interval.ms': '500',
      ...changes,
    });
    const connector = runConnector(settings, { logger: createLogger('test', 'silent'), timings: { commitInterval: 50 } });
    running.push(connector);
    return connector;
  };
  const assigned = (connector: RunningConnector): number => connector.status().flatMap(({ partitions }) => partitions).length;

  it('S1: delivers everything and commits it, also over a rebalance under load and a member that leaves', async () => {
    const topic = await broker.topic('load', 4);
    const name = broker.name('load');
    backend.delay = 5;
    await broker.sendRows(topic, 4_000, 4);
    const first = run({ name, topics: topic, 'batch.max.events': '50' });
    await until(() => backend.applied.length > 500, 'some delivered');
    const second = run({ name, topics: topic, 'batch.max.events': '50' });
    await until(() => assigned(first) === 2 && assigned(second) === 2, 'shared');
    await until(() => backend.applied.length > 2_000, 'more delivered');
    await stop(second);
    await broker.sendRows(topic, 400, 4, 4_000);
    await until(() => backend.applied.length === 4_400, 'all delivered', 30_000);
    await stop(first);
    expect(new Set(backend.applied).size).toBe(4_400);
    expect(await broker.committed(`connect-${name}`, topic)).toEqual(['1100', '1100', '1100', '1100']);
  });

  it('S5: keeps its group membership through an outage that is longer than the session', async () => {
    const topic = await broker.topic('outage', 2);
    const name = broker.name('outage');
    const connector = run({ name, topics: topic });
    await until(() => assigned(connector) === 2, 'assigned');
    const admin = await broker.admin();
    const members = async () =>
      (await admin.describeGroups([`connect-${name}`])).groups[0]?.members.map(({ memberId }) => memberId);
    const before = await members();
    backend.always = () => misbehaviours.unavailable;
    await broker.sendRows(topic, 20, 2);
    await until(() => backend.batches.length > 2, 'tried');
    await new Promise((resolve) => setTimeout(resolve, 8_000));
    expect(await members()).toEqual(before);
    expect(connector.status()[0]).toMatchObject({ state: 'RUNNING', trace: expect.stringContaining('503 database_away') });
    backend.always = undefined;
    await until(() => backend.applied.length === 20, 'delivered');
    expect(backend.applied).toHaveLength(20);
  });

  it('reports that it has caught up, again and again', async () => {
    const topic = await broker.topic('progress');
    await broker.sendRows(topic, 7);
    run({ name: broker.name('progress'), topics: topic });
    await until(() => backend.progress.some(({ partitions }) => partitions[0]?.committed === '7'), 'caught up');
    expect(backend.progress.at(-1)?.partitions).toEqual([{ topic, partition: 0, committed: '7', end: '7' }]);
  });

  it('S6: a key that is revoked in mid-stream stops it FAILED; with a good key it goes on from the last delivered record', async () => {
    const topic = await broker.topic('revoked');
    const name = broker.name('revoked');
    await broker.sendRows(topic, 30);
    backend.always = () => (backend.applied.length >= 10 ? misbehaviours.problem(401, 'unauthorized') : undefined);
    const dlq = `${topic}-dlq`;
    const tolerant = { 'errors.tolerance': 'all', 'errors.deadletterqueue.topic.name': dlq };
    const connector = run({ name, topics: topic, 'batch.max.events': '10', ...tolerant });
    expect((await connector.ended)[0]).toMatchObject({ state: 'FAILED', error: { code: 'unauthorized' } });
    expect(await broker.committed(`connect-${name}`, topic)).toEqual(['10']);
    expect(await (await broker.admin()).listTopics()).not.toContain(dlq);
    backend.always = undefined;
    run({ name, topics: topic, ...tolerant });
    await until(() => backend.applied.length === 30, 'the rest');
    expect(new Set(backend.applied).size).toBe(30);
    expect(backend.batches.filter(({ answered }) => answered).flatMap(({ events }) => events)).toHaveLength(30);
  });
});
