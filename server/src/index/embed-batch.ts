import type { Logger } from '@ossian/shared';
import type { Embedder } from '../models/embedder.js';
import type { Database } from '../storage/database.js';
import {
  leaseTexts,
  recordFailure,
  releaseTexts,
  storeVectors,
  type FailureRule,
  type LeasedText,
  type TextVector,
} from '../storage/embedding-store.js';
import { EmbedderAwayError } from './embedder-away-error.js';

export interface BatchOptions {
  readonly database: Database;
  readonly embedder: Embedder;
  readonly logger: Logger;
  readonly modelId: number;
  readonly batchSize: number;
  readonly leaseMilliseconds: number;
  readonly failures: FailureRule;
  /** Ends a batch that takes too long to stop. */
  readonly signal: AbortSignal;
}

/** Any embedder that is in order can embed this. */
const PROBE = 'a short sentence';

/**
 * Leases a batch in one short transaction, embeds it with none open, stores its vectors in another.
 *
 * @returns how many queue rows were looked at; none: nothing can be done now.
 * @throws EmbedderAwayError where the embedder embeds nothing at all; the texts are given back.
 */
export async function embedBatch(options: BatchOptions): Promise<number> {
  const { database, modelId, batchSize, leaseMilliseconds } = options;
  const { texts, examined } = await database.transaction((transaction) =>
    leaseTexts(transaction, modelId, batchSize, leaseMilliseconds),
  );
  if (texts.length === 0) return examined;
  let vectors: Float32Array[];
  try {
    vectors = await embedTexts(
      options,
      texts.map((text) => text.text),
    );
  } catch {
    await embedOneByOne(options, texts);
    return examined;
  }
  await store(
    options,
    texts.map(({ hash }, index) => ({ hash, vector: vectors[index]! })),
  );
  return examined;
}

/** Finds the texts of a failed batch that fail by themselves; where nothing can be embedded, it is not the texts. */
async function embedOneByOne(options: BatchOptions, texts: readonly LeasedText[]): Promise<void> {
  for (const [index, { hash, text }] of texts.entries()) {
    const vector = await embedTexts(options, [text]).then(
      (vectors) => vectors[0]!,
      (error: unknown) => new TextFailure(error),
    );
    if (!(vector instanceof TextFailure)) await store(options, [{ hash, vector }]);
    else if (await isAway(options)) {
      await giveBack(options, texts.slice(index));
      throw new EmbedderAwayError(vector.cause);
    } else await noteFailure(options, hash, vector.cause);
  }
}

class TextFailure {
  readonly cause: unknown;
  constructor(cause: unknown) {
    this.cause = cause;
  }
}

async function embedTexts({ embedder, signal }: BatchOptions, texts: readonly string[]): Promise<Float32Array[]> {
  const vectors = await embedder.embed(texts, signal);
  const sound = (vector: Float32Array): boolean => vector.length === embedder.dimension && vector.every(Number.isFinite);
  if (vectors.length === texts.length && vectors.every(sound)) return vectors;
  throw new EmbedderAwayError(
    `it gave ${vectors.length} vectors for ${texts.length} texts, or not of ${embedder.dimension} numbers`,
  );
}

async function isAway(options: BatchOptions): Promise<boolean> {
  return embedTexts(options, [PROBE]).then(
    () => false,
    () => true,
  );
}

async function store({ database, modelId }: BatchOptions, vectors: readonly TextVector[]): Promise<void> {
  await database.transaction((transaction) => storeVectors(transaction, modelId, vectors));
}

async function giveBack({ database, modelId }: BatchOptions, texts: readonly LeasedText[]): Promise<void> {
  const hashes = texts.map((text) => text.hash);
  await database.transaction((transaction) => releaseTexts(transaction, modelId, hashes));
}

async function noteFailure({ database, modelId, failures, logger }: BatchOptions, hash: Buffer, error: unknown): Promise<void> {
  const { setAside } = await database.transaction((transaction) =>
    recordFailure(transaction, modelId, hash, String(error).slice(0, 500), failures),
  );
  if (setAside)
    logger.warn({ hash: hash.toString('hex') }, 'a text cannot be embedded and was set aside: it is found by its words only');
}
