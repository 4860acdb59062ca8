// The embedded database, in a thread of its own, so that health checks and streams go on while it works.
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { DurableFiles, durableStartParameters } from './durable-files.js';
import { fromTemplate } from './memory-template.js';
import type { EmbeddedReply, EmbeddedRequest, EmbeddedWorkerData } from './embedded-protocol.js';

const port = parentPort;
if (port === null) throw new TypeError('this file is the entry of a worker thread');
const reply = (message: EmbeddedReply, transfer: readonly ArrayBuffer[] = []): void => port.postMessage(message, transfer);

/** Anything thrown here is not an answer about a statement (those are ErrorResponse messages): the session's state is unknown. */
function fail(error: unknown): void {
  const code = (error as { code?: unknown } | null)?.code;
  const message = error instanceof Error ? error.message : String(error);
  reply({ type: 'failed', message, code: typeof code === 'string' ? code : undefined });
  port?.close();
}

async function handle(database: PGlite, request: EmbeddedRequest): Promise<void> {
  if (request.type === 'close') {
    await database.close();
    reply({ type: 'closed' });
    port?.close();
    return;
  }
  // The answer is a copy already: its buffer can be handed over.
  const bytes = database.execProtocolRawSync(request.bytes);
  reply({ type: 'result', id: request.id, bytes }, [bytes.buffer as ArrayBuffer]);
}

try {
  const { clusterDir } = workerData as EmbeddedWorkerData;
  const database = await PGlite.create({
    ...(clusterDir === undefined
      ? await fromTemplate((options) => PGlite.create(options))
      : { fs: new DurableFiles(clusterDir), startParams: durableStartParameters(PGlite.defaultStartParams) }),
    extensions: { vector, pg_trgm },
    relaxedDurability: false,
  });
  port.on('message', (request: EmbeddedRequest) => void handle(database, request).catch(fail));
  reply({ type: 'ready' });
} catch (error) {
  fail(error);
}
