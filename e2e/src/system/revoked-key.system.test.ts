import { expect } from '@jest/globals';
import {
  compareCorpusWithTable,
  deadLetterConfig,
  deliveredUpTo,
  outcomesByEvent,
  placeOfEvent,
  type ServerProcess,
} from '../harness/index.js';
import { systemTest } from '../harness/system-test.js';
import { waitUntil } from '../stack/index.js';

const articles = `create table articles (id bigint primary key, title text, body text);
insert into articles select id, 'Article ' || id, 'The visitor with the number ' || id || ' waits in the hall.'
  from generate_series(1, 300) as id`;

interface Key {
  id: string;
  key: string;
}
const createKey = (server: ServerProcess, corpus: string): Promise<Key> =>
  server.client.request('POST', 'v1/keys', { name: 'sink', scopes: ['ingest'], corpora: [corpus] });

systemTest('9: a revoked key stops the task with nothing lost or dead-lettered; with a good key it goes on', async (scene) => {
  const source = await scene.source(articles);
  await source.stream({ tables: ['articles'], partitions: 2 });
  const topic = source.topic('articles');
  const server = await scene.server();
  const corpus = await scene.corpus(server);
  const key = await createKey(server, corpus.name);
  const proxy = await scene.proxy(server);
  proxy.always({ kind: 'delay', milliseconds: 20 });
  const letters = await scene.topic('dlq');
  const config = {
    ...{ 'ossian.text.fields': 'body', 'ossian.title.field': 'title', 'batch.max.events': '3', 'ossian.api.key': key.key },
    ...deadLetterConfig(letters),
  };
  const sink = await scene.sink({ server, corpus, topics: [topic], config, proxy });
  await waitUntil(() => Promise.resolve(outcomesByEvent(proxy.requests).size > 60), 'the stream to be under way');
  await server.client.request('DELETE', `v1/keys/${key.id}`);

  const { code, output } = await sink.failed();
  expect(code).toBe(1);
  expect(output).toMatch(/FAILED after \d+ records/);
  expect(output).toMatch(/401 unauthorized: this key .*was revoked.*set ossian\.api\.key to a key with the scope ingest/);
  expect(output).not.toContain(key.key);
  const delivered = deliveredUpTo(proxy.requests);
  expect(outcomesByEvent(proxy.requests).size).toBeLessThan(300);
  expect(await scene.kafka.committed(sink.group, topic)).toEqual(delivered);
  expect(await scene.kafka.end(letters)).toBe(0n);

  const seen = proxy.requests.length;
  await sink.start({ 'ossian.api.key': (await createKey(server, corpus.name)).key });
  await sink.caughtUp();
  const again = proxy.requests.slice(seen).flatMap(({ eventIds }) => eventIds.map(placeOfEvent));
  for (const [partition, offset] of delivered) expect(again.find((place) => place.partition === partition)?.offset).toBe(offset);
  // Nothing twice, and nothing left out.
  const outcomes = outcomesByEvent(proxy.requests);
  expect([...outcomes.values()].filter((said) => said.join() !== 'applied')).toEqual([]);
  expect(outcomes.size).toBe(300);
  expect(await scene.kafka.end(letters)).toBe(0n);
  await corpus.embedded();
  expect(await compareCorpusWithTable(corpus, source, { table: 'articles', textFields: ['body'], titleField: 'title' })).toEqual(
    [],
  );
});
