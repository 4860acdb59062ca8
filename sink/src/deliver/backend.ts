import { type EventResult, eventResultsSchema, ForeignAnswer, OssianClient, type Progress } from '@ossian/shared';
import type { DeliverySettings } from '../config/settings.js';
import { RequestTimeout } from './request-timeout.js';

/** An event that is ready to go: its JSON is made once, for its size and for the wire. */
export interface OutgoingEvent {
  readonly id: string;
  readonly text: string;
  /** Size of `text` in UTF-8. */
  readonly bytes: number;
}

export type BackendSettings = Pick<DeliverySettings, 'url' | 'apiKey' | 'readApiKey' | 'corpus' | 'requestTimeout'>;

/** The backend as one connector sees it: its corpus, its key, and a time limit on every request. */
export class Backend {
  readonly #settings: BackendSettings;
  readonly #client: OssianClient;
  #apiKey: string;

  constructor(settings: BackendSettings) {
    this.#settings = settings;
    this.#apiKey = settings.apiKey;
    this.#client = new OssianClient({ url: settings.url, apiKey: () => this.#apiKey });
  }

  /**
   * Sends one batch.
   *
   * @returns one result for each event, in order. @throws what `judgeFault` judges.
   */
  async sendEvents(events: readonly OutgoingEvent[], signal: AbortSignal): Promise<readonly EventResult[]> {
    const body = `{"events":[${events.map(({ text }) => text).join(',')}]}`;
    const answer = await this.#request(`v1/corpora/${this.#corpus}/events`, body, signal);
    const parsed = eventResultsSchema.safeParse(answer);
    // Results that do not fit the request come from somebody who did not read it.
    const fits = parsed.success && parsed.data.results.length === events.length;
    if (!fits || parsed.data.results.some(({ id }, index) => id !== events[index]?.id)) {
      throw new ForeignAnswer(200, 'application/json, but its results are not those of the events sent', null);
    }
    return parsed.data.results;
  }

  async sendProgress(progress: Progress, signal: AbortSignal): Promise<void> {
    await this.#request(`v1/corpora/${this.#corpus}/progress`, JSON.stringify(progress), signal);
  }

  /** Reads the key again from where the configuration points to. @returns false where it cannot be had. */
  readKeyAgain(): boolean {
    const key = this.#settings.readApiKey();
    if (key === undefined) return false;
    this.#apiKey = key;
    return true;
  }

  get #corpus(): string {
    return encodeURIComponent(this.#settings.corpus);
  }

  async #request(path: string, body: string, signal: AbortSignal): Promise<unknown> {
    const { requestTimeout } = this.#settings;
    // Not AbortSignal.any: it keeps every one of its signals alive as long as the outer one.
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(new RequestTimeout(requestTimeout)), requestTimeout);
    const abort = (): void => limit.abort(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    try {
      return await this.#client.request<unknown>('POST', path, body, { signal: limit.signal });
    } catch (error) {
      throw RequestTimeout.is(limit.signal.reason) ? limit.signal.reason : error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  }
}
