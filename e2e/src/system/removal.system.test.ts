import { expect } from '@jest/globals';
import {
  compareCorpusWithTable,
  type Corpus,
  deadLetterConfig,
  partitionOf,
  partitionOfEvent,
  readDeadLetters,
  type Scene,
  type Source,
} from '../harness/index.js';
import { systemTest } from '../harness/system-test.js';
import { waitUntil } from '../stack/index.js';

const config = { 'ossian.text.fields': 'body', 'ossian.title.field': 'title' };
const mapping = { table: 'articles', textFields: ['body'], titleField: 'title' };
const animals = ['aardvark', 'buffalo', 'cormorant', 'dolphin', 'echidna', 'flamingo', 'gazelle', 'hedgehog'];
/** One row for each animal, with ids from 1. */
const zoo = `create table articles (id bigint primary key, title text, body text);
insert into articles select id, 'About the ' || animal, 'The ' || animal || ' is fed at ' || (id + 6) || ' in the morning.'
  from unnest(string_to_array('${animals.join()}', ',')) with ordinality as rows (animal, id)`;

async function backend(scene: Scene) {
  const server = await scene.server();
  return { server, corpus: await scene.corpus(server) };
}
const keys = async (corpus: Corpus): Promise<string[]> => (await corpus.documents()).map(({ key }) => key).sort();
const placesOfAnimal = (corpus: Corpus, id: number): Promise<string[]> =>
  corpus.placesOf(animals[id - 1] ?? '', `When is the ${animals[id - 1]} fed?`);

systemTest('3: a delete with its tombstone, without it, and as a bare tombstone removes document and chunks', async (scene) => {
  const source = await scene.source(zoo);
  await source.stream({ tables: ['articles'] });
  const topic = source.topic('articles');
  const { server, corpus } = await backend(scene);
  const sink = await scene.sink({ server, corpus, topics: [topic], config });
  await sink.caughtUp();
  await corpus.embedded();
  expect(await placesOfAnimal(corpus, 1)).toContain('citations');

  await source.query('delete from articles where id = 1');
  await source.settled();
  // Other connectors go on from the same slot.
  await source.stopStreaming();
  const onward = { tables: ['articles'], overrides: { 'snapshot.mode': 'no_data' } };
  const without = { ...onward.overrides, 'tombstones.on.delete': 'false' };
  await source.stream({ ...onward, connector: 'without', overrides: without });
  await source.query('delete from articles where id = 2');
  await source.settled();
  await source.stopStreaming();
  await source.stream({ ...onward, connector: 'flat', form: 'flat-tombstone' });
  await source.query('delete from articles where id = 3');
  await source.settled();
  await sink.caughtUp();

  // What Debezium wrote. (A JsonConverter without schemas writes the flattened delete as the JSON text null.)
  const deletes = (await scene.kafka.consumeAll([topic])).slice(animals.length);
  const op = /"op":"d"/;
  expect(deletes.map(({ key, value }) => [String(key), value && String(value)])).toEqual([
    ['{"id":1}', expect.stringMatching(op)],
    ['{"id":1}', null],
    ['{"id":2}', expect.stringMatching(op)],
    ['{"id":3}', 'null'],
  ]);
  expect(await corpus.statistics()).toMatchObject({ documents: 5, chunks: 5, embeddings_pending: 0 });
  for (const id of [1, 2, 3]) expect(await placesOfAnimal(corpus, id)).toEqual([]);
  expect(await compareCorpusWithTable(corpus, source, mapping)).toEqual([]);
});

systemTest('3: a blanked row disappears; a renamed column dead-letters and its document stays, marked', async (scene) => {
  const source = await scene.source(zoo);
  await source.stream({ tables: ['articles'] });
  const topic = source.topic('articles');
  const { server, corpus } = await backend(scene);
  const letters = await scene.topic('dlq');
  const sink = await scene.sink({ server, corpus, topics: [topic], config: { ...config, ...deadLetterConfig(letters) } });
  await source.query(`update articles set body = null where id = 1; update articles set body = E' \\n' where id = 2`);
  await source.settled();
  await sink.caughtUp();
  expect(await corpus.statistics()).toMatchObject({ documents: 6, chunks: 6 });
  for (const id of [1, 2]) expect(await placesOfAnimal(corpus, id)).toEqual([]);

  await source.query(`alter table articles rename column body to content; update articles set title = 'New' where id in (3, 4)`);
  await source.settled();
  await sink.caughtUp();
  const dead = await readDeadLetters(scene.kafka, letters);
  expect(dead.map(({ key, headers }) => [String(key), headers['__ossian.error.code']])).toEqual([
    ['{"id":3}', 'columns_missing'],
    ['{"id":4}', 'columns_missing'],
  ]);
  expect(dead[0]?.headers['__connect.errors.exception.message']).toContain('"body"');
  await corpus.embedded();
  expect(await keys(corpus)).toEqual(['id=3', 'id=4', 'id=5', 'id=6', 'id=7', 'id=8']);
  await expectBehind(corpus, [3, 4]);

  // The column is back: a complete row clears the mark.
  await source.query(
    `alter table articles rename column content to body; update articles set title = 'Newer' where id in (3, 4)`,
  );
  await source.settled();
  await sink.caughtUp();
  await expectBehind(corpus, []);
  expect(await compareCorpusWithTable(corpus, source, mapping)).toEqual([]);
});

