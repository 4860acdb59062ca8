import { z } from 'zod';
import type { CorpusStatistics, DocumentPage, DocumentView } from './contract/corpus.js';
import { type EventInput, type EventResult, eventResultsSchema, type Progress } from './contract/event.js';
import type { Answer, AskInput, SearchInput, SearchResponse } from './contract/retrieval.js';
import { type Problem, problemContentType, problemSchema } from './problem.js';

/** The backend said no, in our own form. */
export class BackendProblem extends Error {
  override readonly name = 'BackendProblem';
  readonly problem: Problem;
  readonly retryAfter: string | null;
  constructor(problem: Problem, retryAfter: string | null) {
    super(`${problem.status} ${problem.code}: ${problem.detail ?? problem.title}`);
    this.problem = problem;
    this.retryAfter = retryAfter;
  }
  static is(error: unknown): error is BackendProblem {
    return error instanceof BackendProblem;
  }
}

/** Something answered that is not an Ossian backend: a proxy's page, a redirect, another service. */
export class ForeignAnswer extends Error {
  override readonly name = 'ForeignAnswer';
  readonly status: number;
  readonly retryAfter: string | null;
  constructor(status: number, contentType: string | null, retryAfter: string | null) {
    super(`the answer (status ${status}, ${contentType ?? 'no content type'}) does not come from an Ossian backend`);
    this.status = status;
    this.retryAfter = retryAfter;
  }
  static is(error: unknown): error is ForeignAnswer {
    return error instanceof ForeignAnswer;
  }
}

export interface ClientOptions {
  url: string;
  /** Bearer key; asked for at each request, so that a rotated key is taken up. */
  apiKey: string | (() => string | undefined) | undefined;
  fetch?: typeof fetch;
}
export interface CallOptions {
  signal?: AbortSignal;
}

const jsonObject = z.looseObject({});

/** The typed client of the backend's HTTP interface. Throws BackendProblem, ForeignAnswer, or what fetch throws. */
export class OssianClient {
  readonly #options: ClientOptions;
  constructor(options: ClientOptions) {
    this.#options = options;
  }

  async request<T>(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<T> {
    const key = typeof this.#options.apiKey === 'function' ? this.#options.apiKey() : this.#options.apiKey;
    const response = await (this.#options.fetch ?? fetch)(new URL(path, this.#options.url.replace(/\/*$/, '/')), {
      method,
      redirect: 'manual',
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    return readAnswer<T>(response);
  }

  async sendEvents(corpus: string, events: readonly EventInput[], options?: CallOptions): Promise<EventResult[]> {
    const answer = await this.request<unknown>('POST', `v1/corpora/${encodeURIComponent(corpus)}/events`, { events }, options);
    const parsed = eventResultsSchema.safeParse(answer);
    if (!parsed.success) throw new ForeignAnswer(200, 'application/json', null);
    return parsed.data.results;
  }
  async sendProgress(corpus: string, progress: Progress, options?: CallOptions): Promise<void> {
    await this.request('POST', `v1/corpora/${encodeURIComponent(corpus)}/progress`, progress, options);
  }
  putCorpus(corpus: string, options?: CallOptions): Promise<CorpusStatistics> {
    return this.request('PUT', `v1/corpora/${encodeURIComponent(corpus)}`, {}, options);
  }
  corpus(corpus: string, options?: CallOptions): Promise<CorpusStatistics> {
    return this.request('GET', `v1/corpora/${encodeURIComponent(corpus)}`, undefined, options);
  }
  documents(corpus: string, query: Record<string, string> = {}, options?: CallOptions): Promise<DocumentPage> {
    const search = new URLSearchParams(query).toString();
    return this.request('GET', `v1/corpora/${encodeURIComponent(corpus)}/documents${search && `?${search}`}`, undefined, options);
  }
  document(corpus: string, id: string, options?: CallOptions): Promise<DocumentView> {
    return this.request(
      'GET',
      `v1/corpora/${encodeURIComponent(corpus)}/documents/${encodeURIComponent(id)}`,
      undefined,
      options,
    );
  }
  search(corpus: string, query: SearchInput, options?: CallOptions): Promise<SearchResponse> {
    return this.request('POST', `v1/corpora/${encodeURIComponent(corpus)}/search`, query, options);
  }
  ask(corpus: string, question: AskInput, options?: CallOptions): Promise<Answer> {
    return this.request('POST', `v1/corpora/${encodeURIComponent(corpus)}/ask`, { ...question, stream: false }, options);
  }
}

/** Tells ours from foreign answers by form, never by status alone. */
async function readAnswer<T>(response: Response): Promise<T> {
  const contentType = response.headers.get('content-type');
  const retryAfter = response.headers.get('retry-after');
  const foreign = new ForeignAnswer(response.status, contentType, retryAfter);
  const text = await response.text();
  if (response.status === 204) return undefined as T;
  const type = contentType?.split(';')[0]?.trim();
  const json = parseJson(text);
  if (response.ok) {
    if (type !== 'application/json' || !jsonObject.safeParse(json).success) throw foreign;
    return json as T;
  }
  const problem = type === problemContentType ? problemSchema.safeParse(json) : undefined;
  throw problem?.success ? new BackendProblem(problem.data, retryAfter) : foreign;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
