import { expect } from '@jest/globals';
import {
  compareCorpusWithTable,
  type Corpus,
  countOutcomes,
  longText,
  outcomesByEvent,
  type Scene,
  type ServerProcess,
} from '../harness/index.js';
import { systemTest } from '../harness/system-test.js';

const config = { 'ossian.text.fields': 'body', 'ossian.title.field': 'title' };
const mapping = { table: 'articles', textFields: ['body'], titleField: 'title' };
const articles = `create table articles (id bigint primary key, title text, body text, notes text);
alter table articles alter column body set storage external;
insert into articles select id, 'Article ' || id, 'The visitor with the number ' || id || ' waits in the hall.',
  'Room ' || id || ' is kept free.' from generate_series(1, 30) as id;
insert into articles values (31, 'Whales', '${longText('whales')}', 'Seen near the coast.')`;
/** Everything that can happen to a row, more than once to some. */
const history = [
  `update articles set body = 'The visitor with the number ' || id || ' has left.' where id <= 10`,
  `update articles set title = 'Changed again' where id <= 5`,
  `delete from articles where id in (5, 6)`,
  `update articles set body = ' ' where id in (7, 8)`,
  `update articles set id = 40 where id = 20`,
  // Its body is TOASTed: the record under the new key has none, and takes it from the old document.
  `update articles set id = 41 where id = 31`,
  `insert into articles values (6, 'Came again', 'Number 6 came back in the evening.', null)`,
];

/** All that a replay must leave as it is. A vector that is made again has another xmin. */
async function everything(scene: Scene, server: ServerProcess, corpus: Corpus): Promise<unknown> {
  await corpus.embedded();
  const { documents, chunks, events } = await corpus.statistics();
  const read = (sql: string) => scene.database(server).query(sql);
  return {
    ...{ documents, chunks, events },
    embeddings: await read(`select model_id, encode(hash, 'hex') as hash, xmin::text from embeddings order by model_id, hash`),
    chunkRows: await read(`select id, xmin::text, text from chunks order by id`),
    views: await corpus.documents(),
  };
}

systemTest(
  '5: a replay changes nothing, with one more column what it should, and a new topic is not taken for stale',
  async (scene) => {
    const source = await scene.source(articles);
    await source.stream({ tables: ['articles'], partitions: 2 });
    for (const change of history) await source.query(change);
    await source.settled();
    const topic = source.topic('articles');
    const server = await scene.server();
    const corpus = await scene.corpus(server);
    const proxy = await scene.proxy(server);
    const sink = await scene.sink({ server, corpus, topics: [topic], config, proxy });
    await sink.caughtUp();
    const events = outcomesByEvent(proxy.requests).size;
    expect(events).toBe(Number(await scene.kafka.end(topic)));
    const before = await everything(scene, server, corpus);
    expect(before).toMatchObject({ events, documents: 28 });
    expect(await compareCorpusWithTable(corpus, source, mapping)).toEqual([]);

    // Offsets reset to the start.
    let seen = proxy.requests.length;
    const replay = async (changes: Record<string, string> = {}): Promise<Record<string, number>> => {
      await sink.stop();
      await sink.offsets('reset', '--to', 'earliest');
      seen = proxy.requests.length;
      await sink.start(changes);
      await sink.caughtUp();
      return countOutcomes(proxy.requests.slice(seen));
    };
    const { duplicate = 0, stale = 0, ...others } = await replay();
    expect([duplicate + stale, others]).toEqual([events, {}]);
    expect(await everything(scene, server, corpus)).toEqual(before);

    // The same with one more column. Applied: the last event of each row but 6, which has no notes; known as it is: the
    // deletes, and that row; the rest is of older states.
    expect(await replay({ 'ossian.text.fields': 'notes,body' })).toEqual({ applied: 29, duplicate: 9, stale: 21 });
    await corpus.embedded();
    const wider = { ...mapping, textFields: ['notes', 'body'] };
    expect(await compareCorpusWithTable(corpus, source, wider)).toEqual([]);
    expect(await corpus.statistics()).toMatchObject({ events, documents: 30 });

    // The topic is deleted, the table changes meanwhile, and a new snapshot is taken.
    await sink.stop();
    await source.stopStreaming();
    await scene.kafka.deleteTopics([topic]);
    await source.query(
      `update articles set notes = 'Moved.' where id in (1, 2); insert into articles values (50, 'New', 'Fifty.', null)`,
    );
    await source.stream({ tables: ['articles'], partitions: 2, connector: 'again' });
    await source.query(`update articles set title = 'After it' where id in (2, 4); delete from articles where id = 3`);
    await source.settled();
    seen = proxy.requests.length;
    await sink.start();
    await sink.caughtUp();
    const records = Number(await scene.kafka.end(topic));
    const { applied = 0, unchanged = 0, ...wrong } = countOutcomes(proxy.requests.slice(seen));
    expect([applied + unchanged, wrong]).toEqual([records, {}]);
    await corpus.embedded();
    expect(await compareCorpusWithTable(corpus, source, wider)).toEqual([]);
    expect(await corpus.statistics()).toMatchObject({ events: events + records, documents: 30 });
  },
);
