import { backoffMilliseconds, sleep, type Logger } from '@ossian/shared';
import type { Embedder } from '../models/embedder.js';
import type { Database } from '../storage/database.js';
import { activateModel, registerModel, type EmbeddingModel } from '../storage/embedding-model-store.js';
import { removeOrphanVectors, type VectorCursor } from '../storage/embedding-orphan-store.js';
import { countWaiting } from '../storage/embedding-store.js';
import { embedBatch } from './embed-batch.js';
import { EmbedderAwayError } from './embedder-away-error.js';

/** All times in milliseconds. */
export interface EmbeddingWorkerSettings {
  /** How long an empty queue is left alone: other replicas write chunks too, and leases expire. */
  readonly poll: number;
  readonly lease: number;
  readonly mostFailures: number;
  readonly retry: number;
  /** Longest wait between tries while the embedder or the database is away. */
  readonly longestBackoff: number;
  /** How long `stop` lets a running batch go on. */
  readonly stop: number;
  /** Between two searches for vectors that no chunk needs; between two slices of one, a sixtieth of it. */
  readonly tidy: number;
  readonly tidySlice: number;
}
const DEFAULTS: EmbeddingWorkerSettings = {
  poll: 2000,
  lease: 30_000,
  mostFailures: 3,
  retry: 5000,
  longestBackoff: 60_000,
  stop: 5000,
  tidy: 60_000,
  tidySlice: 500,
};
const FIRST_BACKOFF = 500;
/** While somebody waits for `idle`. */
const IDLE_POLL = 50;
/** The embedded database has one connection, which must soon be free again. */
const EMBEDDED_BATCH = 8;

export interface EmbeddingWorkerOptions {
  readonly database: Database;
  readonly embedder: Embedder;
  readonly logger: Logger;
  readonly settings?: Partial<EmbeddingWorkerSettings>;
}
export interface EmbeddingWorker {
  /** Says that chunks were written. */
  wake(): void;
  /** Resolves when no chunk waits for a vector, texts that were set aside left out; also when the worker stops. */
  idle(): Promise<void>;
  /** Lets the running batch finish, within a bounded time. The embedder is not closed. */
  stop(): Promise<void>;
}

/** Fills in vectors of the chunks that lack one, for as long as the server runs: any number of replicas, and restarts, share the work. */
export function startEmbeddingWorker(options: EmbeddingWorkerOptions): EmbeddingWorker {
  const loop = new EmbeddingLoop(options);
  const ended = loop.run();
  return {
    wake: () => loop.wake(),
    idle: () => loop.idle(),
    stop: async () => {
      loop.stop();
      await ended;
    },
  };
}

class EmbeddingLoop {
  private readonly options: EmbeddingWorkerOptions;
  private readonly settings: EmbeddingWorkerSettings;
  private readonly stopping = new AbortController();
  /** Aborted when a stop has waited long enough. */
  private readonly ending = new AbortController();
  private alarm = new AbortController();
  private waiters: (() => void)[] = [];
  private model: EmbeddingModel | undefined;
  private faults = 0;
  private faultKind: string | undefined;
  private cursor: VectorCursor | undefined;
  private tidyAt: number;

  constructor(options: EmbeddingWorkerOptions) {
    this.options = options;
    this.settings = { ...DEFAULTS, ...options.settings };
    this.tidyAt = performance.now() + this.settings.tidy;
  }

  wake(): void {
    this.alarm.abort();
  }

  idle(): Promise<void> {
    if (this.stopping.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      this.waiters.push(resolve);
      this.wake();
    });
  }

  stop(): void {
    this.stopping.abort();
    this.wake();
    setTimeout(() => this.ending.abort(), this.settings.stop).unref();
  }

  async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      this.alarm = new AbortController();
      try {
        await this.step();
      } catch (error) {
        await this.backOff(error);
      }
    }
    for (const resolve of this.waiters.splice(0)) resolve();
  }

  /** One batch; where there is none, the work of quiet times and a pause. */
  private async step(): Promise<void> {
    const { database, embedder, logger } = this.options;
    const waiting = this.waiters.length;
    this.model ??= await database.transaction((transaction) => registerModel(transaction, embedder.id, embedder.dimension));
    const modelId = this.model.id;
    const examined = await embedBatch({
      database,
      embedder,
      logger,
      modelId,
      batchSize: database.kind === 'embedded' ? Math.min(EMBEDDED_BATCH, embedder.batchSize) : embedder.batchSize,
      leaseMilliseconds: this.settings.lease,
      failures: { mostFailures: this.settings.mostFailures, retryMilliseconds: this.settings.retry },
      signal: this.ending.signal,
    });
    this.recovered();
    if (examined > 0) return;
    const { queued } = await database.transaction((transaction) => countWaiting(transaction, modelId));
    if (queued === 0) {
      const activated = await database.transaction((transaction) => activateModel(transaction, modelId));
      if (activated) logger.info({ model: embedder.id }, 'the new embedding model is filled and answers from now on');
      for (const resolve of this.waiters.splice(0, waiting)) resolve();
    }
    await this.tidy();
    await this.pause();
  }

  private async pause(): Promise<void> {
    const pause = this.waiters.length > 0 ? Math.min(IDLE_POLL, this.settings.poll) : this.settings.poll;
    // Chunks that were written since the queue was looked at have rung already.
    if (this.waiters.length > 0) await sleep(pause, this.stopping.signal);
    else await sleep(pause, this.alarm.signal);
  }

  private async tidy(): Promise<void> {
    if (performance.now() < this.tidyAt) return;
    const { database, logger } = this.options;
    const { next, removed } = await database.transaction((transaction) =>
      removeOrphanVectors(transaction, this.cursor, this.settings.tidySlice),
    );
    this.cursor = next;
    this.tidyAt = performance.now() + (next ? this.settings.tidy / 60 : this.settings.tidy);
    if (removed > 0) logger.debug({ removed }, 'removed vectors of texts that no chunk has');
  }

  private recovered(): void {
    if (this.faultKind !== undefined) this.options.logger.info('embedding goes on');
    this.faultKind = undefined;
    this.faults = 0;
  }

  /** Says once what is wrong, and waits: a wake does not shorten it. */
  private async backOff(error: unknown): Promise<void> {
    if (this.stopping.signal.aborted) return;
    const kind = EmbedderAwayError.is(error) ? 'embedder' : 'database';
    if (this.faultKind !== kind)
      this.options.logger.warn({ err: error, kind }, 'embedding is interrupted and will be tried again');
    this.faultKind = kind;
    const wait = FIRST_BACKOFF / 2 + backoffMilliseconds(this.faults, FIRST_BACKOFF, this.settings.longestBackoff);
    this.faults += 1;
    await sleep(Math.min(wait, this.settings.longestBackoff), this.stopping.signal);
  }
}
