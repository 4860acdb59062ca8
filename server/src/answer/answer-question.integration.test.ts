import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, type AnswerEvent, createLogger, ProblemError } from '@ossian/shared';
import type { CorpusReference, Readers } from '../corpus/scope.js';
import { chunkDocument } from '../index/chunk-document.js';
import { createAnthropicAnswerer } from '../models/anthropic-answerer.js';
import type { Answerer, AnswerRequest } from '../models/answerer.js';
import { createBuiltinEmbedder } from '../models/builtin-embedder.js';
import type { Embedder } from '../models/embedder.js';
import { createExtractiveAnswerer } from '../models/extractive-answerer.js';
import { defaultRetrievalSettings } from '../retrieve/retrieval-settings.js';
import { answerable, knowledgeBase, unanswerable } from '../retrieve/testing/knowledge-base.js';
import { loadDocuments, type TestDocument } from '../retrieve/testing/load-documents.js';
import type { Database, Transaction } from '../storage/database.js';
import { type MisbehavingMessagesApi, startMisbehavingMessagesApi } from '../testing/misbehaving-messages-api.js';
import { describeEachDatabase } from '../testing/test-databases.js';
import { type AnswerDependencies, answerQuestion } from './answer-question.js';

const logger = createLogger('test', 'silent');
let embedder: Embedder;
let api: MisbehavingMessagesApi;
beforeAll(async () => {
  embedder = await createBuiltinEmbedder();
  api = await startMisbehavingMessagesApi();
});
afterAll(async () => {
  await embedder.close();
  await api.close();
});

const everyone: Readers = { kind: 'all' };

/** Every marker names a citation, every citation is named, the numbers run from 1, and each passage says what its section says. */
function expectSound(answer: Answer, texts: Record<string, string>): void {
  const marked = [...answer.answer.matchAll(/(?<![\p{L}\p{N}_)])\[(\d+)\]/gu)].map(([, number]) => Number(number));
  expect([...new Set(marked)].sort()).toEqual(answer.citations.map(({ number }) => number));
  expect(answer.citations.map(({ number }) => number)).toEqual(answer.citations.map((_, index) => index + 1));
  expect(new Set(answer.citations.map(({ document_id }) => document_id)).size).toBe(answer.citations.length);
  for (const { key, passages } of answer.citations) {
    expect(passages.length).toBeGreaterThan(0);
    for (const { text, start, end } of passages) expect(text).toBe(texts[key]!.slice(start, end));
  }
  for (const { citations } of answer.segments) {
    for (const { number, passages } of citations) {
      for (const passage of passages) expect(answer.citations[number - 1]!.passages[passage]).toBeDefined();
    }
  }
}
const comparable = ({ id, timing_ms, ...rest }: Answer): object => ({ ...rest, id: typeof id, timed: Object.keys(timing_ms) });

