import { expect } from '@jest/globals';
import type { Answer } from '@ossian/shared';
import { citationFaults } from '../harness/citation-faults.js';
import { type Scene } from '../harness/index.js';
import { systemTest } from '../harness/system-test.js';

interface Asked {
  topic: string;
  ask: (question: string) => Promise<Answer>;
  /** Keys of the chunks that are found. */
  chunkKeys: (question: string) => Promise<string[]>;
}

/** A corpus that follows this table of articles, ready to be asked. */
async function corpusOf(scene: Scene, rows: readonly (readonly [title: string, body: string])[]): Promise<Asked> {
  const source = await scene.source(
    'create table articles (id bigint generated always as identity primary key, title text, body text)',
  );
  for (const row of rows) await source.query('insert into articles (title, body) values ($1, $2)', [...row]);
  await source.stream({ tables: ['articles'] });
  const topic = source.topic('articles');
  const server = await scene.server();
  const corpus = await scene.corpus(server);
  const config = { 'ossian.text.fields': 'body', 'ossian.title.field': 'title' };
  const sink = await scene.sink({ server, corpus, topics: [topic], config });
  await sink.caughtUp();
  await corpus.embedded();
  const chunkKeys = async (question: string): Promise<string[]> => (await corpus.search(question)).map(({ key }) => key);
  return { topic, ask: (question) => corpus.ask(question), chunkKeys };
}

const filler = (subject: string): string =>
  Array.from(
    { length: 14 },
    (_, index) => `Note ${index + 1} on ${subject} names what the staff of branch ${index + 3} wrote down that week.`,
  ).join(' ');

/** Six sections, each long enough to be a chunk by itself, each with a rule on the same subject. */
const handbook = ['paper', 'digital', 'foreign', 'partial', 'disputed', 'cancelled']
  .map(
    (kind, index) =>
      `## ${kind} invoices\n\nA ${kind} invoice is kept in the archive for ${index + 2} years.\n\n${filler(`${kind} invoices`)}`,
  )
  .join('\n\n');

systemTest('14: six chunks of one long document and one of another are two citations, [1] and [2]', async (scene) => {
  const { topic, ask, chunkKeys } = await corpusOf(scene, [
    ['Handbook of the archive', handbook],
    ['Memo on invoices', 'A lost invoice is kept in the archive for 9 years as a copy.'],
    ['Canteen', 'The canteen serves soup at noon.'],
  ]);
  const question = 'How many years is an invoice kept in the archive?';
  const found = await chunkKeys(question);
  expect(found.filter((key) => key === 'id=1')).toHaveLength(6);
  const answer = await ask(question);
  expect(citationFaults(answer)).toEqual([]);
  expect(answer.citations.map(({ number }) => number)).toEqual([1, 2]);
  expect(new Set(answer.citations.map(({ key }) => key))).toEqual(new Set(['id=1', 'id=2']));
  expect(answer.citations.every(({ source }) => source === topic)).toBe(true);
  expect(new Set(answer.answer.match(/\[\d+\]/g))).toEqual(new Set(['[1]', '[2]']));
  // The long one stands for more than one passage, in the order of its text, under its one number.
  const long = answer.citations.find(({ key }) => key === 'id=1');
  const starts = long?.passages.map(({ start }) => start) ?? [];
  expect(starts).toEqual([...starts].sort((a, b) => a - b));
});

systemTest('14, V5: two documents with the same title have two numbers', async (scene) => {
  const { ask } = await corpusOf(scene, [
    ['Keeping invoices', 'Invoices of customers in Norway are kept for 5 years.'],
    ['Keeping invoices', 'Invoices of customers in Spain are kept for 6 years.'],
  ]);
  const answer = await ask('How long are invoices of customers kept?');
  expect(citationFaults(answer)).toEqual([]);
  expect(answer.citations.map(({ title }) => title)).toEqual(['Keeping invoices', 'Keeping invoices']);
  expect(answer.citations.map(({ number }) => number)).toEqual([1, 2]);
  expect(new Set(answer.citations.map(({ key }) => key))).toEqual(new Set(['id=1', 'id=2']));
  for (const { number, passages } of answer.citations) {
    const country = passages[0]?.text.includes('Norway') ? 'Norway.*5 years' : 'Spain.*6 years';
    expect(answer.answer).toMatch(new RegExp(`${country}[^[]*\\[${number}\\]`));
  }
});

systemTest('14: two documents with the same content have one number, and the other is named in also_in', async (scene) => {
  const text = 'A licence is refunded in full within 30 days of purchase.';
  const { topic, ask } = await corpusOf(scene, [
    ['Refunds', text],
    ['Refunds of licences (copy)', text],
    ['Canteen', 'The canteen serves soup at noon.'],
  ]);
  const answer = await ask('Within how many days is a licence refunded?');
  expect(citationFaults(answer)).toEqual([]);
  expect(answer.citations).toHaveLength(1);
  const [citation] = answer.citations;
  expect(citation).toMatchObject({ number: 1, also_in: [{ source: topic }] });
  expect(new Set([citation?.key, citation?.also_in[0]?.key])).toEqual(new Set(['id=1', 'id=2']));
  expect(citation?.also_in[0]?.document_id).not.toBe(citation?.document_id);
  expect(answer.answer.split(text)).toHaveLength(2);
});
