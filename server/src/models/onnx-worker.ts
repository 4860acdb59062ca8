import { parentPort, workerData } from 'node:worker_threads';
import { ModelFileError } from './model-file-error.js';
import type { FromWorker, OnnxModel, ToWorker } from './onnx-messages.js';
import { loadOnnxSession, type OnnxSession } from './onnx-session.js';

/** The entry of the embedder's worker thread: inference must not hold up requests. */
interface Job {
  readonly texts: readonly string[];
  readonly vectors: Float32Array[];
}

const jobs = new Map<number, Job>();
const port = parentPort!;
const send = (message: FromWorker): void => port.postMessage(message);
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
let running = false;
let closing = false;

async function load(): Promise<OnnxSession | undefined> {
  try {
    const session = await loadOnnxSession(workerData as OnnxModel);
    send({ type: 'ready', dimension: (await session.embed('ready')).length });
    return session;
  } catch (error) {
    send({ type: 'failed', message: String(error), file: ModelFileError.is(error) ? error.file : undefined });
    port.close();
    return undefined;
  }
}

/** Text by text, from the job with the least left to do: a question never waits for a batch of passages. */
async function run(session: OnnxSession): Promise<void> {
  if (running) return;
  running = true;
  for (let next = shortestJob(); next; next = shortestJob()) {
    const [id, job] = next;
    try {
      job.vectors.push(await session.embed(job.texts[job.vectors.length]!));
      if (job.vectors.length === job.texts.length && jobs.delete(id)) send({ type: 'vectors', job: id, vectors: job.vectors });
    } catch (error) {
      if (jobs.delete(id)) send({ type: 'error', job: id, message: String(error) });
    }
    // Lets messages in: new jobs and cancellations.
    await nextTurn();
  }
  running = false;
  if (closing) port.close();
}

function shortestJob(): [number, Job] | undefined {
  const left = ([, job]: [number, Job]): number => job.texts.length - job.vectors.length;
  return [...jobs].sort((a, b) => left(a) - left(b))[0];
}

const session = await load();
port.on('message', (message: ToWorker) => {
  if (!session) return;
  if (message.type === 'close') {
    closing = true;
    jobs.clear();
  } else if (message.type === 'cancel') jobs.delete(message.job);
  else jobs.set(message.job, { texts: message.texts, vectors: [] });
  void run(session);
});
