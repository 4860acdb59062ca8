import { expect } from '@jest/globals';
import { citationFaults } from '../harness/citation-faults.js';
import { compareCorpusWithTable } from '../harness/index.js';
import { systemTest } from '../harness/system-test.js';

const articles = `create table articles (id bigint primary key, title text not null, body text);
insert into articles values
  (1, 'Resetting the router', 'Hold the reset button of the router for 12 seconds until the light turns amber.'),
  (2, 'Keeping invoices', 'Invoices are kept for 180 days and then moved to the archive.'),
  (3, 'Refund of a licence', 'A licence is refunded in full within 30 days of purchase.')`;

systemTest('a snapshot of three rows becomes three documents that answer with citations', async (scene) => {
  const source = await scene.source(articles);
  await source.stream({ tables: ['articles'] });
  const topic = source.topic('articles');
  const server = await scene.server();
  const corpus = await scene.corpus(server);
  const config = { 'ossian.text.fields': 'body', 'ossian.title.field': 'title' };
  const sink = await scene.sink({ server, corpus, topics: [topic], config });
  await sink.caughtUp();
  await corpus.embedded();

  const statistics = await corpus.statistics();
  expect(statistics).toMatchObject({ documents: 3, chunks: 3, embeddings_pending: 0, events: 3 });
  const answer = await corpus.ask('How long are invoices kept?');
  expect(answer.supported).toBe(true);
  expect(citationFaults(answer)).toEqual([]);
  expect(answer.answer).toMatch(/180 days.*\[1\]/);
  expect(answer.citations[0]).toMatchObject({ number: 1, source: topic, key: 'id=2', title: 'Keeping invoices' });
  expect(answer.citations[0]?.passages[0]?.text).toContain('Invoices are kept for 180 days');
  expect(await compareCorpusWithTable(corpus, source, { table: 'articles', textFields: ['body'], titleField: 'title' })).toEqual(
    [],
  );
});
