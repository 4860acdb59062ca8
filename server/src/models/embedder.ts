/** Turns texts into vectors. */
export interface Embedder {
  /** Names model and weights: vectors of two different ids are never compared. */
  readonly id: string;
  readonly dimension: number;
  /** How many texts one call takes at most. */
  readonly batchSize: number;
  /** L2-normalised vectors in the order of the texts. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
  close(): Promise<void>;
}
