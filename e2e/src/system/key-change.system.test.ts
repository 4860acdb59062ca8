import { expect } from '@jest/globals';
import {
  compareCorpusWithTable,
  type Corpus,
  idsOnPartitions,
  longText,
  partitionOfEvent,
  type Scene,
  type Source,
} from '../harness/index.js';
import { systemTest } from '../harness/system-test.js';
import { waitUntil } from '../stack/index.js';

const config = { 'ossian.text.fields': 'body', 'ossian.title.field': 'title', 'batch.max.events': '1' };
const mapping = { table: 'articles', textFields: ['body'], titleField: 'title' };

/** A row with the first id and a stored-apart body, and one beside it that nothing happens to. */
async function tableWith(scene: Scene, id: number): Promise<Source> {
  const source = await scene.source(`create table articles (id bigint primary key, title text, body text);
    alter table articles alter column body set storage external`);
  const sql = `insert into articles values ($1, 'Old title', $2), (1000, 'Beside', 'The row beside it.')`;
  await source.query(sql, [id, longText('glaciers')]);
  return source;
}

/** The last update before the key change is in the text that has to come along: the body itself is not sent with the change. */
async function changeKey(source: Source, from: number, to: number): Promise<void> {
  await source.query('update articles set body = $2 where id = $1', [from, longText('volcanoes')]);
  await source.query(`update articles set id = $2, title = 'New title' where id = $1`, [from, to]);
  await source.settled();
}

/** What Debezium wrote for the change: a delete, its tombstone, and a create that lacks the body. @returns its partitions. */
async function halves(scene: Scene, topic: string, from: number, to: number) {
  const records = (await scene.kafka.consumeAll([topic])).filter(({ headers }) =>
    headers.some(([name]) => /^__debezium\.(old|new)key$/.test(name)),
  );
  const ofKey = (id: number) => records.filter(({ key }) => String(key) === `{"id":${id}}`);
  expect(ofKey(from)).toHaveLength(2);
  expect(ofKey(to).map(({ value }) => String(value))).toEqual([expect.stringContaining('"body":"__debezium_unavailable_value"')]);
  return { deletePartition: ofKey(from)[0]?.partition, createPartition: ofKey(to)[0]?.partition };
}

async function expectMoved(corpus: Corpus, source: Source, to: number): Promise<void> {
  const documents = await corpus.documents();
  expect(documents.map(({ key }) => key).sort()).toEqual([`id=${to}`, 'id=1000'].sort());
  const moved = documents.find(({ key }) => key === `id=${to}`);
  expect(moved).toMatchObject({ title: 'New title', sections: [{ name: 'body', text: longText('volcanoes') }] });
  expect(moved?.behind_since).toBeNull();
  await corpus.embedded();
  expect(await corpus.placesOf('glaciers', 'What is known about glaciers?')).toEqual([]);
  expect((await corpus.ask('What is known about volcanoes?')).citations[0]?.key).toBe(`id=${to}`);
  expect(await compareCorpusWithTable(corpus, source, mapping)).toEqual([]);
}

systemTest('4: a key change of a row with a TOASTed body leaves one document with its latest text', async (scene) => {
  const source = await tableWith(scene, 1);
  await source.stream({ tables: ['articles'] });
  const topic = source.topic('articles');
  const server = await scene.server({ storage: 'embedded' });
  const corpus = await scene.corpus(server);
  const sink = await scene.sink({ server, corpus, topics: [topic], config });
  await sink.caughtUp();
  await changeKey(source, 1, 2);
  await halves(scene, topic, 1, 2);
  await sink.caughtUp();
  await expectMoved(corpus, source, 2);
  // And back again, under a key that had a document before.
  await source.query(`update articles set id = 1 where id = 2`);
  await source.settled();
  await sink.caughtUp();
  await expectMoved(corpus, source, 1);
});

for (const first of ['delete', 'create'] as const) {
  systemTest(`4: a key change over two of four partitions, its ${first} half first, leaves the latest text`, async (scene) => {
    const [from = 0, to = 0] = idsOnPartitions([0, 3], 4);
    const source = await tableWith(scene, from);
    await source.stream({ tables: ['articles'], partitions: 4 });
    const topic = source.topic('articles');
    const server = await scene.server();
    const corpus = await scene.corpus(server);
    const proxy = await scene.proxy(server);
    const sink = await scene.sink({ server, corpus, topics: [topic], config, proxy });
    await sink.caughtUp();

    const release = proxy.hold((id) => partitionOfEvent(id) === (first === 'delete' ? 3 : 0));
    await changeKey(source, from, to);
    expect(await halves(scene, topic, from, to)).toEqual({ deletePartition: 0, createPartition: 3 });
    const find = async (id: number) => (await corpus.documents()).find(({ key }) => key === `id=${id}`);
    if (first === 'delete') {
      await waitUntil(async () => (await find(from)) === undefined, 'the delete half');
      expect(await find(to)).toBeUndefined();
    } else {
      await waitUntil(async () => (await find(to)) !== undefined, 'the create half');
      // It says that something is missing, and the old document, its update included, is as it was.
      expect(await find(to)).toMatchObject({ title: 'New title', sections: [], behind_since: expect.any(String) });
      expect(await find(from)).toMatchObject({ sections: [{ text: longText('glaciers') }] });
    }
    release();
    await sink.caughtUp();
    await expectMoved(corpus, source, to);
  });
}