describeEachDatabase('answerQuestion', (getDatabase) => {
  const claude = (): Answerer => createAnthropicAnswerer({ apiKey: 'sk-test', baseUrl: api.url, logger });
  const load = (corpus: string, documents: readonly TestDocument[]): ReturnType<typeof loadDocuments> =>
    loadDocuments(getDatabase(), { corpus, chunkDocument, embedder }, documents);
  const ask = (
    corpus: CorpusReference,
    question: string,
    more: Partial<AnswerDependencies> & { readers?: Readers; onEvent?: (event: AnswerEvent) => void; maxDocuments?: number } = {},
  ): Promise<Answer> =>
    answerQuestion(
      {
        database: more.database ?? getDatabase(),
        embedder,
        settings: defaultRetrievalSettings,
        logger,
        answerer: more.answerer ?? createExtractiveAnswerer({ embedder }),
      },
      { corpus, readers: more.readers ?? everyone },
      { question, maxDocuments: more.maxDocuments ?? 6, signal: new AbortController().signal },
      more.onEvent,
    );
  const textsOf = (documents: readonly TestDocument[]): Record<string, string> =>
    Object.fromEntries(documents.map(({ key, text }) => [key, text]));

  describe('over a knowledge base', () => {
    let corpus: CorpusReference;
    beforeAll(async () => {
      ({ corpus } = await load('kb', knowledgeBase));
    });

    it('answers in the article’s words with its number, and in other words of the question too', async () => {
      const answer = await ask(corpus, 'How long are invoices kept?');
      expect(answer.answer).toBe('Invoices are kept for 180 days. [1]');
      expect(answer).toMatchObject({ supported: true, answerer: 'extractive', citations: [{ number: 1, key: 'invoices' }] });
      const paraphrased = await ask(corpus, 'How many days do we keep bills?');
      expect(paraphrased.answer).toContain('180 days. [1]');
    });

    it('V5: supports what the corpus answers, each citation sound, and not what it cannot answer', async () => {
      const unsupported: string[] = [];
      for (const [question] of answerable) {
        const answer = await ask(corpus, question);
        expectSound(answer, textsOf(knowledgeBase));
        if (!answer.supported) unsupported.push(question);
      }
      expect(unsupported).toEqual([]);
      const supported: string[] = [];
      for (const question of unanswerable) if ((await ask(corpus, question)).supported) supported.push(question);
      expect(supported).toEqual([]);
    });

    it('says honestly that it found nothing, cites nothing, and does not ask the language model', async () => {
      const before = api.requests.length;
      const events: AnswerEvent[] = [];
      const answer = await ask(corpus, 'What is the capital of Mongolia?', {
        answerer: claude(),
        onEvent: (event) => void events.push(event),
      });
      expect(answer).toMatchObject({ supported: false, citations: [] });
      expect(answer.answer).toMatch(/found nothing/);
      expect(answer.segments).toEqual([{ text: answer.answer, citations: [] }]);
      expect(events.map(({ event }) => event)).toEqual(['sources', 'delta', 'done']);
      expect(api.requests).toHaveLength(before);
    });

    it('streams to the same final object as plain, its deltas the answer', async () => {
      for (const answerer of [createExtractiveAnswerer({ embedder }), claude()]) {
        const events: AnswerEvent[] = [];
        const question = 'How long are Kafka records and invoices kept?';
        const streamed = await ask(corpus, question, { answerer, onEvent: (event) => void events.push(event) });
        const plain = await ask(corpus, question, { answerer });
        expect(comparable(streamed)).toEqual(comparable(plain));
        expect(events.map((event) => (event.event === 'delta' ? event.data.text : '')).join('')).toBe(plain.answer);
        expect(events[0]?.event).toBe('sources');
        expect(events.at(-1)).toEqual({ event: 'done', data: streamed });
        expect(events.some(({ event }) => event === 'citation')).toBe(true);
      }
    });

    it('V7: what the language model is given holds only the question and documents of the scope', async () => {
      api.requests.length = 0;
      const answer = await ask(corpus, 'How long are invoices kept?', { answerer: claude() });
      const body = api.requests[0]!.body as { messages: { role: string; content: { type: string; source?: unknown }[] }[] };
      expect(body.messages.map(({ role }) => role)).toEqual(['user']);
      const content = body.messages[0]!.content;
      expect(content.at(-1)).toEqual({ type: 'text', text: 'How long are invoices kept?' });
      const texts = content.slice(0, -1).flatMap(({ type, source }) => {
        expect(type).toBe('document');
        return (source as { content: { text: string }[] }).content.map(({ text }) => text);
      });
      for (const text of texts) expect(knowledgeBase.some((article) => article.text.includes(text))).toBe(true);
      expectSound(answer, textsOf(knowledgeBase));
      expect(answer).toMatchObject({ answerer: 'anthropic', supported: true, usage: { input_tokens: 123, output_tokens: 30 } });
    });

    it('says that it found nothing where the answerer writes nothing', async () => {
      const silent: Answerer = {
        id: 'silent',
        // eslint-disable-next-line @typescript-eslint/require-await
        async *answer() {
          yield { type: 'text', text: '  ' };
        },
      };
      const answer = await ask(corpus, 'How long are invoices kept?', { answerer: silent });
      expect(answer).toMatchObject({ supported: false, citations: [], answer: expect.stringMatching(/found nothing/) });
    });

    it('V5: removes and counts a citation of what was not given or not said, and keeps those that stand', async () => {
      for (const what of ['document', 'passage'] as const) {
        api.behave({ kind: 'cites_missing', what });
        const answer = await ask(corpus, 'How long are invoices kept?', { answerer: claude() });
        expect(answer.usage['citations_removed']).toBe(1);
        expect(answer.answer).toBe('This stands. [1] This does not.');
        expect(answer.notices?.join()).toMatch(/removed/);
        expectSound(answer, textsOf(knowledgeBase));
      }
      api.behave({ kind: 'misquotes' });
      const misquoted = await ask(corpus, 'How long are invoices kept?', { answerer: claude() });
      expect(misquoted).toMatchObject({ supported: false, citations: [], usage: { citations_removed: 1 } });
      api.behave({ kind: 'writes_markers' });
      expectSound(await ask(corpus, 'How long are invoices kept?', { answerer: claude() }), textsOf(knowledgeBase));
    });

    it('never returns half an answer', async () => {
      for (const how of ['reset', 'clean_end'] as const) {
        api.behave({ kind: 'cut_off', how });
        const events: AnswerEvent[] = [];
        const cut = ask(corpus, 'How long are invoices kept?', {
          answerer: claude(),
          onEvent: (event) => void events.push(event),
        });
        await expect(cut).rejects.toBeInstanceOf(ProblemError);
        await expect(cut).rejects.toMatchObject({ status: 502, code: 'answerer_cut_off' });
        expect(events.some(({ event }) => event === 'done')).toBe(false);
      }
    });
  });

  describe('V5: one number per document', () => {
    /** Cites every passage of every document it is given. */
    const citesAll: Answerer = {
      id: 'cites-all',
      // eslint-disable-next-line @typescript-eslint/require-await
      async *answer({ documents }: AnswerRequest) {
        for (const { number, passages } of documents) {
          for (const [index, { text }] of passages.entries()) {
            yield { type: 'text', text: `Part ${index}. ` };
            yield { type: 'citation', citation: { number, passages: [index], quote: text } };
            yield { type: 'segment_end' };
          }
        }
      },
    };

    it('six chunks of one long document and one of another: two citations, [1] and [2]', async () => {
      const filler = 'The crew follows the same steps every morning before the gates are opened to the public. ';
      const sections = Array.from({ length: 6 }, (_, index) => {
        const name = ['north', 'south', 'east', 'west', 'upper', 'lower'][index]!;
        return `## The ${name} lock\n\nThe ${name} lock of the canal is filled in ${index + 4} minutes. ${filler.repeat(10)}`;
      });
      const documents = [
        { key: 'long', title: 'Locks of the canal', text: sections.join('\n\n') },
        {
          key: 'short',
          title: 'Canal history',
          text: 'The locks of the canal were built in 1870, and each is filled from the lake.',
        },
      ];
      const { corpus } = await load('locks', documents);
      const { rows } = await getDatabase().pool.query<{ chunks: string }>(
        `SELECT count(*) AS chunks FROM chunks JOIN documents ON documents.id = document_id WHERE key = 'long' AND chunks.corpus_id = $1`,
        [corpus.id],
      );
      expect(Number(rows[0]!.chunks)).toBeGreaterThanOrEqual(6);
      for (const answerer of [citesAll, claude()]) {
        const answer = await ask(corpus, 'How fast is each lock of the canal filled?', { answerer });
        expect(answer.citations.map(({ number }) => number)).toEqual([1, 2]);
        expect(answer.citations.map(({ key }) => key).sort()).toEqual(['long', 'short']);
        expectSound(answer, textsOf(documents));
      }
      const answer = await ask(corpus, 'How fast is each lock of the canal filled?', { answerer: citesAll });
      const long = answer.citations.find(({ key }) => key === 'long')!;
      const starts = long.passages.map(({ start }) => start);
      expect(starts).toEqual([...starts].sort((a, b) => a - b));
    });

    it('two documents with the same title have two numbers', async () => {
      const documents = [
        { key: 'a', title: 'Opening hours', text: 'The museum opens at nine.' },
        { key: 'b', title: 'Opening hours', text: 'The museum shop opens at ten.' },
      ];
      const { corpus } = await load('titles', documents);
      const answer = await ask(corpus, 'When does the museum open?', { answerer: citesAll });
      expect(answer.citations.map(({ number, title }) => [number, title])).toEqual([
        [1, 'Opening hours'],
        [2, 'Opening hours'],
      ]);
      expectSound(answer, textsOf(documents));
    });

    it('V6: two with the same content have one, with the others in also_in, as far as they may be seen', async () => {
      const text = 'The ferry to the island leaves at eight.';
      const { corpus, ids } = await load('copies', [
        { key: 'a', source: 'pages', text },
        { key: 'b', source: 'tickets', text, acl: ['group:crew'] },
        { key: 'c', source: 'secrets', text, acl: [] },
      ]);
      await load('copies of another corpus', [{ key: 'd', text }]);
      const seen = async (readers: Readers): Promise<[string[], string[]]> => {
        const answer = await ask(corpus, 'When does the ferry leave?', { readers, answerer: citesAll });
        expect(answer.citations).toHaveLength(1);
        const [citation] = answer.citations;
        const found = [citation!.document_id, ...citation!.also_in.map(({ document_id }) => document_id)];
        return [found.sort(), answer.sources.map(({ source }) => source)];
      };
      expect(await seen({ kind: 'public' })).toEqual([[ids['a']], ['pages']]);
      expect(await seen({ kind: 'groups', groups: ['group:crew'] })).toEqual([[ids['a'], ids['b']].sort(), ['pages', 'tickets']]);
      expect(await seen(everyone)).toEqual([[ids['a'], ids['b'], ids['c']].sort(), ['pages', 'secrets', 'tickets']]);
    });
  });

  it('V9: a citation says since when its document is behind, and sources when they had caught up', async () => {
    const { corpus } = await load('freshness', [
      { key: 'a', source: 'shop', text: 'The tram costs two euros.', behindSince: '2026-02-03T04:05:06.000Z' },
    ]);
    const report = (partition: number, caughtUp: string | null): Promise<unknown> =>
      getDatabase().pool.query(
        `INSERT INTO progress (source_id, topic, partition, connector, committed, "end", reported_at, caught_up_at)
         SELECT id, 'shop', $2, 'c', 1, 1, now(), $3 FROM sources WHERE corpus_id = $1`,
        [corpus.id, partition, caughtUp],
      );
    const question = 'What does the tram cost?';
    expect((await ask(corpus, question)).sources).toEqual([{ source: 'shop', caught_up_at: null }]);
    await report(0, '2026-05-01T10:00:00.000Z');
    await report(1, '2026-05-01T09:00:00.000Z');
    const answer = await ask(corpus, question);
    expect(answer.sources).toEqual([{ source: 'shop', caught_up_at: '2026-05-01T09:00:00.000Z' }]);
    expect(answer.citations[0]?.behind_since).toBe('2026-02-03T04:05:06.000Z');
    await report(2, null);
    expect((await ask(corpus, question)).sources).toEqual([{ source: 'shop', caught_up_at: null }]);
  });

  it('V5: answers from one moment, though a document changes while it is being read', async () => {
    const database = getDatabase();
    // The embedded database has one connection: nothing can come between.
    if (database.kind === 'embedded') return;
    const { corpus } = await load('moving', [{ key: 'k', text: 'The tide gate opens at six.' }]);
    let statements = 0;
    const interrupted: Database = {
      ...database,
      pool: database.pool,
      transaction: (work) =>
        database.transaction((transaction) => {
          const query = async (...parameters: [string, unknown[]?]): Promise<unknown> => {
            const result = await transaction.query(...parameters);
            statements += 1;
            // After the snapshot is taken (the first statement that reads) and before the passages are read.
            if (statements === 3) await database.pool.query('DELETE FROM documents WHERE corpus_id = $1', [corpus.id]);
            return result;
          };
          return work({ transaction: true, query } as unknown as Transaction);
        }),
    };
    const answer = await ask(corpus, 'When does the tide gate open?', { database: interrupted });
    expect(statements).toBeGreaterThan(5);
    expect(answer).toMatchObject({ supported: true, citations: [{ key: 'k' }], sources: [{ source: 'articles' }] });
    expect((await ask(corpus, 'When does the tide gate open?')).supported).toBe(false);
  });

  it('keeps to max_documents', async () => {
    const { corpus } = await load(
      'many',
      Array.from({ length: 8 }, (_, index) => ({ key: `k${index}`, text: `The lighthouse number ${index} shines at night.` })),
    );
    const answer = await ask(corpus, 'When does the lighthouse shine?', { answerer: claude(), maxDocuments: 3 });
    expect(answer.usage['documents']).toBe(3);
    expect(answer.citations).toHaveLength(3);
  });
});
