import { expect } from '@jest/globals';
import { compareCorpusWithTable } from '../harness/index.js';
import { systemTest } from '../harness/system-test.js';

const articles = `create table articles (id bigint primary key, title text not null, body text);
insert into articles values
  (1, 'Resetting the router', 'Hold the reset button of the router for 12 seconds until the light turns amber.'),
  (2, 'Keeping invoices', 'Invoices are kept for 180 days and then moved to the archive.'),
  (3, 'Refund of a licence', 'A licence is refunded in full within 30 days of purchase.')`;
const question = 'How long are invoices kept?';

systemTest('2: an update from 180 to 90 days leaves no 180 anywhere', async (scene) => {
  const source = await scene.source(articles);
  await source.stream({ tables: ['articles'] });
  const server = await scene.server();
  const corpus = await scene.corpus(server);
  const config = { 'ossian.text.fields': 'body', 'ossian.title.field': 'title' };
  const sink = await scene.sink({ server, corpus, topics: [source.topic('articles')], config });
  await sink.caughtUp();
  await corpus.embedded();
  const everywhere = ['lexical', 'vector', 'fused', 'documents', 'answer', 'citations'];
  expect(await corpus.placesOf('180', question)).toEqual(everywhere);
  expect(await corpus.placesOf('90 days', question)).toEqual([]);

  await source.query(`update articles set body = 'Invoices are kept for 90 days and then moved to the archive.' where id = 2`);
  await source.settled();
  await sink.caughtUp();
  // At once, while the new vector may be missing, and when it is there.
  expect(await corpus.placesOf('180', question)).toEqual([]);
  await corpus.embedded();
  expect(await corpus.placesOf('180', question)).toEqual([]);
  expect(await corpus.placesOf('90 days', question)).toEqual(everywhere);
  expect((await corpus.ask(question)).answer).toMatch(/90 days.*\[1\]/);
  expect(await compareCorpusWithTable(corpus, source, { table: 'articles', textFields: ['body'], titleField: 'title' })).toEqual(
    [],
  );
});
