import { expect } from '@jest/globals';
import type { DocumentView } from '@ossian/shared';
import {
  type Corpus,
  compareCorpusWithTable,
  deadLetterConfig,
  longText,
  readDeadLetters,
  type Scene,
  type SinkConfig,
  type Source,
  toastedColumns,
  toastedTablesSql,
} from '../harness/index.js';
import { systemTest } from '../harness/system-test.js';

const tables = toastedColumns.map(({ name }) => name);
const question = 'What is known about glaciers?';
const articles = `create table articles (id bigint primary key, title text, team text, body text);
  alter table articles alter column body set storage external`;
const config = { 'ossian.text.fields': 'body', 'ossian.title.field': 'title', 'ossian.metadata.fields': 'team' };

async function streamedArticle(scene: Scene): Promise<Source> {
  const source = await scene.source(articles);
  await source.query(`insert into articles values (1, 'Old title', 'north', $1)`, [longText('glaciers')]);
  await source.stream({ tables: ['articles'] });
  return source;
}
/** Changes everything but the body. */
async function updateAround(source: Source): Promise<void> {
  await source.query(`update articles set title = 'New title', team = 'south' where id = 1`);
  await source.settled();
}

systemTest('6: with refuse an unavailable text is one dead letter with all headers, and its document says so', async (scene) => {
  const source = await streamedArticle(scene);
  const topic = source.topic('articles');
  const server = await scene.server();
  const corpus = await scene.corpus(server);
  const letters = await scene.topic('dlq');
  const sink = await scene.sink({ server, corpus, topics: [topic], config: { ...config, ...deadLetterConfig(letters) } });
  await sink.caughtUp();
  await updateAround(source);
  await sink.caughtUp();

  const record = (await scene.kafka.consumeAll([topic])).at(-1);
  const dead = await readDeadLetters(scene.kafka, letters);
  expect(dead).toHaveLength(1);
  expect(dead[0]).toMatchObject({ key: record?.key, value: record?.value, timestamp: record?.timestamp });
  const own = Object.fromEntries(record?.headers.map(([name, value]) => [name, String(value)]) ?? []);
  expect(dead[0]?.headers).toEqual({
    ...own,
    '__connect.errors.topic': topic,
    '__connect.errors.partition': '0',
    '__connect.errors.offset': '1',
    '__connect.errors.connector.name': sink.connector,
    '__connect.errors.task.id': '0',
    '__connect.errors.stage': 'TASK_PUT',
    '__connect.errors.class.name': expect.stringMatching(/\w/),
    '__connect.errors.exception.class.name': 'RecordError',
    '__connect.errors.exception.message': expect.stringMatching(/"body".*REPLICA IDENTITY FULL.*"keep"/s),
    '__connect.errors.exception.stacktrace': expect.stringContaining('"body"'),
    '__ossian.error.code': 'unavailable_value',
    '__ossian.timestamp': record?.timestamp,
  });

  await corpus.embedded();
  const behind = await behindSince(corpus);
  // The time of the change at the source, which is in the record.
  const { source: origin } = JSON.parse(String(record?.value)) as { source: { ts_ms: number } };
  expect(Date.parse(behind ?? '')).toBe(origin.ts_ms);
  expect(await corpus.documents()).toMatchObject([
    { title: 'Old title', metadata: { team: 'north' }, sections: [{ text: longText('glaciers') }], behind_since: behind },
  ]);
  const answer = await corpus.ask(question);
  expect(answer).toMatchObject({ supported: true, citations: [{ title: 'Old title', behind_since: behind }] });
  for (const hit of await corpus.search(question)) expect(hit.behind_since).toBe(behind);

  // A complete row follows: it counts again.
  await source.query('update articles set body = $1 where id = 1', [longText('volcanoes')]);
  await source.settled();
  await sink.caughtUp();
  expect(await compareCorpusWithTable(corpus, source, { table: 'articles', textFields: ['body'], titleField: 'title' })).toEqual(
    [],
  );
  expect(await readDeadLetters(scene.kafka, letters)).toHaveLength(1);
});

const behindSince = async (corpus: Corpus): Promise<string | null | undefined> => (await corpus.documents())[0]?.behind_since;

systemTest('6: with keep title and metadata change, and the unavailable text stays', async (scene) => {
  const source = await streamedArticle(scene);
  const server = await scene.server({ storage: 'embedded' });
  const corpus = await scene.corpus(server);
  const keep = { ...config, 'ossian.unavailable.policy': 'keep' };
  const sink = await scene.sink({ server, corpus, topics: [source.topic('articles')], config: keep });
  await sink.caughtUp();
  const [before] = await corpus.documents();
  await updateAround(source);
  await sink.caughtUp();
  const [after] = await corpus.documents();
  expect(after).toMatchObject({ id: before?.id, title: 'New title', metadata: { team: 'south' }, behind_since: null });
  expect(after?.sections).toEqual([{ name: 'body', text: longText('glaciers') }]);
  await corpus.embedded();
  expect(await corpus.placesOf('Old title', question)).toEqual([]);
  expect((await corpus.ask(question)).citations).toMatchObject([{ title: 'New title', behind_since: null }]);
  expect(await compareCorpusWithTable(corpus, source, { table: 'articles', textFields: ['body'], titleField: 'title' })).toEqual(
    [],
  );
});

