import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createLogger } from '@ossian/shared';
import { connectorSettings } from '../testing/connector-settings.js';
import { describeWithKafka } from '../testing/kafka-broker.js';
import { until } from '../testing/row-records.js';
import { runConnector } from '../worker/run-connector.js';

const bin = new URL('../../bin/ossian-sink.js', import.meta.url).pathname;
const offsets = (...words: string[]): Promise<{ code: number; out: string; err: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [bin, 'offsets', ...words], (error, out, err) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err });
    });
  });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ossian-offsets-'));
});
afterAll(() => rm(folder, { recursive: true }));
const configFile = async (name: string, topics: string, broker: string): Promise<string> => {
  const path = join(folder, `${name}.properties`);
  const lines = [`name=${name}`, `topics=${topics}`, `bootstrap.servers=${broker}`, 'ossian.url=http://127.0.0.1:1'];
  await writeFile(path, [...lines, 'ossian.api.key=k', 'ossian.corpus=kb', 'ossian.text.fields=body'].join('\n'));
  return path;
};

describeWithKafka('offsets on a real broker', (broker) => {
  afterAll(() => broker.close());

  it('are set as numbers, reset, moved to a time, and a dry run changes nothing', async () => {
    const topic = await broker.topic('offsets', 2);
    const began = Date.now() - 60_000;
    const at = [0, 1_000, 2_000, 3_000].map((later) => String(began + later));
    await broker.send(
      topic,
      at.map((timestamp) => ({ value: 'x', partition: 0, timestamp })),
    );
    const name = broker.name('o');
    const config = await configFile(name, topic, broker.address);
    const committed = () => broker.committed(`connect-${name}`, topic);

    expect(await offsets('set', '--config', config, '--topic', topic, '--partition', '0', '--to', '3')).toMatchObject({
      code: 0,
    });
    expect(await committed()).toEqual(['3', undefined]);
    const dry = await offsets('reset', '--config', config, '--dry-run');
    expect(dry.out).toContain(`${topic}-0 would go from 3 to 0: up to 3 records are replayed`);
    expect(await committed()).toEqual(['3', undefined]);
    await offsets('set', '--config', config, '--to', new Date(began + 1_500).toISOString());
    expect(await committed()).toEqual(['2', '0']);
    await offsets('set', '--config', config, '--to', 'latest');
    expect(await committed()).toEqual(['4', '0']);
    await offsets('reset', '--config', config);
    expect(await committed()).toEqual(['0', '0']);
    const list = await offsets('list', '--config', config);
    expect(list.out).toContain(`Group connect-${name}: no sink runs`);
    expect(list.out).toContain(`${topic}-0  committed 0  log 0 to 4  lag 4`);
  });

  it('are refused outside the log, for a topic that is not read, and without saying which partition', async () => {
    const topic = await broker.topic('refused', 2);
    const config = await configFile(broker.name('f'), topic, broker.address);
    const outside = await offsets('set', '--config', config, '--topic', topic, '--partition', '0', '--to', '99');
    expect(outside).toMatchObject({ code: 2, err: expect.stringContaining(`outside ${topic}-0, which holds 0 to 0`) });
    expect(await offsets('set', '--config', config, '--to', '0')).toMatchObject({ code: 2 });
    expect(await offsets('list', '--config', config, '--topic', 'another')).toMatchObject({ code: 2 });
    expect((await offsets('set', '--config', config, '--to', 'yesterday')).err).toContain('none of earliest, latest');
    const missing = await configFile(broker.name('m'), 'no-such-topic', broker.address);
    expect(await offsets('list', '--config', missing)).toMatchObject({ code: 2, err: expect.stringContaining('no-such-topic') });
  });

  it('are refused while the group is active, and it is said who holds it', async () => {
    const topic = await broker.topic('active');
    await broker.sendRows(topic, 3);
    const name = broker.name('active');
    const settings = connectorSettings({ 'bootstrap.servers': broker.address, name, topics: topic });
    const connector = runConnector(settings, { logger: createLogger('test', 'silent') });
    try {
      await until(() => connector.status()[0]?.partitions.length === 1, 'assigned');
      const config = await configFile(name, topic, broker.address);
      const refused = await offsets('reset', '--config', config);
      expect(refused.code).toBe(1);
      expect(refused.err).toContain(`group connect-${name} is active, held by connector-consumer-${name}-0 on 127.0.0.1`);
      expect((await offsets('list', '--config', config)).out).toContain('held by connector-consumer-');
    } finally {
      connector.stop();
      await connector.ended;
    }
  });
});

it('a broker that is out of reach ends the command with code 3 and one line', async () => {
  const config = await configFile('away', 't', '127.0.0.1:9');
  const { code, err } = await offsets('list', '--config', config);
  expect(code).toBe(3);
  expect(err.trim().split('\n')).toEqual([
    expect.stringMatching(/^ossian-sink: Kafka at 127\.0\.0\.1:9 cannot be reached: .*ECONNREFUSED/),
  ]);
});
