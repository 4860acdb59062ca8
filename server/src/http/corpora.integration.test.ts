import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { DocumentPage, EventInput } from '@ossian/shared';
import { startTestApp, type TestApp } from '../testing/test-app.js';
import { describeEachDatabase } from '../testing/test-databases.js';

const upsert = (source: string, key: string, text = `Text of ${key}.`): EventInput => ({
  id: `${source}/${key}/${text.slice(0, 50)}`,
  op: 'upsert',
  document: { source, key, title: `Title ${key}`, sections: [{ name: 'body', text }], metadata: { team: 'ops', open: true } },
});
const position = (topic: string, offset: number): NonNullable<EventInput['position']> => ({
  topic,
  partition: 0,
  offset: String(offset),
  timestamp: String(1_764_550_000_000 + offset),
});

describeEachDatabase('corpora and documents', (getDatabase) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(getDatabase());
  });
  afterAll(() => app.close());
  const page = async (path: string): Promise<DocumentPage> => {
    const answer = await app.request('GET', path);
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.json as unknown as DocumentPage;
  };

  it('makes, lists, and deletes a corpus with all that is in it', async () => {
    expect((await app.request('PUT', '/v1/corpora/first')).status).toBe(201);
    expect(await app.request('PUT', '/v1/corpora/first', { body: {} })).toMatchObject({
      status: 200,
      json: { name: 'first', documents: 0 },
    });
    expect((await app.request('PUT', '/v1/corpora/german', { body: { language: 'german' } })).status).toBe(201);
    const differs = await app.request('PUT', '/v1/corpora/german', { body: { language: 'english' } });
    expect(differs).toMatchObject({ status: 409, json: { code: 'corpus_language_differs' } });
    const unknown = await app.request('PUT', '/v1/corpora/klingon', { body: { language: 'klingon' } });
    expect(unknown).toMatchObject({ status: 400, json: { code: 'invalid_request', field: 'language' } });
    await app.sendEvents('first', [upsert('articles', 'id=1')]);
    expect((await app.request('DELETE', '/v1/corpora/first')).status).toBe(204);
    expect((await app.request('GET', '/v1/corpora/first')).status).toBe(404);
    expect((await app.request('PUT', '/v1/corpora/first')).json).toMatchObject({ documents: 0, events: 0, sources: [] });
    expect((await app.request('GET', '/v1/corpora')).json['corpora']).toMatchObject([
      { name: 'first', language: 'english' },
      { name: 'german', language: 'german' },
    ]);
  });

  it('counts documents, chunks, events and how far each source is', async () => {
    await app.request('PUT', '/v1/corpora/counted');
    await app.sendEvents('counted', [
      { ...upsert('articles', 'id=1'), position: position('a', 0) },
      { ...upsert('articles', 'id=2'), position: position('a', 1) },
      { ...upsert('tickets', 'id=1'), position: position('t', 0) },
      { id: 'gone', op: 'delete', document: { source: 'articles', key: 'id=2' }, position: position('a', 2) },
      { id: 'bad', op: 'skip', document: { source: 'articles', key: 'id=1' }, position: position('a', 3) },
      { id: 'wrong', op: 'upsert', document: { source: 'articles', key: '' } },
    ]);
    const at = '2025-12-01T08:00:00.000Z';
    const progress = {
      source: 'articles',
      connector: 'kb',
      partitions: [
        { topic: 'a', partition: 0, committed: '4', end: '4' },
        { topic: 'a', partition: 1, committed: '9', end: '9' },
      ],
      at,
    };
    expect((await app.request('POST', '/v1/corpora/counted/progress', { body: progress })).status).toBe(204);
    // One partition goes on to its end an hour later, the other has fallen behind: the source is as fresh as its stalest partition.
    const later = {
      ...progress,
      partitions: [
        { topic: 'a', partition: 0, committed: '6', end: '6' },
        { topic: 'a', partition: 1, committed: '9', end: '12' },
      ],
      at: '2025-12-01T09:00:00.000Z',
    };
    expect((await app.request('POST', '/v1/corpora/counted/progress', { body: later })).status).toBe(204);
    const never = [
      { topic: 't', partition: 0, committed: '5', end: '5' },
      { topic: 't', partition: 1, committed: '1', end: '7' },
    ];
    const behind = { ...progress, source: 'tickets', partitions: never };
    expect((await app.request('POST', '/v1/corpora/counted/progress', { body: behind })).status).toBe(204);
    const { json } = await app.request('GET', '/v1/corpora/counted');
    expect(json).toEqual({
      name: 'counted',
      documents: 2,
      chunks: 2,
      embeddings_pending: 0,
      events: 5,
      sources: [
        { source: 'articles', documents: 1, behind: 1, last_event_at: expect.any(String), caught_up_at: at },
        { source: 'tickets', documents: 1, behind: 0, last_event_at: expect.any(String), caught_up_at: null },
      ],
    });
  });

  it('counts what waits for a vector', async () => {
    const { pool } = getDatabase();
    await pool.query("INSERT INTO embedding_models (name, dimension, active, filling) VALUES ('test', 3, true, true)");
    await app.request('PUT', '/v1/corpora/pending');
    await app.sendEvents('pending', [upsert('articles', 'id=1'), upsert('articles', 'id=2')]);
    expect((await app.request('GET', '/v1/corpora/pending')).json).toMatchObject({ chunks: 2, embeddings_pending: 2 });
    expect((await app.request('GET', '/v1/corpora/counted')).json).toMatchObject({ embeddings_pending: 0 });
    await pool.query('DELETE FROM embedding_models');
  });

  it('shows a document as it stands', async () => {
    await app.request('PUT', '/v1/corpora/shown');
    const [result] = await app.sendEvents('shown', [upsert('articles', 'id=1', 'Refunds take 30 days.')]);
    const id = result!.document_id!;
    const expected = {
      id,
      source: 'articles',
      key: 'id=1',
      title: 'Title id=1',
      uri: null,
      metadata: { team: 'ops', open: true },
      acl: null,
      chunks: 1,
      behind_since: null,
      updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    };
    const sections = [{ name: 'body', text: 'Refunds take 30 days.' }];
    expect((await page('/v1/corpora/shown/documents')).documents).toEqual([expected]);
    expect((await page('/v1/corpora/shown/documents?include=sections')).documents).toEqual([{ ...expected, sections }]);
    expect((await app.request('GET', `/v1/corpora/shown/documents/${id}`)).json).toEqual({ ...expected, sections });
  });

  it('removes one document, tells what happened to it, and lets its row bring it back', async () => {
    await app.request('PUT', '/v1/corpora/removing');
    const [kept, removed] = await app.sendEvents('removing', [upsert('articles', 'id=1'), upsert('articles', 'id=2')]);
    const path = `/v1/corpora/removing/documents/${removed!.document_id}`;
    const ingestKey = await app.createKey(['ingest']);
    expect((await app.request('DELETE', path, { key: ingestKey.key })).status).toBe(204);
    expect((await app.request('GET', path)).status).toBe(404);
    expect((await app.request('DELETE', path)).status).toBe(404);
    expect((await page('/v1/corpora/removing/documents')).documents.map(({ id }) => id)).toEqual([kept!.document_id]);
    expect((await app.request('GET', '/v1/corpora/removing')).json).toMatchObject({ documents: 1, chunks: 1 });
    const [back] = await app.sendEvents('removing', [upsert('articles', 'id=2', 'Back again.')]);
    expect(back).toMatchObject({ outcome: 'applied', document_id: removed!.document_id });
    const log = await app.request('GET', `/v1/corpora/removing/events?document_id=${removed!.document_id}`);
    const events = log.json['events'] as { id: string; op: string; outcome: string; source: string }[];
    expect(events[0]).toMatchObject({ op: 'upsert', outcome: 'applied', source: 'articles' });
    expect(events[0]!.id).toContain('Back again');
  });

  it('V4: a cleared document is neither listed nor counted nor shown', async () => {
    await app.request('PUT', '/v1/corpora/cleared');
    const results = await app.sendEvents('cleared', [
      { ...upsert('articles', 'id=1'), position: position('c', 0) },
      { ...upsert('articles', 'id=2'), position: position('c', 1) },
      { id: 'truncate', op: 'clear', document: { source: 'articles' }, position: position('c', 2) },
      { ...upsert('articles', 'id=3'), position: position('c', 3) },
    ]);
    expect((await page('/v1/corpora/cleared/documents?include=sections')).documents.map(({ key }) => key)).toEqual(['id=3']);
    expect((await app.request('GET', '/v1/corpora/cleared')).json).toMatchObject({ documents: 1, chunks: 1 });
    expect((await app.request('GET', `/v1/corpora/cleared/documents/${results[0]!.document_id}`)).status).toBe(404);
  });

  it('pages through documents without losing or repeating one, whatever is written in between', async () => {
    await app.request('PUT', '/v1/corpora/paged');
    const keys = Array.from({ length: 12 }, (_, index) => `id=${String(index).padStart(2, '0')}`);
    await app.sendEvents('paged', [...keys.map((key) => upsert('b-source', key)), ...keys.map((key) => upsert('a-source', key))]);
    const seen: string[] = [];
    let cursor: string | null = null;
    let round = 0;
    do {
      const next: DocumentPage = await page(`/v1/corpora/paged/documents?limit=5${cursor === null ? '' : `&cursor=${cursor}`}`);
      seen.push(...next.documents.map(({ source, key }) => `${source}/${key}`));
      cursor = next.next_cursor;
      // What was given already changes or goes, and something is added before and after the place.
      await app.sendEvents('paged', [
        { id: `d${round}`, op: 'delete', document: { source: seen[0]!.split('/')[0]!, key: keys[round]! } },
        upsert('b-source', `id=00-added-${round}`),
        upsert('a-source', keys[11]!, `changed ${round}`),
      ]);
      round += 1;
    } while (cursor !== null);
    expect(new Set(seen).size).toBe(seen.length);
    const untouched = ['a-source', 'b-source'].flatMap((source) => keys.slice(6).map((key) => `${source}/${key}`));
    expect(seen).toEqual(expect.arrayContaining(untouched));
    const ofOne = await page('/v1/corpora/paged/documents?source=a-source&limit=200');
    expect(new Set(ofOne.documents.map(({ source }) => source))).toEqual(new Set(['a-source']));
    expect(ofOne.next_cursor).toBeNull();
  });

  it('forgets a source whole', async () => {
    await app.request('PUT', '/v1/corpora/forgetting');
    const events = [upsert('articles', 'id=1'), upsert('tickets', 'id=1')];
    await app.sendEvents('forgetting', events);
    expect((await app.request('DELETE', '/v1/corpora/forgetting/sources/articles')).status).toBe(204);
    expect(await app.request('DELETE', '/v1/corpora/forgetting/sources/articles')).toMatchObject({
      status: 404,
      json: { code: 'source_not_found' },
    });
    expect((await page('/v1/corpora/forgetting/documents')).documents.map(({ source }) => source)).toEqual(['tickets']);
    expect((await app.sendEvents('forgetting', events)).map(({ outcome }) => outcome)).toEqual(['applied', 'duplicate']);
  });

  it('ends a page early where its texts are large', async () => {
    await app.request('PUT', '/v1/corpora/large');
    await app.sendEvents(
      'large',
      [0, 1, 2, 3, 4].map((number) => upsert('articles', `id=${number}`)),
    );
    // Text that does not compress, since what is counted is what is stored; 3 MB in each.
    await getDatabase().pool.query(
      `UPDATE documents SET sections = jsonb_build_array(jsonb_build_object('name', 'body', 'text',
         (SELECT string_agg(md5(id::text || number), '') FROM generate_series(1, 94000) AS number)))
        WHERE corpus_id = (SELECT id FROM corpora WHERE name = 'large')`,
    );
    const keys: string[] = [];
    let pages = 0;
    for (let cursor: string | null = ''; cursor !== null; pages++) {
      const next = await page(`/v1/corpora/large/documents?include=sections&cursor=${cursor}`.replace(/&cursor=$/, ''));
      keys.push(...next.documents.map(({ key }) => key));
      cursor = next.next_cursor;
    }
    expect(keys).toEqual(['id=0', 'id=1', 'id=2', 'id=3', 'id=4']);
    expect(pages).toBeGreaterThan(1);
  });
});
