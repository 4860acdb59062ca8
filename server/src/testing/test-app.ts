import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger, type EventInput, type EventResult, type KeyScope, type Logger } from '@ossian/shared';
import { type AppDependencies, createApp } from '../app.js';
import { generateKey, hashKey } from '../auth/api-key.js';
import { createAuthenticate } from '../auth/authenticate.js';
import { chunkDocument } from '../index/chunk-document.js';
import { applyEvents } from '../ingest/apply-events.js';
import { forgetSource } from '../ingest/forget-source.js';
import { removeDocument } from '../ingest/remove-document.js';
import { reportProgress } from '../ingest/report-progress.js';
import type { Database } from '../storage/database.js';
import { insertKey, type KeyLimits } from '../storage/key-store.js';

export const bootstrapKey = 'bootstrap-key-of-the-tests';

export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined where it is none. */
  readonly json: Record<string, unknown> & { code?: string; detail?: string; field?: string };
}
export interface TestRequest {
  /** Bearer key; the bootstrap key by default, null for none. */
  readonly key?: string | null;
  /** Text and bytes are sent as they are, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}
export interface TestApp {
  readonly url: string;
  readonly dependencies: AppDependencies;
  request(method: string, path: string, options?: TestRequest): Promise<TestAnswer>;
  createKey(scopes: KeyScope[], limits?: Partial<KeyLimits>): Promise<{ id: string; key: string }>;
  sendEvents(corpus: string, events: EventInput[]): Promise<EventResult[]>;
  close(): Promise<void>;
}

const notWired = (): never => {
  throw new Error('this test wires no retrieval');
};

/** The app on a free port over this database, with the real write flow; search and ask as the test gives them. */
export async function startTestApp(
  database: Database,
  overrides: Partial<AppDependencies> = {},
  logger: Logger = createLogger('test', 'silent'),
): Promise<TestApp> {
  const writing = { database, chunkDocument, documentChanged: () => Promise.resolve(), logger };
  const dependencies: AppDependencies = {
    database,
    logger,
    authenticate: createAuthenticate({ database, bootstrapKey, localKey: undefined }),
    applyEvents: (corpus, events) => applyEvents(writing, corpus, events),
    reportProgress: (corpus, progress) => reportProgress(writing, corpus, progress),
    removeDocument: (scope, id) => removeDocument(writing, scope, id),
    forgetSource: (corpus, source) => forgetSource(writing, corpus, source),
    search: notWired,
    ask: notWired,
    ...overrides,
  };
  const server = createServer(createApp(dependencies));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const request = (method: string, path: string, options: TestRequest = {}): Promise<TestAnswer> =>
    send(method, url + path, options);
  return {
    url,
    dependencies,
    request,
    createKey: async (scopes, limits = {}) => {
      const key = generateKey();
      const stored = { name: 'test', scopes, corpora: null, readers: null, owners: null, ...limits };
      return { id: (await insertKey(database, stored, hashKey(key))).id, key };
    },
    sendEvents: async (corpus, events) => {
      const answer = await request('POST', `/v1/corpora/${corpus}/events`, { body: { events } });
      if (answer.status !== 200) throw new Error(`events: ${answer.status} ${answer.text}`);
      return answer.json['results'] as EventResult[];
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function send(method: string, url: string, options: TestRequest): Promise<TestAnswer> {
  const key = options.key === undefined ? bootstrapKey : options.key;
  const { body, signal } = options;
  const response = await fetch(url, {
    method,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  const json = (isJson ? JSON.parse(text) : {}) as TestAnswer['json'];
  return { status: response.status, headers: response.headers, text, json };
}
