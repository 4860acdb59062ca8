import { fileURLToPath } from 'node:url';
import type { Embedder } from './embedder.js';
import { createOnnxEmbedder, type OnnxEmbedderOptions } from './onnx-embedder.js';

/** sha256 of the files in weights/all-minilm-l6-v2 (weights/README.md says where they are from). */
const MODEL_SHA256 = 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1';
const TOKENIZER_SHA256 = 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0';

/** all-MiniLM-L6-v2 was trained on at most 256 tokens. */
const MAX_TOKENS = 256;
const THREADS = 2;
/** About 150 ms of work on two cores. */
const BATCH_SIZE = 16;

export interface BuiltinEmbedderOptions {
  /** The folder of the weights, `weights/all-minilm-l6-v2` of this package by default. */
  readonly folder?: string;
  readonly startWorker?: OnnxEmbedderOptions['startWorker'];
}

/**
 * The built-in embedder: all-MiniLM-L6-v2 in int8, 384 dimensions, in a worker thread and without any network. The same text always
 * has the same vector.
 *
 * @throws ModelFileError that names the file where one is missing or damaged.
 */
export function createBuiltinEmbedder(options: BuiltinEmbedderOptions = {}): Promise<Embedder> {
  const folder = options.folder ?? fileURLToPath(new URL('../../weights/all-minilm-l6-v2', import.meta.url));
  return createOnnxEmbedder({
    id: `all-minilm-l6-v2-int8-${MODEL_SHA256.slice(0, 12)}`,
    batchSize: BATCH_SIZE,
    model: {
      modelFile: { path: `${folder}/model_quantized.onnx`, sha256: MODEL_SHA256 },
      tokenizerFile: { path: `${folder}/tokenizer.json`, sha256: TOKENIZER_SHA256 },
      maxTokens: MAX_TOKENS,
      threads: THREADS,
    },
    ...(options.startWorker && { startWorker: options.startWorker }),
  });
}
