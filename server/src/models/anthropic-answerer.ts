import Anthropic from '@anthropic-ai/sdk';
import type { Logger } from '@ossian/shared';
import { timedOut, toAnswererProblem } from './anthropic/answerer-problem.js';
import { buildRequest } from './anthropic/build-request.js';
import { readEvents } from './anthropic/read-events.js';
import type { AnswerPart, Answerer, AnswerRequest } from './answerer.js';

export interface AnthropicAnswererOptions {
  /** Never logged, never part of an error. */
  readonly apiKey: string;
  /** ANTHROPIC_BASE_URL; Anthropic's own address by default. */
  readonly baseUrl?: string | undefined;
  /** OSSIAN_ANTHROPIC_MODEL. */
  readonly model?: string | undefined;
  /** Of thinking and answer together. */
  readonly maximumTokens?: number;
  /** Retries before the answer begins, after what Retry-After says, else with growing waits. */
  readonly maximumRetries?: number;
  /** How long nothing may come, retries included, before the answer is given up. */
  readonly silenceMilliseconds?: number;
  readonly logger: Logger;
}

export const defaultAnthropicModel = 'claude-sonnet-5-5';

/** Lets Claude answer over the Messages API with its citations on; always streamed underneath. */
export function createAnthropicAnswerer(options: AnthropicAnswererOptions): Answerer {
  const model = options.model ?? defaultAnthropicModel;
  const client = new Anthropic({
    apiKey: options.apiKey,
    ...(options.baseUrl === undefined ? {} : { baseURL: options.baseUrl }),
    maxRetries: options.maximumRetries ?? 2,
    // The SDK would log requests and broken events, and so record content.
    logLevel: 'off',
    openTelemetry: false,
  });
  return {
    id: 'anthropic',
    async *answer(request: AnswerRequest): AsyncGenerator<AnswerPart> {
      const silence = new Silence(options.silenceMilliseconds ?? 120_000);
      const signal = AbortSignal.any([request.signal, silence.signal]);
      try {
        const params = buildRequest(request, model, options.maximumTokens ?? 16_000);
        const stream = await client.messages.create(params, { signal });
        yield* readEvents(silence.watch(stream), request.documents);
      } catch (error) {
        request.signal.throwIfAborted();
        const problem = silence.signal.aborted ? timedOut(silence.milliseconds) : toAnswererProblem(error);
        options.logger.warn({ code: problem.code, detail: problem.message, model }, 'the answerer did not finish');
        throw problem;
      } finally {
        silence.end();
      }
    },
  };
}

/** Aborts where nothing has come for too long; each event begins the wait anew. */
class Silence {
  readonly milliseconds: number;
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(milliseconds: number) {
    this.milliseconds = milliseconds;
    this.#timer = setTimeout(() => this.#controller.abort(), milliseconds);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }
  async *watch<T>(events: AsyncIterable<T>): AsyncGenerator<T> {
    for await (const event of events) {
      this.#timer.refresh();
      yield event;
    }
  }
  end(): void {
    clearTimeout(this.#timer);
  }
}
