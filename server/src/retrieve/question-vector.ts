import { type Logger, ProblemError } from '@ossian/shared';
import type { Embedder } from '../models/embedder.js';

/** The question as its embedder sees it, or why there is no vector. */
export type QuestionVector =
  | { readonly kind: 'vector'; readonly embedderId: string; readonly vector: Float32Array }
  | { readonly kind: 'unwanted' }
  | { readonly kind: 'missing'; readonly notice: string };

/**
 * Embeds the question, before any transaction is open. Where the embedder is away the reason becomes a notice, and retrieval goes on
 * without the vector leg.
 */
export async function embedQuestion(
  embedder: Embedder | undefined,
  text: string,
  logger: Logger,
  signal?: AbortSignal,
): Promise<QuestionVector> {
  if (embedder === undefined) {
    return { kind: 'missing', notice: 'the embedding model is not loaded: the vector leg was left out' };
  }
  try {
    const [vector] = await embedder.embed([text], signal);
    if (vector !== undefined) return { kind: 'vector', embedderId: embedder.id, vector };
  } catch (error) {
    signal?.throwIfAborted();
    logger.warn({ err: error, embedder: embedder.id }, 'the question could not be embedded');
  }
  return { kind: 'missing', notice: 'the embedding model does not answer: the vector leg was left out' };
}

/** Who asked for the vector leg alone gets an error instead of an empty list that would look like an answer. */
export function requireVector(notice: string): never {
  throw new ProblemError(503, 'embedder_unavailable', `${notice}; ask for the fused or the lexical leg, or try again later`, {
    headers: { 'Retry-After': '10' },
  });
}
