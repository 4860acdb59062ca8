import { expect } from '@jest/globals';
import { deadLetterConfig, readDeadLetters } from '../harness/index.js';
import { systemTest } from '../harness/system-test.js';

const tools = `create table tools (id bigint primary key, name text, body text, notes text);
insert into tools values
  (1, 'Hammer', 'The hammer hangs on the left wall of the workshop.', 'Mind the thumb.'),
  (2, 'Chisel', 'The chisel lies in the second drawer.', null),
  (3, 'Plane', 'The plane is lent to the neighbour.', null)`;
const question = 'Where is the chisel?';

systemTest(
  '7: a record with no configured column is dead-lettered, and the documents of its table are still there',
  async (scene) => {
    const source = await scene.source(tools);
    await source.stream({ tables: ['tools'] });
    const topic = source.topic('tools');
    const server = await scene.server();
    const corpus = await scene.corpus(server);
    const letters = await scene.topic('dlq');
    const config = { 'ossian.text.fields': 'body,notes', 'ossian.title.field': 'name' };
    const sink = await scene.sink({ server, corpus, topics: [topic], config: { ...config, ...deadLetterConfig(letters) } });
    await sink.caughtUp();
    await corpus.embedded();
    const before = await corpus.documents();
    expect(before).toHaveLength(3);

    // Both columns go; then a change, a new row, and every row read again by an incremental snapshot.
    await source.query(`alter table tools drop column body, drop column notes; update tools set name = 'Gouge' where id = 2;
    insert into tools values (4, 'Saw')`);
    await source.signal('execute-snapshot', { 'data-collections': ['public.tools'], type: 'incremental' });
    await scene.kafka.waitForEnd(topic, 3 + 2 + 4);
    await source.settled();
    await sink.caughtUp();

    const dead = await readDeadLetters(scene.kafka, letters);
    expect(dead.map(({ key }) => String(key))).toEqual(['2', '4', '1', '2', '3', '4'].map((id) => `{"id":${id}}`));
    for (const { headers } of dead) {
      expect(headers).toMatchObject({ '__ossian.error.code': 'columns_missing', '__connect.errors.stage': 'TASK_PUT' });
      expect(headers['__connect.errors.exception.message']).toMatch(/"body", "notes".*ossian\.text\.fields/s);
    }
    const known = ({ id, key, title, sections, chunks }: (typeof before)[number]) => ({ id, key, title, sections, chunks });
    const after = await corpus.documents();
    expect(after.map(known)).toEqual(before.map(known));
    for (const document of after) expect(document.behind_since).not.toBeNull();
    const answer = await corpus.ask(question);
    expect(answer.answer).toMatch(/second drawer.*\[1\]/);
    expect(answer.citations[0]).toMatchObject({ key: 'id=2', title: 'Chisel' });
    expect(answer.citations[0]?.behind_since).not.toBeNull();
  },
);

systemTest('7: without tolerance the task stops at such a record, with nothing committed past it', async (scene) => {
  const source = await scene.source(tools);
  await source.stream({ tables: ['tools'] });
  const topic = source.topic('tools');
  const server = await scene.server({ storage: 'embedded' });
  const corpus = await scene.corpus(server);
  const sink = await scene.sink({ server, corpus, topics: [topic], config: { 'ossian.text.fields': 'body' } });
  await sink.caughtUp();
  await source.query(`alter table tools rename column body to content; update tools set name = 'Gouge' where id = 2;
    delete from tools where id = 3`);
  await source.settled();
  const { code, output } = await sink.failed();
  expect(code).toBe(1);
  expect(output).toMatch(/no column .{0,2}"body/);
  expect((await scene.kafka.committed(sink.group, topic)).get(0)).toBe(3n);
  expect(await corpus.statistics()).toMatchObject({ documents: 3 });

  // With the right column it goes on from there.
  await sink.start({ 'ossian.text.fields': 'content' });
  await sink.caughtUp();
  const documents = await corpus.documents();
  expect(documents.map(({ key, title, sections }) => [key, title, sections?.[0]?.name])).toEqual(
    expect.arrayContaining([
      ['id=1', null, 'body'],
      ['id=2', null, 'content'],
    ]),
  );
  expect(documents).toHaveLength(2);
});