/** Of the rows 3 to 8, these and no others say everywhere that they are behind, and answer from what was known. */
async function expectBehind(corpus: Corpus, ids: readonly number[]): Promise<void> {
  const isTime = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/);
  const statistics = await corpus.statistics();
  expect(statistics.sources).toMatchObject([{ behind: ids.length }]);
  for (const document of await corpus.documents()) {
    const id = Number(document.key.replace('id=', ''));
    const question = `When is the ${animals[id - 1]} fed?`;
    const expected = ids.includes(id) ? isTime : null;
    expect(document.behind_since).toEqual(expected);
    for (const leg of ['lexical', 'vector', 'fused'] as const) {
      const hit = (await corpus.search(question, leg)).find(({ key }) => key === document.key);
      expect(hit).toMatchObject({ text: expect.stringContaining(animals[id - 1] ?? ''), behind_since: expected });
    }
    const { citations } = await corpus.ask(question);
    expect(citations.find(({ key }) => key === document.key)).toMatchObject({ behind_since: expected });
  }
}

async function truncateAndInsert(source: Source): Promise<void> {
  await source.query(`update articles set title = 'Changed before' where id < 5; truncate articles;
    insert into articles select id, 'Again', 'The visitor number ' || id || ' may come in.' from generate_series(5, 16) as id`);
  await source.settled();
}

systemTest('3: a truncate on one partition clears the table, and rows inserted after it stay', async (scene) => {
  const source = await scene.source(zoo);
  await source.stream({ tables: ['articles'] });
  const { server, corpus } = await backend(scene);
  const sink = await scene.sink({ server, corpus, topics: [source.topic('articles')], config });
  await sink.caughtUp();
  expect(await corpus.statistics()).toMatchObject({ documents: 8 });
  await truncateAndInsert(source);
  await sink.caughtUp();
  await corpus.embedded();
  expect(await corpus.statistics()).toMatchObject({ documents: 12, chunks: 12 });
  for (const id of [1, 5]) expect(await placesOfAnimal(corpus, id)).toEqual([]);
  expect(await compareCorpusWithTable(corpus, source, mapping)).toEqual([]);
});

for (const place of ['first', 'last'] as const) {
  systemTest(`3: a truncate on four partitions that arrives ${place} clears the table, and later rows stay`, async (scene) => {
    const source = await scene.source(zoo);
    await source.stream({ tables: ['articles'], partitions: 4 });
    const topic = source.topic('articles');
    await truncateAndInsert(source);
    const truncates = (await scene.kafka.consumeAll([topic])).filter(({ key, value }) => key === null && value !== null);
    expect(truncates).toHaveLength(1);
    const [truncate] = truncates;

    // The sink starts when all is there, and some partitions are held back: that of the truncate, or the others.
    const { server, corpus } = await backend(scene);
    const proxy = await scene.proxy(server);
    const isTruncates = (partition: number): boolean => partition === truncate?.partition;
    const isHeld = (partition: number): boolean => isTruncates(partition) === (place === 'last');
    const release = proxy.hold((id) => isHeld(partitionOfEvent(id)));
    const sink = await scene.sink({ server, corpus, topics: [topic], config: { ...config, 'batch.max.events': '1' }, proxy });
    const free = [5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16].filter((id) => !isHeld(partitionOf(`{"id":${id}}`, 4)));
    expect(free.length).toBeGreaterThan(0);
    const arrived = async (): Promise<boolean> =>
      (await corpus.documents()).filter(({ title }) => title === 'Again').length === free.length;
    await waitUntil(arrived, 'the partitions that are not held back');
    release();
    await sink.caughtUp();
    await corpus.embedded();
    expect(await corpus.statistics()).toMatchObject({ documents: 12, chunks: 12 });
    for (const id of [1, 5]) expect(await placesOfAnimal(corpus, id)).toEqual([]);
    expect(await compareCorpusWithTable(corpus, source, mapping)).toEqual([]);
  });
}