const byTable = (documents: readonly DocumentView[]): Map<string, DocumentView> =>
  new Map(documents.map((document) => [document.source.split('.').at(-1) ?? '', document]));
const titles = (title: string): string => tables.map((table) => `update ${table} set title = '${title}'`).join(';');

/** What the value has to look like in the corpus, told apart from the placeholder in all its forms. */
function expectValue(table: string, text: string): void {
  const heron = Buffer.from('heron 1 heron 2 heron 3 ').toString('base64');
  const known: Record<string, RegExp> = {
    of_text: /^heron 1\nheron 2\n.*\nheron 400$/s,
    of_jsonb: /^\["heron 1", ?"heron 2",.*"heron 400"\]$/s,
    of_bytea: new RegExp(`^(${heron}|${Buffer.from('heron 1 heron 2').toString('hex')}).*`, 's'),
    of_texts: /^heron 1\nheron 2\n.*\nheron 400$/s,
    of_integers: /^1000\n2000\n.*\n900000$/s,
    of_uuids: /^c4ca4238-a0b9-2382-0dcc-509a6f75849b\nc81e728d-.*/s,
    of_hstore: /^\{.*"k17": ?"heron 17".*\}$/s,
  };
  expect(text).toMatch(known[table] ?? /^there is no such table/);
}

const forms = [
  { form: 'json-envelope', overrides: {} },
  // The other ways to write bytes and maps. (With base64, Debezium 3.6 writes null for unavailable bytes: nobody can tell.)
  { form: 'json-schema-envelope', overrides: { 'binary.handling.mode': 'hex', 'hstore.handling.mode': 'map' } },
  { form: 'flat-rewrite', overrides: {} },
] as const;
for (const { form, overrides } of forms) {
  systemTest(`6: of every column type the unavailable value is told from data (${form})`, async (scene) => {
    const source = await scene.source(toastedTablesSql);
    await source.stream({ tables, form, overrides });
    const topics = tables.map((table) => source.topic(table));
    const server = await scene.server({ storage: 'embedded' });
    const letters = await scene.topic('dlq');
    const settings = { 'ossian.title.field': 'title', ...deadLetterConfig(letters) };
    const start = async (name: string, more: SinkConfig) => {
      const corpus = await server.corpus(`${scene.id}-${name}`);
      const sink = await scene.sink({ server, corpus, topics, config: { ...settings, name: `${scene.id}-${name}`, ...more } });
      return { corpus, sink };
    };
    const refuse = await start('refuse', { 'ossian.text.fields': 'value' });
    const keep = await start('keep', { 'ossian.text.fields': 'value', 'ossian.unavailable.policy': 'keep' });
    const metadata = { 'ossian.text.fields': 'note', 'ossian.metadata.fields': 'value', 'ossian.unavailable.policy': 'keep' };
    const kept = await start('metadata', metadata);
    const caughtUp = () => Promise.all([refuse, keep, kept].map(({ sink }) => sink.caughtUp()));
    await caughtUp();
    const before = byTable(await kept.corpus.documents());
    await source.query(titles('New title'));
    await source.settled();
    await caughtUp();

    const dead = await readDeadLetters(scene.kafka, letters);
    expect(dead.map(({ headers }) => headers['__connect.errors.topic']).sort()).toEqual([...topics].sort());
    for (const { headers } of dead)
      expect(headers).toMatchObject({
        '__connect.errors.connector.name': refuse.sink.connector,
        '__ossian.error.code': 'unavailable_value',
        '__connect.errors.exception.message': expect.stringContaining('"value"'),
      });
    const [refused, now, after] = await Promise.all([refuse, keep, kept].map(({ corpus }) => corpus.documents()));
    expect([...byTable(refused ?? []).keys()].sort()).toEqual([...tables].sort());
    for (const [table, document] of byTable(refused ?? [])) {
      expect(document).toMatchObject({ title: 'Old title', behind_since: expect.any(String) });
      expectValue(table, document.sections?.[0]?.text ?? '');
    }
    for (const table of tables) {
      const document = byTable(now ?? []).get(table);
      expect(document).toMatchObject({ title: 'New title', behind_since: null });
      expectValue(table, document?.sections?.[0]?.text ?? '');
      expect(byTable(after ?? []).get(table)).toMatchObject({ title: 'New title', behind_since: null });
      expect(byTable(after ?? []).get(table)?.metadata).toEqual(before.get(table)?.metadata);
    }
  });
}
