import { describe, expect, it } from '@jest/globals';
import type { DocumentView, Hit } from '@ossian/shared';
import { compareCorpusWithTable, type CorpusReader, type TableReader } from './compare-corpus-with-table.js';

type Row = Record<string, string | null>;
const rows: Row[] = [
  { id: '1', tenant: 'a b', title: 'One', body: 'first text', notes: null },
  { id: '9007199254740993', tenant: 'ü', title: null, body: ' ', notes: 'only notes' },
  { id: '3', tenant: 'c', title: 'Blank', body: '', notes: null },
];
const document = (
  key: string,
  title: string | null,
  sections: Record<string, string>,
  more: Partial<DocumentView> = {},
): DocumentView => ({
  ...{
    id: key,
    source: 'p.public.t',
    key,
    title,
    uri: null,
    metadata: {},
    acl: null,
    chunks: 1,
    behind_since: null,
    updated_at: '',
  },
  sections: Object.entries(sections).map(([name, text]) => ({ name, text })),
  ...more,
});
const first = document('id=1&tenant=a%20b', 'One', { body: 'first text' });
const second = document('id=9007199254740993&tenant=%C3%BC', null, { notes: 'only notes' });
const mapping = { table: 't', keyFields: ['tenant', 'id'], textFields: ['body', 'notes'], titleField: 'title' };

function readers(documents: DocumentView[], hits?: Partial<Hit>[]): [CorpusReader, TableReader] {
  const all = documents.flatMap((one) =>
    (one.sections ?? []).map(({ name, text }) => ({
      source: one.source,
      key: one.key,
      section: name,
      text,
      start: 0,
      end: text.length,
    })),
  );
  const sources = [{ source: 'p.public.t', documents: documents.length, behind: 0, last_event_at: null, caught_up_at: null }];
  const statistics = { name: 'c', documents: documents.length, chunks: 0, embeddings_pending: 0, events: 0, sources };
  return [
    {
      documents: () => Promise.resolve(documents),
      statistics: () => Promise.resolve(statistics),
      search: () => Promise.resolve((hits ?? all) as Hit[]),
    },
    { query: <T>() => Promise.resolve(rows as T[]), topic: (table) => `p.public.${table}` },
  ];
}

describe('compareCorpusWithTable', () => {
  it('finds no difference where every row with text has its document', async () => {
    expect(await compareCorpusWithTable(...readers([second, first]), mapping)).toEqual([]);
  });
  it.each([
    ['a document is missing', [first], [/^id=9007199254740993&tenant=%C3%BC is in the table/, /statistics say 1 documents/]],
    [
      'a row is blank',
      [first, second, document('id=3&tenant=c', 'Blank', {})],
      [/^id=3&tenant=c is in the corpus/, /statistics say 3/],
    ],
    [
      'a text is old',
      [document(first.key, 'One', { body: 'old text' }), second],
      [/id=1.*has the sections .*old text.*first text/],
    ],
    ['a title differs', [document(first.key, 'Uno', { body: 'first text' }), second], [/has the title Uno, its row One/]],
    [
      'a document is behind',
      [document(first.key, 'One', { body: 'first text' }, { behind_since: '2026' }), second],
      [/behind since 2026/],
    ],
    ['a document is there twice', [first, second, first], [/there twice/]],
  ])('says so where %s', async (_, documents, expected) => {
    const differences = await compareCorpusWithTable(...readers(documents), { ...mapping, probes: 0 });
    for (const pattern of expected) expect(differences).toContainEqual(expect.stringMatching(pattern));
  });
  it('V4: sees in each leg what the table does not hold, and what is not found', async () => {
    const stale = { source: 'p.public.t', key: first.key, section: 'body', text: 'old', start: 0, end: 3 };
    const gone = { ...stale, key: 'id=7' };
    const differences = await compareCorpusWithTable(...readers([first, second], [stale, gone]), mapping);
    for (const leg of ['lexical', 'vector']) {
      expect(differences).toContain(`the ${leg} leg returns of ${first.key} what does not stand in its row: old`);
      expect(differences).toContain(`the ${leg} leg returns id=7 body, which the table does not have`);
      expect(differences).toContain(`the ${leg} leg does not find ${second.key} by its own text`);
    }
  });
});
