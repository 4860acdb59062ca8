import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventInput } from '@ossian/shared';
import { startTestApp, type TestApp } from '../testing/test-app.js';
import { describeEachDatabase } from '../testing/test-databases.js';

const article = (key: string, acl: string[] | null): EventInput => ({
  id: `event-${key}`,
  op: 'upsert',
  document: { source: 'articles', key, title: `Title of ${key}`, sections: [{ name: 'body', text: `Text of ${key}.` }], acl },
});
/** What is told, but for what differs in every request. */
const told = (answer: { status: number; json: Record<string, unknown> }, ...names: string[]): unknown => {
  const rest = { ...answer.json, request_id: undefined };
  return { status: answer.status, text: names.reduce((text, name) => text.replaceAll(name, '…'), JSON.stringify(rest)) };
};

describeEachDatabase('access', (getDatabase) => {
  let app: TestApp;
  const documentIds = new Map<string, string>();
  beforeAll(async () => {
    const answerNothing = { search: () => Promise.resolve({ hits: [] }) };
    app = await startTestApp(getDatabase(), answerNothing);
    for (const corpus of ['open', 'closed']) await app.request('PUT', `/v1/corpora/${corpus}`);
    const events = [article('public', null), article('ops', ['ops']), article('hr', ['hr']), article('nobody', [])];
    const results = await app.sendEvents('open', events);
    results.forEach((result, index) => documentIds.set(['public', 'ops', 'hr', 'nobody'][index]!, result.document_id!));
  });
  afterAll(() => app.close());

  const keysSeen = async (key: string | undefined, readers?: string): Promise<string[]> => {
    const query = readers === undefined ? '' : `?readers=${encodeURIComponent(readers)}`;
    const answer = await app.request('GET', `/v1/corpora/open/documents${query}`, key === undefined ? {} : { key });
    return (answer.json['documents'] as { key: string }[]).map((document) => document.key);
  };

  it('answers 401 without a key, with an unknown one, and with another scheme', async () => {
    const attempts = [{ key: null }, { key: 'osk_unknown' }, { key: null, headers: { authorization: 'Basic abc' } }];
    for (const attempt of attempts) {
      const answer = await app.request('GET', '/v1/corpora/open', attempt);
      expect(answer).toMatchObject({ status: 401, json: { status: 401, code: 'unauthorized', title: 'Unauthorized' } });
      expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
  });

  it('answers 403 where the key has another scope', async () => {
    const expected: [string, string, string, unknown, string[]][] = [
      ['POST', '/v1/corpora/open/events', 'events', { events: [] }, ['ingest', 'admin']],
      ['POST', '/v1/corpora/open/search', 'search', { query: 'x' }, ['ask', 'admin']],
      ['GET', '/v1/corpora/open/documents', 'documents', undefined, ['ask', 'admin']],
      ['GET', '/v1/corpora/open', 'statistics', undefined, ['ask', 'ingest', 'admin']],
      ['GET', '/v1/corpora/open/events', 'log', undefined, ['admin']],
      ['PUT', '/v1/corpora/open', 'put', {}, ['admin']],
      ['GET', '/v1/keys', 'keys', undefined, ['admin']],
    ];
    for (const scope of ['ingest', 'ask', 'memory', 'admin'] as const) {
      const { key } = await app.createKey([scope]);
      for (const [method, path, name, sent, allowed] of expected) {
        const answer = await app.request(method, path, { key, ...(sent === undefined ? {} : { body: sent }) });
        expect({ name, scope, status: answer.status }).toEqual({ name, scope, status: allowed.includes(scope) ? 200 : 403 });
        if (answer.status === 403) expect(answer.json.code).toBe('forbidden');
      }
    }
  });

  it('refuses a revoked key from the next request on', async () => {
    const { id, key } = await app.createKey(['ask']);
    expect((await app.request('GET', '/v1/corpora/open', { key })).status).toBe(200);
    expect((await app.request('DELETE', `/v1/keys/${id}`)).json['revoked_at']).toEqual(expect.any(String));
    expect((await app.request('GET', '/v1/corpora/open', { key })).status).toBe(401);
    expect((await app.request('DELETE', '/v1/keys/none')).status).toBe(404);
  });

  it('V6: a corpus that the key may not see answers exactly as one that does not exist', async () => {
    const { key } = await app.createKey(['ask', 'ingest', 'admin'], { corpora: ['open'] });
    const routes: [string, string, unknown][] = [
      ['GET', '', undefined],
      ['DELETE', '', undefined],
      ['POST', '/events', { events: [] }],
      ['POST', '/progress', {}],
      ['POST', '/search', { query: 'x' }],
      ['POST', '/ask', { question: 'x' }],
      ['GET', '/documents', undefined],
      ['GET', '/events', undefined],
      ['DELETE', '/sources/articles', undefined],
    ];
    for (const [method, path, body] of routes) {
      const options = { key, ...(body === undefined ? {} : { body }) };
      const hidden = await app.request(method, `/v1/corpora/closed${path}`, options);
      const missing = await app.request(method, `/v1/corpora/nowhere${path}`, options);
      expect(hidden).toMatchObject({ status: 404, json: { code: 'corpus_not_found' } });
      expect(told(hidden, 'closed')).toEqual(told(missing, 'nowhere'));
    }
    expect((await app.request('GET', '/v1/corpora', { key })).json['corpora']).toMatchObject([{ name: 'open' }]);
    expect((await app.request('PUT', '/v1/corpora/closed', { key })).status).toBe(403);
    expect((await app.request('PUT', '/v1/corpora/nowhere', { key })).status).toBe(403);
    expect((await app.request('GET', '/v1/corpora/closed')).status).toBe(200);
  });

  describe('readers', () => {
    it('V6: a key that is limited to readers counts, removes and is told of no others, whatever its scope', async () => {
      const { key } = await app.createKey(['admin', 'ingest'], { readers: ['ops'] });
      const path = (name: string): string => `/v1/corpora/open/documents/${documentIds.get(name)!}`;
      expect((await app.request('GET', '/v1/corpora/open', { key })).json['documents']).toBe(2);
      expect((await app.request('PUT', '/v1/corpora/open', { key })).json['documents']).toBe(2);
      expect(await app.request('GET', '/v1/corpora/open/events', { key })).toMatchObject({
        status: 403,
        json: { code: 'forbidden' },
      });
      expect(await app.request('DELETE', path('hr'), { key })).toMatchObject({
        status: 404,
        json: { code: 'document_not_found' },
      });
      expect(await keysSeen(undefined, 'hr')).toContain('hr');
    });

    it('V6: without readers a request sees public documents only, whatever the key', async () => {
      const limited = await app.createKey(['ask'], { readers: ['ops'] });
      const admin = await app.createKey(['admin']);
      for (const key of [undefined, limited.key, admin.key]) expect(await keysSeen(key)).toEqual(['public']);
    });

    it('V6: a request narrows the limits of its key and never widens them', async () => {
      const limited = await app.createKey(['ask'], { readers: ['ops'] });
      expect(await keysSeen(limited.key, 'ops,hr')).toEqual(['ops', 'public']);
      expect(await keysSeen(limited.key, 'hr')).toEqual(['public']);
      const free = await app.createKey(['ask']);
      expect(await keysSeen(free.key, 'ops,hr')).toEqual(['hr', 'ops', 'public']);
    });

    it('V6: only an admin key sees all, and a limited one not even so', async () => {
      expect(await keysSeen(undefined, '*')).toEqual(['hr', 'nobody', 'ops', 'public']);
      const limitedAdmin = await app.createKey(['admin'], { readers: ['hr'] });
      expect(await keysSeen(limitedAdmin.key, '*')).toEqual(['hr', 'public']);
      const { key } = await app.createKey(['ask']);
      const refused = await app.request('GET', '/v1/corpora/open/documents?readers=*', { key });
      expect(refused).toMatchObject({ status: 403, json: { code: 'forbidden' } });
    });

    it('V6: a document that may not be read answers exactly as one that does not exist', async () => {
      const { key } = await app.createKey(['ask'], { readers: ['ops'] });
      const path = (corpus: string, id: string): string => `/v1/corpora/${corpus}/documents/${id}?readers=ops`;
      const missing = '00000000-0000-4000-8000-000000000000';
      const expected = told(await app.request('GET', path('open', missing), { key }), missing);
      expect(expected).toMatchObject({ status: 404 });
      const hr = documentIds.get('hr')!;
      expect(told(await app.request('GET', path('open', hr), { key }), hr)).toEqual(expected);
      const ops = documentIds.get('ops')!;
      expect((await app.request('GET', path('open', ops), { key })).json).toMatchObject({ key: 'ops', acl: ['ops'] });
      expect(told(await app.request('GET', path('closed', ops), { key }), ops)).toEqual(expected);
      expect((await app.request('GET', path('open', 'not-an-id'), { key })).status).toBe(404);
    });

    it('V6: statistics count for a key that only asks what it may read', async () => {
      const { key } = await app.createKey(['ask'], { readers: ['ops'] });
      const counted = async (query: string, by: { key?: string }): Promise<unknown> => {
        const { documents, chunks, events } = (await app.request('GET', `/v1/corpora/open${query}`, by)).json;
        return [documents, chunks, events];
      };
      expect(await counted('', { key })).toEqual([1, 1, 1]);
      expect(await counted('?readers=ops,hr', { key })).toEqual([2, 2, 2]);
      expect(await counted('', {})).toEqual([4, 4, 4]);
    });
  });

  describe('keys', () => {
    it('makes a key, shows it once, and stores nothing it can be read from', async () => {
      const body = { name: 'sink', scopes: ['ingest'], corpora: ['open'] };
      const created = await app.request('POST', '/v1/keys', { body });
      expect(created).toMatchObject({
        status: 201,
        json: { name: 'sink', scopes: ['ingest'], corpora: ['open'], readers: null },
      });
      const key = created.json['key'] as string;
      expect(key).toMatch(/^osk_[\w-]{43}$/);
      expect((await app.request('POST', '/v1/corpora/open/events', { key, body: { events: [] } })).status).toBe(200);
      const listed = await app.request('GET', '/v1/keys');
      expect(listed.text).toContain('"sink"');
      expect(listed.text).not.toContain(key);
      const stored = await getDatabase().pool.query<{ row: string }>('SELECT api_keys::text AS row FROM api_keys');
      expect(stored.rows.some(({ row }) => row.includes(key.slice(4)))).toBe(false);
    });

    it('V6: an admin key with limits makes none that has more', async () => {
      const { key } = await app.createKey(['admin'], { corpora: ['open'] });
      const body = { name: 'wider', scopes: ['admin'] };
      expect(await app.request('POST', '/v1/keys', { key, body })).toMatchObject({ status: 403 });
      expect(await app.request('GET', '/v1/keys', { key })).toMatchObject({ status: 403 });
    });

    it('names the field that is wrong', async () => {
      const unknownScope = await app.request('POST', '/v1/keys', { body: { name: 'x', scopes: ['root'] } });
      expect(unknownScope).toMatchObject({ status: 400, json: { code: 'invalid_request', field: 'scopes.0' } });
      const noName = await app.request('POST', '/v1/keys', { body: { name: ' ', scopes: ['ask'] } });
      expect(noName).toMatchObject({ status: 400, json: { field: 'name' } });
    });
  });
});
