import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, describeError, ProblemError } from '@ossian/shared';
import { pino } from 'pino';
import type { AppDependencies } from '../app.js';
import type { Database } from '../storage/database.js';
import { bootstrapKey, startTestApp, type TestAnswer, type TestApp } from '../testing/test-app.js';
import { describeEachDatabase } from '../testing/test-databases.js';

const answer: Answer = {
  id: 'a1',
  answer: 'Thirty days [1].',
  segments: [],
  citations: [],
  answerer: 'test',
  supported: true,
  sources: [],
  usage: {},
  timing_ms: {},
};
const upsert = (key: string): unknown => ({
  id: key,
  op: 'upsert',
  document: { source: 's', key, sections: [{ name: 'body', text: `Text of ${key}` }] },
});

/** What becomes of the test's own ask and events, set by each test. */
let ask: AppDependencies['ask'];
let beforeApply: () => Promise<void> = () => Promise.resolve();

describeEachDatabase('faults', (getDatabase) => {
  let app: TestApp;
  const logged: string[] = [];
  beforeAll(async () => {
    const lines = new Writable({
      write(chunk: Buffer, _encoding, done) {
        logged.push(chunk.toString());
        done();
      },
    });
    const logger = pino({ level: 'trace', serializers: { err: describeError } }, lines);
    const inner = await startTestApp(getDatabase());
    await inner.request('PUT', '/v1/corpora/kb');
    await inner.close();
    const applyEvents: AppDependencies['applyEvents'] = async (corpus, events) => {
      await beforeApply();
      return inner.dependencies.applyEvents(corpus, events);
    };
    app = await startTestApp(getDatabase(), { applyEvents, ask: (...given) => ask(...given) }, logger);
  });
  afterAll(() => app.close());

  it('answers every error as problem+json with a code, a title and the request id', async () => {
    const cases: [string, string, unknown, number, string][] = [
      ['GET', '/nothing', undefined, 404, 'route_not_found'],
      ['GET', '/v1/corpora/missing', undefined, 404, 'corpus_not_found'],
      ['GET', '/v1/corpora/%E0%A4%A', undefined, 400, 'invalid_request'],
      ['PATCH', '/v1/corpora/kb', {}, 405, 'method_not_allowed'],
      ['GET', '/v1/corpora/kb/ask', undefined, 405, 'method_not_allowed'],
      ['PUT', '/v1/corpora/with%20space', {}, 400, 'invalid_request'],
      ['POST', '/v1/corpora/kb/events', '{"events": [', 400, 'not_json'],
      ['POST', '/v1/corpora/kb/events', 'events=1', 400, 'not_json'],
      ['POST', '/v1/corpora/kb/ask', '<html>', 400, 'not_json'],
      ['POST', '/v1/corpora/kb/events', undefined, 400, 'invalid_request'],
      ['POST', '/v1/corpora/kb/events', [], 400, 'invalid_request'],
      ['POST', '/v1/corpora/missing/events', { events: [] }, 404, 'corpus_not_found'],
      ['GET', '/v1/corpora/kb/documents/none', undefined, 404, 'document_not_found'],
      ['DELETE', '/v1/corpora/kb/sources/none', undefined, 404, 'source_not_found'],
    ];
    for (const [method, path, body, status, code] of cases) {
      const given = await app.request(method, path, body === undefined ? {} : { body });
      const about = `${method} ${path}`;
      expect({ about, status: given.status, code: given.json.code }).toEqual({ about, status, code });
      expect(given.headers.get('content-type')).toMatch(/^application\/problem\+json/);
      expect(given.json).toMatchObject({ status, title: expect.any(String), detail: expect.any(String) });
      expect(given.json['request_id']).toBe(given.headers.get('x-request-id'));
    }
  });

  it('names the field that is wrong', async () => {
    const cases: [string, string, unknown, string][] = [
      ['POST', '/v1/corpora/kb/ask', { question: '   ' }, 'question'],
      ['POST', '/v1/corpora/kb/ask', { question: 'x', max_documents: 0 }, 'max_documents'],
      ['POST', '/v1/corpora/kb/search', { query: 'x', limit: 201 }, 'limit'],
      ['POST', '/v1/corpora/kb/search', { query: 'x', top_k: 3 }, 'top_k'],
      ['POST', '/v1/corpora/kb/progress', { source: 's', connector: 'c', partitions: [], at: 'yesterday' }, 'at'],
      ['GET', '/v1/corpora/kb/documents?limit=0', undefined, 'limit'],
      ['GET', '/v1/corpora/kb/documents?limit=ten', undefined, 'limit'],
      ['GET', '/v1/corpora/kb/documents?include=everything', undefined, 'include'],
      ['GET', '/v1/corpora/kb/documents?cursor=bogus', undefined, 'cursor'],
      ['GET', '/v1/corpora/kb/events?cursor=WyJ4Il0', undefined, 'cursor'],
    ];
    for (const [method, path, body, field] of cases) {
      const given = await app.request(method, path, body === undefined ? {} : { body });
      expect({ path, status: given.status, field: given.json.field }).toEqual({ path, status: 400, field });
      expect(given.json.detail).toContain(field);
    }
    expect((await app.request('POST', '/v1/corpora/kb/ask', { body: { question: '' } })).json.detail).toMatch(
      /question is empty/,
    );
  });

  it('says where a NUL character cannot be, instead of failing', async () => {
    const cases: [string, string, unknown, number][] = [
      ['GET', '/v1/corpora/kb/documents?source=%00', undefined, 400],
      ['GET', '/v1/corpora/kb/documents/%00', undefined, 404],
      ['GET', '/v1/corpora/kb/events?source=%00', undefined, 400],
      ['DELETE', '/v1/corpora/kb/sources/%00', undefined, 400],
      ['POST', '/v1/corpora/kb/progress', { source: '\0', connector: 'c', partitions: [], at: '2026-01-01T00:00:00Z' }, 400],
      ['POST', '/v1/keys', { name: 'a\0', scopes: ['ask'] }, 400],
    ];
    for (const [method, path, body, status] of cases) {
      const given = await app.request(method, path, body === undefined ? {} : { body });
      expect({ path, body, status: given.status }).toEqual({ path, body, status });
      if (status === 400) expect(given.json.detail).toMatch(/NUL character.*leave it out|0x00/);
    }
  });

  it('refuses a body that is not UTF-8: two keys that differ in such a byte would become one', async () => {
    const [start, end] = ['{"events":[{"id":"e","op":"delete","document":{"source":"s","key":"', '"}}]}'].map((text) =>
      Buffer.from(text),
    );
    const send = (key: Buffer): Promise<TestAnswer> =>
      app.request('POST', '/v1/corpora/kb/events', { body: Buffer.concat([start!, key, end!]) });
    for (const byte of [0xfe, 0xff]) {
      expect(await send(Buffer.from([byte]))).toMatchObject({
        status: 400,
        json: { code: 'not_json', detail: expect.stringContaining('UTF-8') },
      });
    }
    expect(await send(Buffer.from('é'))).toMatchObject({ status: 200, json: { results: [{ outcome: 'unchanged' }] } });
  });

  it('says which methods there are, and how to make a corpus', async () => {
    expect((await app.request('PATCH', '/v1/corpora/kb', { body: {} })).headers.get('allow')).toBe('GET, PUT, DELETE');
    const missing = await app.request('POST', '/v1/corpora/missing/events', { body: { events: [] } });
    expect(missing.json.detail).toContain('PUT /v1/corpora/missing');
  });

  it('takes 31 MiB of events, and answers 413 above 32 MiB', async () => {
    const batch = (bytes: number): string => JSON.stringify({ events: [{ id: 'big', filler: 'x'.repeat(bytes) }] });
    const taken = await app.request('POST', '/v1/corpora/kb/events', { body: batch(31 * 1024 * 1024) });
    expect(taken).toMatchObject({ status: 200, json: { results: [{ id: 'big', outcome: 'rejected' }] } });
    const refused = await app.request('POST', '/v1/corpora/kb/events', { body: batch(32 * 1024 * 1024) });
    expect(refused).toMatchObject({ status: 413, json: { code: 'body_too_large' } });
    const question = JSON.stringify({ question: 'x'.repeat(2 * 1024 * 1024) });
    expect(await app.request('POST', '/v1/corpora/kb/ask', { body: question })).toMatchObject({ status: 413 });
  });

  it('finishes a batch whose caller has gone', async () => {
    const gone = new AbortController();
    let entered = (): void => undefined;
    let finished = (): void => undefined;
    const isIn = new Promise<void>((resolve) => (entered = resolve));
    beforeApply = () =>
      new Promise((resolve) => {
        finished = resolve;
        entered();
      });
    const body = { events: [upsert('orphan-1'), upsert('orphan-2')] };
    const sent = app.request('POST', '/v1/corpora/kb/events', { body, signal: gone.signal });
    sent.catch(() => undefined);
    await isIn;
    gone.abort();
    await expect(sent).rejects.toMatchObject({ name: 'AbortError' });
    finished();
    beforeApply = () => Promise.resolve();
    const again = await app.request('POST', '/v1/corpora/kb/events', { body });
    expect(again.json['results']).toMatchObject([{ outcome: 'duplicate' }, { outcome: 'duplicate' }]);
  });

  it('aborts a question whose asker has gone', async () => {
    for (const stream of [false, true]) {
      const gone = new AbortController();
      const aborted = new Promise<unknown>((resolve) => {
        ask = (_scope, _request, signal, onEvent) => {
          onEvent?.({ event: 'delta', data: { text: 'Thirty' } });
          setTimeout(() => gone.abort(), 50);
          return new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              resolve(signal.reason);
              reject(signal.reason as Error);
            });
          });
        };
      });
      const sent = app.request('POST', '/v1/corpora/kb/ask', { body: { question: 'x', stream }, signal: gone.signal });
      await expect(sent).rejects.toMatchObject({ name: 'AbortError' });
      expect(await aborted).toMatchObject({ name: 'AbortError' });
    }
    await app.request('GET', '/health/live');
    // Nothing failed: it is told by the request's own line alone.
    const asked = logged.filter((line) => line.includes('/ask"') && line.includes('"caller_gone":true'));
    expect(asked).toHaveLength(2);
    expect(logged.join('')).not.toContain('a request failed');
  });

  it('streams an answer as events, and gives the same object as a plain request', async () => {
    ask = (_scope, _request, _signal, onEvent) => {
      onEvent?.({ event: 'sources', data: { sources: [], notices: [] } });
      onEvent?.({ event: 'delta', data: { text: 'Thirty days [1].' } });
      onEvent?.({ event: 'done', data: answer });
      return Promise.resolve(answer);
    };
    const plain = await app.request('POST', '/v1/corpora/kb/ask', { body: { question: 'x' } });
    expect(plain.json).toEqual(answer);
    const streamed = await app.request('POST', '/v1/corpora/kb/ask', { body: { question: 'x', stream: true } });
    expect(streamed.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const events = streamed.text
      .trim()
      .split('\n\n')
      .map((block) => /^event: (\w+)\ndata: (.*)$/.exec(block)!);
    expect(events.map((event) => event[1])).toEqual(['sources', 'delta', 'done']);
    expect(JSON.parse(events[2]![2]!)).toEqual(answer);
  });

  it('ends a stream that fails with an error event, and answers plainly where nothing was sent', async () => {
    const overloaded = new ProblemError(503, 'answerer_overloaded', 'try again');
    ask = (_scope, _request, _signal, onEvent) => {
      onEvent?.({ event: 'delta', data: { text: 'Thirty' } });
      return Promise.reject(overloaded);
    };
    const body = { question: 'x', stream: true };
    const broken = await app.request('POST', '/v1/corpora/kb/ask', { body });
    expect(broken.status).toBe(200);
    expect(broken.text).toMatch(/event: error\ndata: \{.*"code":"answerer_overloaded".*\}\n\n$/s);
    ask = () => Promise.reject(overloaded);
    expect(await app.request('POST', '/v1/corpora/kb/ask', { body })).toMatchObject({
      status: 503,
      json: { code: 'answerer_overloaded' },
    });
  });

  it('answers 500 without saying what went wrong, and S10: logs it without its values', async () => {
    ask = () =>
      getDatabase()
        .pool.query("SELECT 'row-secret-4711'::int")
        .then(() => answer);
    const failed = await app.request('POST', '/v1/corpora/kb/ask', { body: { question: 'what is question-secret-4712' } });
    expect(failed).toMatchObject({ status: 500, json: { code: 'internal_error' } });
    expect(failed.text).not.toContain('4711');
    await app.request('POST', '/v1/corpora/kb/events', { body: { events: [upsert('event-secret-4713')] } });
    await app.request('GET', '/v1/corpora/kb/documents?source=query-secret-4714');
    await app.request('GET', '/v1/corpora/kb', { key: 'osk_key-secret-4715' });
    await app.request('DELETE', '/v1/keys/osk_key-secret-4716');
    const log = logged.join('');
    expect(log).toContain('SQLSTATE 22P02');
    expect(log).toContain(failed.headers.get('x-request-id'));
    expect(log).toContain('"path":"/v1/corpora/kb/documents"');
    expect(log).toContain('"path":"/v1/keys/osk_…"');
    expect(log).not.toContain(bootstrapKey);
    expect(log).not.toMatch(/secret-47/);
  });
});

