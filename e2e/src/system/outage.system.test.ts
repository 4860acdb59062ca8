import { expect } from '@jest/globals';
import { sleep } from '@ossian/shared';
import {
  compareCorpusWithTable,
  deadLetterConfig,
  type Fault,
  type FaultyProxy,
  outcomesByEvent,
  type ServerProcess,
  type Source,
} from '../harness/index.js';
import { systemTest } from '../harness/system-test.js';
import { waitUntil } from '../stack/index.js';

const articles = `create table articles (id bigint primary key, title text, body text)`;
const mapping = { table: 'articles', textFields: ['body'], titleField: 'title' };
/** Milliseconds after which a member that sends no heartbeat is out of the group: outages below last longer. */
const sessionTimeout = 3_000;
const config = {
  ...{ 'ossian.text.fields': 'body', 'ossian.title.field': 'title' },
  'retry.backoff.max.ms': '6000', // no shorter than what is asked for by Retry-After
  'consumer.override.session.timeout.ms': String(sessionTimeout),
  'consumer.override.heartbeat.interval.ms': '500',
};

/** Adds so many rows. */
async function insert(source: Source, rows: number): Promise<void> {
  await source.query(`insert into articles select id, 'Article ' || id, 'The visitor with the number ' || id || ' waits in the hall.'
    from (select coalesce(max(id), 0) as last from articles) as there, generate_series(last + 1, last + ${rows}) as id`);
}
const answer = (status: number, type: string, body: string, headers: Record<string, string> = {}): Fault => ({
  kind: 'answer',
  status,
  body,
  headers: { 'content-type': type, ...headers },
});
const problem = (status: number, code: string, headers?: Record<string, string>): Fault =>
  answer(status, 'application/problem+json', JSON.stringify({ type: 'about:blank', title: code, status, code }), headers);
const page = (status: number): Fault => answer(status, 'text/html', `<html><h1>${status}</h1><p>nginx</p></html>`);

/** Kills the server while it has a batch in hand, of which the sink gets no answer. */
async function killInMidBatch(server: ServerProcess, proxy: FaultyProxy, source: Source): Promise<void> {
  for (let attempt = 1; attempt <= 8; attempt += 1) {
    const seen = proxy.requests.length;
    const killed = new Promise<void>((resolve, reject) => {
      proxy.onEvents = () => {
        proxy.onEvents = undefined;
        setTimeout(() => void server.kill().then(resolve, reject), 20 * attempt);
      };
    });
    await insert(source, 250);
    await killed;
    const batch = proxy.requests.slice(seen).find(({ eventIds }) => eventIds.length > 0);
    if (batch?.status === 0) return;
    await server.start(); // it had answered already
  }
  throw new Error('the server was never killed in the middle of a batch');
}

for (const storage of ['postgres', 'embedded'] as const) {
  systemTest(
    `8: after 429, 503, a proxy's 400 and 413 and kill -9 in mid-batch everything is there once (${storage})`,
    async (scene) => {
      const source = await scene.source(articles);
      await insert(source, 10);
      await source.stream({ tables: ['articles'] });
      const topic = source.topic('articles');
      const server = await scene.server({ storage });
      const corpus = await scene.corpus(server);
      const proxy = await scene.proxy(server);
      const letters = await scene.topic('dlq');
      const sink = await scene.sink({
        server,
        corpus,
        topics: [topic],
        config: { ...config, ...deadLetterConfig(letters) },
        proxy,
      });
      await sink.caughtUp();
      const members = await scene.kafka.groupMembers(sink.group);
      expect(members).toHaveLength(1);

      const until = Math.floor(Date.now() / 1000) * 1000 + 6_000;
      const retryAt = { 'retry-after': new Date(until).toUTCString() };
      proxy.next(problem(429, 'rate_limited', { 'retry-after': '2' }), answer(429, 'text/html', 'later', retryAt));
      proxy.next(problem(503, 'database_away'), page(400), page(413));
      const seen = proxy.requests.length;
      await insert(source, 50);
      await sink.waitsFor(/429/);
      await source.settled();
      await sink.caughtUp();
      const tries = proxy.requests
        .slice(seen)
        .filter(({ eventIds }) => eventIds.length > 0)
        .slice(0, 6);
      expect(tries.map(({ status }) => status)).toEqual([429, 429, 503, 400, 413, 200]);
      for (const { eventIds } of tries) expect(eventIds).toEqual(tries[0]?.eventIds); // whole, and in its place
      const [first = 0, second = 0, third = 0] = tries.map(({ at }) => at);
      expect(second - first).toBeGreaterThanOrEqual(1_990);
      expect(third).toBeGreaterThanOrEqual(until - 10);

      await killInMidBatch(server, proxy, source);
      await sink.waitsFor(/cannot be reached/);
      await sleep(sessionTimeout + 1_000);
      await server.start();
      await source.settled();
      await sink.caughtUp();
      expect(await scene.kafka.groupMembers(sink.group)).toEqual(members);
      expect(await scene.kafka.end(letters)).toBe(0n);
      const outcomes = [...outcomesByEvent(proxy.requests).values()];
      expect(outcomes.filter((said) => !/^(applied|duplicate)$/.test(said.join()))).toEqual([]);
      const records = Number(await scene.kafka.end(topic));
      expect(outcomes).toHaveLength(records);
      await waitUntil(async () => (await sink.status())?.tasks[0]?.trace === undefined, 'the reasons for a wait to be gone');
      await corpus.embedded();
      expect(await corpus.statistics()).toMatchObject({ events: records, documents: records, chunks: records });
      expect(await compareCorpusWithTable(corpus, source, mapping)).toEqual([]);
    },
  );
}
