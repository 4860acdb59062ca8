import { expect } from '@jest/globals';
import { sleep } from '@ossian/shared';
import {
  compareCorpusWithTable,
  type FaultyProxy,
  loadedTable,
  loadedTableConfig,
  loadedTableMapping,
  outcomesByEvent,
  placeOfEvent,
  type SeenRequest,
  seededRandom,
  startTableLoad,
  testSeed,
} from '../harness/index.js';
import { systemTest } from '../harness/system-test.js';
import { waitUntil } from '../stack/index.js';

// A killed member is noticed soon.
const session = { 'consumer.override.session.timeout.ms': '1500', 'consumer.override.heartbeat.interval.ms': '300' };
const kills = 20;
const eventsOf = (requests: readonly SeenRequest[]): string[] => requests.flatMap(({ eventIds }) => eventIds);
const partitionsOf = (requests: readonly SeenRequest[]): number[] =>
  [...new Set(eventsOf(requests).map((id) => placeOfEvent(id).partition))].sort();
/** Waits until the backend has taken so many events more, counted from this request. */
const delivers = (proxy: FaultyProxy, from: number, events: number): Promise<void> =>
  waitUntil(
    () => Promise.resolve(outcomesByEvent(proxy.requests.slice(from)).size >= events),
    `${events} events to be delivered`,
  );

systemTest(
  '10: a sink that is killed twenty times under load delivers again what was not committed, and the corpus equals the table',
  async (scene) => {
    const random = seededRandom(testSeed('10'));
    const source = await scene.source(loadedTable);
    await source.stream({ tables: ['articles'], partitions: 2 });
    const server = await scene.server();
    const corpus = await scene.corpus(server);
    const proxy = await scene.proxy(server);
    // Slow and in small batches, so that there is always something under way.
    proxy.always({ kind: 'delay', milliseconds: 25 });
    const load = startTableLoad(source, { random });
    await source.settled();
    const config = { ...loadedTableConfig, ...session, 'batch.max.events': '5' };
    const sink = await scene.sink({ server, corpus, topics: [source.topic('articles')], config, proxy });
    const began: number[] = [];
    for (let kill = 1; kill <= kills; kill += 1) {
      began.push(proxy.requests.length);
      // Most in the midst of their work, some while they start.
      if (kill % 10 !== 0) await delivers(proxy, began.at(-1) ?? 0, 1);
      await sleep(random() * 1200);
      await sink.kill();
      await sink.start();
    }
    began.push(proxy.requests.length);
    await load.stop();
    await source.settled();
    await sink.caughtUp();

    const lives = began.map((start, life) => new Set(eventsOf(proxy.requests.slice(start, began[life + 1]))));
    const cameAgain = (life: number): boolean =>
      lives.slice(life + 1).some((later) => [...(lives[life] ?? [])].some((id) => later.has(id)));
    const redelivering = lives.slice(0, kills).filter((_, life) => cameAgain(life)).length;
    expect(redelivering).toBeGreaterThanOrEqual(15);
    await corpus.embedded();
    expect((await corpus.statistics()).events).toBe(Number(await scene.kafka.end(source.topic('articles'))));
    expect(await compareCorpusWithTable(corpus, source, loadedTableMapping)).toEqual([]);
  },
  500_000,
);

systemTest(
  '11: of two sinks on four partitions one is killed: the other takes over, and the corpus equals the table',
  async (scene) => {
    const random = seededRandom(testSeed('11'));
    const source = await scene.source(loadedTable);
    await source.stream({ tables: ['articles'], partitions: 4 });
    const topic = source.topic('articles');
    const server = await scene.server();
    const corpus = await scene.corpus(server);
    const load = startTableLoad(source, { random });
    await source.settled();
    const config = { ...loadedTableConfig, ...session, 'batch.max.events': '5' };
    const [doomedProxy, proxy] = [await scene.proxy(server), await scene.proxy(server)];
    const doomed = await scene.sink({ server, corpus, topics: [topic], config, proxy: doomedProxy });
    await delivers(doomedProxy, 0, 20);
    const survivor = await scene.sink({ server, corpus, topics: [topic], config, proxy });
    await delivers(proxy, 0, 20);
    // They share the partitions now.
    const [before, since] = [doomedProxy.requests.length, proxy.requests.length];
    const shares = (): number[][] => [
      partitionsOf(doomedProxy.requests.slice(before)),
      partitionsOf(proxy.requests.slice(since)),
    ];
    await waitUntil(() => Promise.resolve(new Set(shares().flat()).size === 4), 'all partitions to be delivered by the two');
    expect(shares().map(({ length }) => length)).toEqual([2, 2]);

    await doomed.kill();
    const killed = proxy.requests.length;
    await waitUntil(() => Promise.resolve(partitionsOf(proxy.requests.slice(killed)).length === 4), 'the other to take over');
    await load.stop();
    await source.settled();
    await survivor.caughtUp();
    await corpus.embedded();
    expect((await corpus.statistics()).events).toBe(Number(await scene.kafka.end(topic)));
    expect(await compareCorpusWithTable(corpus, source, loadedTableMapping)).toEqual([]);
  },
);