describe('a database that is away', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });
  const full = Object.assign(new Error('could not extend file'), { code: '53100', severity: 'ERROR' });
  let fault: Error = refused;
  const away = {
    kind: 'postgres',
    pool: { query: () => Promise.reject(fault), connect: () => Promise.reject(fault) },
    transaction: () => Promise.reject(fault),
    close: () => Promise.resolve(),
  } as unknown as Database;
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(away);
  });
  afterAll(() => app.close());

  it('is 503 with Retry-After, also for a full disk and for a key that cannot be looked up', async () => {
    for (const cause of [refused, full]) {
      fault = cause;
      for (const key of [bootstrapKey, 'osk_some-key']) {
        const given = await app.request('POST', '/v1/corpora/kb/events', { key, body: { events: [] } });
        expect(given).toMatchObject({ status: 503, json: { code: 'database_unavailable' } });
        expect(given.headers.get('retry-after')).toBe('5');
      }
    }
  });

  it('is live and not ready', async () => {
    expect(await app.request('GET', '/health/live', { key: null })).toMatchObject({ status: 200, json: { status: 'live' } });
    const ready = await app.request('GET', '/health/ready', { key: null });
    expect(ready).toMatchObject({ status: 503, json: { code: 'not_ready' } });
    expect(ready.headers.get('retry-after')).toBe('5');
  });
});
