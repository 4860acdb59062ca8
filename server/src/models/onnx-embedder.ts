import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Embedder } from './embedder.js';
import { EmbedderError } from './embedder-error.js';
import { ModelFileError } from './model-file-error.js';
import type { FromWorker, OnnxModel, ToWorker } from './onnx-messages.js';

export interface OnnxEmbedderOptions {
  readonly id: string;
  readonly batchSize: number;
  readonly model: OnnxModel;
  /** Starts the worker thread; tests put their own here. */
  readonly startWorker?: (model: OnnxModel) => Worker;
}

interface Pending {
  readonly resolve: (vectors: Float32Array[]) => void;
  readonly reject: (error: Error) => void;
}

/** A worker thread that has loaded the model. */
interface Running {
  readonly worker: Worker;
  readonly dimension: number;
  readonly pending: Map<number, Pending>;
}

/**
 * An embedder on an ONNX model in a worker thread. A worker that ends rejects what it was asked, and the next call starts another.
 *
 * @throws ModelFileError where a file of the model is missing or damaged.
 */
export async function createOnnxEmbedder(options: OnnxEmbedderOptions): Promise<Embedder> {
  let closed = false;
  let jobs = 0;
  let current: Promise<Running> | undefined;
  const running = (): Promise<Running> => {
    if (current) return current;
    const started = start(options);
    // Its own end only: when a worker that failed has ended at last, another may have taken its place.
    const forget = (): void => {
      if (current === started) current = undefined;
    };
    started.then(({ worker }) => ['error', 'exit'].forEach((event) => worker.once(event, forget)), forget);
    return (current = started);
  };
  const { dimension } = await running();
  const embed = async (texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> => {
    signal?.throwIfAborted();
    if (closed) throw new EmbedderError('the embedder is closed');
    if (texts.length === 0) return [];
    const thread = await running();
    signal?.throwIfAborted();
    return ask(thread, ++jobs, texts, signal);
  };
  const close = async (): Promise<void> => {
    closed = true;
    const thread = await current?.catch(() => undefined);
    if (thread) await endWorker(thread.worker);
  };
  return { id: options.id, dimension, batchSize: options.batchSize, embed, close };
}

function startOnnxWorker(model: OnnxModel): Worker {
  return new Worker(new URL('./onnx-worker.js', import.meta.url), { workerData: model, name: 'embedder' });
}

/** Asks it to end, and waits: at most for the text that it is at. */
async function endWorker(worker: Worker): Promise<void> {
  if (worker.threadId === -1) return;
  const ended = once(worker, 'exit');
  worker.postMessage({ type: 'close' } satisfies ToWorker);
  await ended;
}

/** Resolves when the model is loaded. */
function start({ model, startWorker = startOnnxWorker }: OnnxEmbedderOptions): Promise<Running> {
  const worker = startWorker(model);
  const pending = new Map<number, Pending>();
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      reject(error);
      for (const { reject: rejectCall } of pending.values()) rejectCall(error);
      pending.clear();
    };
    worker.on('error', (error) => fail(new EmbedderError(`the embedder's worker failed: ${error.message}`, { cause: error })));
    worker.on('exit', (code) => fail(new EmbedderError(`the embedder's worker ended (exit code ${code})`)));
    worker.on('message', (message: FromWorker) => {
      if (message.type === 'ready') resolve({ worker, dimension: message.dimension, pending });
      else if (message.type === 'failed') fail(loadError(message));
      else settle(pending, message);
    });
  });
}

function loadError({ file, message }: { file: string | undefined; message: string }): Error {
  return file === undefined ? new EmbedderError(message) : new ModelFileError(file, message.replace(/^ModelFileError: /, ''));
}

function settle(pending: Map<number, Pending>, message: Extract<FromWorker, { job: number }>): void {
  const call = pending.get(message.job);
  pending.delete(message.job);
  if (message.type === 'vectors') call?.resolve([...message.vectors]);
  else call?.reject(new EmbedderError(message.message));
}

function ask(
  { worker, pending }: Running,
  job: number,
  texts: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Float32Array[]> {
  const send = (message: ToWorker): void => worker.postMessage(message);
  return new Promise<Float32Array[]>((resolve, reject) => {
    const abort = (): void => {
      pending.delete(job);
      send({ type: 'cancel', job });
      reject(signal?.reason as Error);
    };
    const done = (): void => signal?.removeEventListener('abort', abort);
    signal?.addEventListener('abort', abort, { once: true });
    pending.set(job, {
      resolve: (vectors) => (done(), resolve(vectors)),
      reject: (error) => (done(), reject(error)),
    });
    send({ type: 'embed', job, texts });
  });
}
