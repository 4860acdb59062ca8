import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger, type Filter, ProblemError } from '@ossian/shared';
import type { CorpusReference, Readers } from '../corpus/scope.js';
import { chunkDocument } from '../index/chunk-document.js';
import { createBuiltinEmbedder } from '../models/builtin-embedder.js';
import type { Embedder } from '../models/embedder.js';
import { describeEachDatabase } from '../testing/test-databases.js';
import { defaultRetrievalSettings } from './retrieval-settings.js';
import { type Retrieval, type RetrievalDependencies, type RetrievalQuery, retrievePassages } from './retrieve-passages.js';
import { searchCorpus } from './search-corpus.js';
import { answerable, knowledgeBase } from './testing/knowledge-base.js';
import { loadDocuments, type TestDocument } from './testing/load-documents.js';

const logger = createLogger('test', 'silent');
let embedder: Embedder;
beforeAll(async () => {
  embedder = await createBuiltinEmbedder();
});
afterAll(() => embedder.close());

const everyone: Readers = { kind: 'all' };
const legs = ['fused', 'lexical', 'vector'] as const;
const keys = ({ passages }: Retrieval): string[] => passages.map(({ key }) => key);

describeEachDatabase('retrievePassages', (getDatabase) => {
  const dependencies = (more: Partial<RetrievalDependencies> = {}): RetrievalDependencies => ({
    database: getDatabase(),
    embedder,
    settings: defaultRetrievalSettings,
    logger,
    ...more,
  });
  const load = async (corpus: string, documents: readonly TestDocument[], language?: string): Promise<CorpusReference> =>
    (
      await loadDocuments(
        getDatabase(),
        { corpus, chunkDocument, embedder, ...(language === undefined ? {} : { language }) },
        documents,
      )
    ).corpus;
  const find = (
    corpus: CorpusReference,
    text: string,
    more: Partial<RetrievalQuery> & { readers?: Readers; filter?: Filter; dependencies?: RetrievalDependencies } = {},
  ): Promise<Retrieval> =>
    retrievePassages(
      more.dependencies ?? dependencies(),
      { corpus, readers: more.readers ?? everyone, filter: more.filter },
      { text, leg: more.leg ?? 'fused', limit: more.limit ?? 10 },
    );

  describe('over a knowledge base', () => {
    let corpus: CorpusReference;
    beforeAll(async () => {
      corpus = await load('kb', knowledgeBase);
    });

    it('finds the article that answers first, in other words than its own too', async () => {
      const wrong: string[] = [];
      for (const [question, key] of answerable) if (keys(await find(corpus, question))[0] !== key) wrong.push(question);
      expect(wrong).toEqual([]);
    });

    it('weighs a rare word more than common ones, and joins them by OR', async () => {
      const { passages } = await find(corpus, 'days days days of WireGuard', { leg: 'lexical' });
      expect(passages[0]?.key).toBe('vpn');
      expect(passages.length).toBeGreaterThan(5);
      expect(passages.map(({ score }) => score)).toEqual(passages.map(({ score }) => score).sort((a, b) => b - a));
    });

    it('gives scores of 0 to 1 and each leg’s own measure', async () => {
      for (const leg of legs) {
        const { passages } = await find(corpus, 'How long are invoices kept?', { leg });
        expect(passages[0]).toMatchObject({ key: 'invoices', lexicalScore: leg === 'vector' ? null : expect.any(Number) });
        for (const { score } of passages) expect(score >= 0 && score <= 1).toBe(true);
      }
    });

    it('does not fail on a question of stop words, of signs, of quotes and operators, or of another script', async () => {
      for (const text of [
        'what is it?',
        '???',
        `it's "a" \\ & | ! <-> :* ('x')`,
        '发票保存多久？',
        '\u{1F600}',
        'a'.repeat(10_000),
      ]) {
        expect(Array.isArray((await find(corpus, text)).passages)).toBe(true);
        expect(Array.isArray((await find(corpus, text, { leg: 'lexical' })).passages)).toBe(true);
      }
      expect((await find(corpus, '发票保存多久？', { leg: 'lexical' })).passages).toEqual([]);
    });

    it('answers lexically, and says so, while the embedder is away', async () => {
      const broken: Embedder = { ...embedder, id: embedder.id, batchSize: 1, embed: () => Promise.reject(new Error('away')) };
      for (const missing of [undefined, broken]) {
        const { passages, notices } = await find(corpus, 'invoices', { dependencies: dependencies({ embedder: missing }) });
        expect(passages[0]?.key).toBe('invoices');
        expect(notices.join()).toMatch(/vector leg was left out/);
        const alone = find(corpus, 'invoices', { leg: 'vector', dependencies: dependencies({ embedder: missing }) });
        await expect(alone).rejects.toMatchObject({ status: 503, code: 'embedder_unavailable' });
        await expect(alone).rejects.toBeInstanceOf(ProblemError);
      }
    });

    it('V8: never compares the question with the vectors of another model', async () => {
      const other: Embedder = { ...embedder, id: 'another-model', batchSize: 1, embed: (texts) => embedder.embed(texts) };
      const { passages, notices } = await find(corpus, 'invoices', { dependencies: dependencies({ embedder: other }) });
      expect(passages.map(({ vectorScore }) => vectorScore)).toEqual(passages.map(() => null));
      expect(notices.join()).toMatch(/another-model/);
    });

    it('V8: leaves vectors of a model that is not active out of the vector leg', async () => {
      // The parking article's vector is the idle model's alone: whoever compares it finds the article.
      await getDatabase().pool.query(
        `INSERT INTO embedding_models (name, dimension, active, filling) VALUES ('idle-model', 384, false, false)`,
      );
      const move = (from: string, to: string): Promise<unknown> =>
        getDatabase().pool.query(
          `UPDATE embeddings SET model_id = (SELECT id FROM embedding_models WHERE name = $2)
           WHERE model_id = (SELECT id FROM embedding_models WHERE name = $1) AND hash IN (
             SELECT embedded_hash FROM chunks JOIN documents ON documents.id = document_id WHERE documents.key = 'parking')`,
          [from, to],
        );
      await move(embedder.id, 'idle-model');
      for (const settings of [defaultRetrievalSettings, { ...defaultRetrievalSettings, exactVectorChunks: 0 }]) {
        const more = { limit: 100, dependencies: dependencies({ settings }) };
        const byVector = await find(corpus, 'Where can I charge my electric car?', { leg: 'vector', ...more });
        expect(keys(byVector)).toHaveLength(knowledgeBase.length - 1);
        expect(keys(byVector)).not.toContain('parking');
        const fused = await find(corpus, 'Where can I charge my electric car?', more);
        expect(fused.passages.find(({ key }) => key === 'parking')).toMatchObject({ vectorScore: null });
      }
      await move('idle-model', embedder.id);
    });

    it('finds the same by the index as by comparing one by one', async () => {
      const model = await getDatabase().pool.query<{ id: number }>('SELECT id FROM embedding_models WHERE active');
      const id = model.rows[0]!.id;
      await getDatabase().pool.query(
        `CREATE INDEX ON embeddings USING hnsw ((vector::vector(384)) vector_cosine_ops) WHERE model_id = ${id}`,
      );
      const settings = { ...defaultRetrievalSettings, exactVectorChunks: 0 };
      const byIndex = await find(corpus, 'bills', { leg: 'vector', dependencies: dependencies({ settings }) });
      expect(keys(byIndex)).toEqual(keys(await find(corpus, 'bills', { leg: 'vector' })));
      const filtered = await find(corpus, 'bills', {
        leg: 'vector',
        filter: { nothing: 'has this' },
        dependencies: dependencies({ settings }),
      });
      expect(filtered.passages).toEqual([]);
    });
  });

  describe('within a scope', () => {
    let own: CorpusReference;
    let other: CorpusReference;
    beforeAll(async () => {
      own = await load('own', [
        { key: 'public', text: 'The harbour opens at six.' },
        { key: 'ops', text: 'The harbour opens at five for pilots.', acl: ['group:ops', 'group:pilots'] },
        { key: 'nobody', text: 'The harbour opens at four in secret.', acl: [] },
        { key: 'gone', text: 'The harbour opened at seven.', live: false },
        { key: 'behind', text: 'The harbour master is Ada.', behindSince: '2026-03-01T12:00:00.000Z' },
      ]);
      other = await load('other', [{ key: 'elsewhere', text: 'The harbour opens at nine elsewhere.' }]);
    });

    it.each(legs)('V6: the %s leg never crosses a corpus or a reader, and never shows what is not live', async (leg) => {
      const seen = async (readers: Readers): Promise<string[]> => keys(await find(own, 'harbour opens', { leg, readers })).sort();
      expect(await seen({ kind: 'public' })).toEqual(['behind', 'public']);
      expect(await seen({ kind: 'groups', groups: ['group:pilots', 'x'] })).toEqual(['behind', 'ops', 'public']);
      expect(await seen({ kind: 'groups', groups: [] })).toEqual(['behind', 'public']);
      expect(await seen(everyone)).toEqual(['behind', 'nobody', 'ops', 'public']);
      expect(keys(await find(other, 'harbour opens', { leg }))).toEqual(['elsewhere']);
    });

    it('V6: the index scan keeps to the scope too', async () => {
      const settings = { ...defaultRetrievalSettings, exactVectorChunks: 0 };
      const { passages } = await find(own, 'harbour opens', {
        leg: 'vector',
        readers: { kind: 'public' },
        dependencies: dependencies({ settings }),
      });
      expect(passages.map(({ key }) => key).sort()).toEqual(['behind', 'public']);
    });

    it('V9: a hit says since when its document is behind', async () => {
      const { hits } = await searchCorpus(
        dependencies(),
        { corpus: own, readers: { kind: 'public' } },
        { query: 'harbour', limit: 10, leg: 'fused', group: 'chunk', explain: true },
      );
      expect(hits.map(({ key, behind_since }) => [key, behind_since]).sort()).toEqual([
        ['behind', '2026-03-01T12:00:00.000Z'],
        ['public', null],
      ]);
      expect(hits[0]?.explain).toMatchObject({ lexical_score: expect.any(Number), vector_score: expect.any(Number) });
    });
  });

  it('reads German by the corpus’s language', async () => {
    const corpus = await load('deutsch', [{ key: 'a', text: 'Die Rechnungen werden aufbewahrt.' }], 'german');
    expect(keys(await find(corpus, 'Rechnung', { leg: 'lexical' }))).toEqual(['a']);
  });

  it('finds what has no vector yet by its words, and gives a document once when asked by document', async () => {
    const long = Array.from(
      { length: 60 },
      (_, index) => `The crane number ${index} lifts containers of the quay, day and night.`,
    );
    const { corpus } = await loadDocuments(getDatabase(), { corpus: 'fresh', chunkDocument }, [
      { key: 'long', text: long.join(' ') },
      { key: 'short', text: 'A crane is a bird.' },
    ]);
    const byChunk = await find(corpus, 'crane');
    expect(byChunk.passages.length).toBeGreaterThan(2);
    expect(byChunk.passages.every(({ vectorScore }) => vectorScore === null)).toBe(true);
    const { hits } = await searchCorpus(
      dependencies(),
      { corpus, readers: everyone },
      { query: 'crane', limit: 2, leg: 'fused', group: 'document', explain: false },
    );
    expect(hits.map(({ key }) => key).sort()).toEqual(['long', 'short']);
  });

  describe('filters', () => {
    let corpus: CorpusReference;
    const all = ['a', 'b', 'c', 'd', 'e'];
    beforeAll(async () => {
      corpus = await load('filters', [
        {
          key: 'a',
          text: 'Tea one.',
          metadata: { team: 'ops', price: '9.50', tag: ['x', 'y'], at: '2026-01-01T10:00:00+02:00' },
        },
        { key: 'b', text: 'Tea two.', metadata: { team: 'dev', price: '10', tag: [], at: '2026-01-01T08:30:00Z', done: true } },
        { key: 'c', text: 'Tea three.', metadata: { team: null, price: '100.0', at: 'soon', done: 'true' } },
        { key: 'd', text: 'Tea four.', metadata: { team: "o'ps", price: 'free', 'a.b"c': '1', done: false } },
        { key: 'e', text: 'Tea five.', metadata: { price: ['5', '500'], big: '9007199254740993' } },
      ]);
    });
    const cases: readonly [string, Filter, string[]][] = [
      ['a value', { team: 'ops' }, ['a']],
      ['a value with a quote', { team: "o'ps" }, ['d']],
      ['null, which is not what is missing', { team: null }, ['c']],
      ['a boolean, which is not its text', { done: true }, ['b']],
      ['text, which is not a boolean', { done: 'true' }, ['c']],
      ['$ne, which what is missing matches', { team: { $ne: 'ops' } }, ['b', 'c', 'd', 'e']],
      ['$in', { team: { $in: ['ops', 'dev', null] } }, ['a', 'b', 'c']],
      ['an empty $in', { team: { $in: [] } }, []],
      ['$exists', { team: { $exists: true } }, ['a', 'b', 'c', 'd']],
      ['not $exists', { team: { $exists: false } }, ['e']],
      ['numbers as numbers', { price: { $gte: '10', $lt: '100' } }, ['b', 'e']],
      ['equal numbers of other form', { price: '100' }, ['c']],
      ['numbers beyond 2^53, exactly', { big: { $gt: '9007199254740992' } }, ['e']],
      ['times as times', { at: { $gt: '2026-01-01T08:00:00Z' } }, ['b', 'c']],
      ['times with other offsets', { at: '2026-01-01T08:00:00Z' }, ['a']],
      ['any element of an array', { tag: 'y' }, ['a']],
      ['no element of an array', { tag: { $ne: 'y' } }, ['b', 'c', 'd', 'e']],
      ['a key with signs in it', { 'a.b"c': '1' }, ['d']],
      ['all entries together', { team: 'ops', price: { $lt: '10' } }, ['a']],
      ['no entries', {}, all],
      ['an entry without operators', { team: {} }, all],
      ['what would be SQL', { "x' OR true --": "' OR 1=1" }, []],
    ];
    // $gt on `at` of c: "soon" is no time, so it is compared as text, and stands after the digits.
    it.each(cases)('filter by %s', async (_name, filter, expected) => {
      for (const leg of legs) expect(keys(await find(corpus, 'tea', { leg, filter })).sort()).toEqual(expected);
    });
  });

  it('V4: after a change is committed no leg returns the old text', async () => {
    const corpus = await load('changing', [{ key: 'k', text: 'Invoices are kept for 180 days.' }]);
    for (const leg of legs) expect((await find(corpus, '180 days', { leg })).passages[0]?.text).toContain('180');
    await getDatabase().pool.query('DELETE FROM documents WHERE corpus_id = $1', [corpus.id]);
    await load('changing', [{ key: 'k', text: 'Invoices are kept for 90 days.' }]);
    for (const leg of legs) {
      const { passages } = await find(corpus, 'How long: 180 days', { leg });
      expect(passages.map(({ text }) => text)).toEqual(['Invoices are kept for 90 days.']);
    }
  });
});
