import { expect } from '@jest/globals';
import { compareCorpusWithTable } from '../harness/index.js';
import { systemTest } from '../harness/system-test.js';

// As a JavaScript number, each of the first three is 9007199254740992, and each of the last two 9223372036854775808.
const ids = ['9007199254740992', '9007199254740993', '9007199254740991', '9223372036854775806', '9223372036854775807'];
const drinks = ['espresso', 'matcha', 'lemonade', 'cocoa', 'buttermilk'];

systemTest('12: ids above 2^53 that differ in the last digit are different documents', async (scene) => {
  const source = await scene.source(`create table drinks (id bigint primary key, name text, recipe text, supplier bigint);
    insert into drinks values ${ids.map((id, index) => `(${id}, '${drinks[index]}', 'The ${drinks[index]} is served at ${index + 40} degrees.', ${id})`).join()}`);
  await source.stream({ tables: ['drinks'] });
  const topic = source.topic('drinks');
  const server = await scene.server({ storage: 'embedded' });
  const corpus = await scene.corpus(server);
  const config = {
    'ossian.text.fields': 'recipe',
    'ossian.title.field': 'name',
    'ossian.metadata.fields': 'supplier',
    'ossian.uri.template': 'https://bar.example/${id}',
  };
  const sink = await scene.sink({ server, corpus, topics: [topic], config });
  await sink.caughtUp();
  await corpus.embedded();
  const byKey = new Map((await corpus.documents()).map((document) => [document.key, document]));
  expect([...byKey.keys()].sort()).toEqual(ids.map((id) => `id=${id}`).sort());
  expect(await corpus.statistics()).toMatchObject({ documents: ids.length, events: ids.length });
  for (const [index, id] of ids.entries()) {
    expect(byKey.get(`id=${id}`)).toMatchObject({
      title: drinks[index],
      uri: `https://bar.example/${id}`,
      metadata: { supplier: id },
    });
    const { citations } = await corpus.ask(`How many degrees has the ${drinks[index]}?`);
    expect(citations[0]).toMatchObject({ key: `id=${id}`, title: drinks[index] });
  }

  // A change, a new key and a delete meet their own document and not its neighbour.
  await source.query(`update drinks set recipe = 'The espresso is served at 93 degrees.' where id = 9007199254740992;
    update drinks set id = 9007199254740995 where id = 9007199254740993;
    delete from drinks where id = 9223372036854775807`);
  await source.settled();
  await sink.caughtUp();
  const mapping = { table: 'drinks', textFields: ['recipe'], titleField: 'name' };
  await corpus.embedded();
  expect(await compareCorpusWithTable(corpus, source, mapping)).toEqual([]);
  const keys = (await corpus.documents()).map(({ key }) => key).sort();
  expect(keys).toEqual(['id=9007199254740991', 'id=9007199254740992', 'id=9007199254740995', 'id=9223372036854775806']);
});
