import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Logger, ProblemError, problemContentType, sleep } from '@ossian/shared';
import { createApp } from './app.js';
import { generateKey, hashKey } from './auth/api-key.js';
import { ConfigurationError } from './config/configuration-error.js';
import type { Environment } from './config/environment.js';
import { startEmbeddingWorker } from './index/embedding-worker.js';
import { startHousekeeping } from './ingest/housekeeping.js';
import { createBuiltinEmbedder } from './models/builtin-embedder.js';
import type { Embedder } from './models/embedder.js';
import { hasUsableKey, insertFirstKey } from './storage/key-store.js';
import { type OpenDatabase, openDatabase } from './storage/open-database.js';
import { createAnswerer, wireApp } from './wire.js';

export interface RunningServer {
  /** Base URL, as reached from this machine. */
  readonly url: string;
  readonly database: OpenDatabase;
  readonly embedderId: string | undefined;
  readonly answererId: string;
  /** The admin key that was made, where there was none. */
  readonly firstKey: string | undefined;
  /** Whether anybody can ask it: there is a key that is not revoked, or OSSIAN_BOOTSTRAP_KEY. */
  readonly hasKey: boolean;
  /** Takes no more requests, finishes those it has (up to 20 s), stops the workers, closes the database. */
  stop(): Promise<void>;
}

const finishMilliseconds = 20_000;

/**
 * Opens the database, loads the models and listens.
 *
 * @throws ConfigurationError or DatabaseOpenError with one line that says what to do.
 */
export async function startServer(environment: Environment, logger: Logger): Promise<RunningServer> {
  const { DATABASE_URL: databaseUrl, OSSIAN_DATA_DIR: dataDir } = environment;
  const database = await openDatabase({ databaseUrl, dataDir, logger, onFatal: endProcess });
  const server = createServer(sayStarting);
  try {
    await listen(server, environment);
    return await startParts(environment, logger, database, server);
  } catch (error) {
    server.close();
    await database.close();
    throw error;
  }
}

async function startParts(
  environment: Environment,
  logger: Logger,
  database: OpenDatabase,
  server: Server,
): Promise<RunningServer> {
  const embedder = await loadEmbedder(logger);
  const answerer = createAnswerer(environment, embedder, logger);
  const embedding = embedder && startEmbeddingWorker({ database, embedder, logger });
  const housekeeping = startHousekeeping({ database, logger, linkHours: environment.OSSIAN_LINK_HOURS });
  const firstKey = await makeFirstKey(environment, database);
  const hasKey = environment.OSSIAN_BOOTSTRAP_KEY !== undefined || (await hasUsableKey(database));
  const state = { stopping: false };
  const isStopping = (): boolean => state.stopping;
  const written = (): void => embedding?.wake();
  const app = createApp(wireApp({ environment, database, embedder, answerer, logger, written, isStopping }));
  server.off('request', sayStarting).on('request', app);
  const url = localUrl(server, environment.HOST);
  database.announce(url);
  const stop = async (): Promise<void> => {
    state.stopping = true;
    await finishRequests(server, logger);
    await Promise.all([embedding?.stop(), housekeeping.stop()]);
    await embedder?.close();
    await database.close();
  };
  return { url, database, embedderId: embedder?.id, answererId: answerer.id, firstKey, hasKey, stop };
}

/** A stopped database does nothing wrong any more: what waits for it is answered 503 first, then whoever runs the server starts it anew. */
function endProcess(): void {
  setTimeout(() => process.exit(1), 200);
}

async function loadEmbedder(logger: Logger): Promise<Embedder | undefined> {
  try {
    return await createBuiltinEmbedder();
  } catch (error) {
    logger.error({ err: error }, 'the embedding model cannot be loaded: questions are answered by words alone');
    return undefined;
  }
}

/** The port is taken before the models are loaded, so that a fault of it is told at once. */
function sayStarting(_request: IncomingMessage, response: ServerResponse): void {
  const problem = new ProblemError(503, 'starting', 'the server is starting; send it again').toProblem('Service Unavailable');
  response.writeHead(503, { 'Content-Type': problemContentType, 'Retry-After': '1', Connection: 'close' });
  response.end(JSON.stringify(problem));
}

/** With no key at all and an empty embedded database, somebody tries it out: they get an admin key. */
async function makeFirstKey(environment: Environment, database: OpenDatabase): Promise<string | undefined> {
  if (database.kind !== 'embedded' || environment.OSSIAN_BOOTSTRAP_KEY !== undefined) return undefined;
  const key = generateKey();
  return (await insertFirstKey(database, hashKey(key))) ? key : undefined;
}

function listen(server: Server, { HOST: host, PORT: port }: Environment): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reasons: Record<string, string> = {
        EADDRINUSE: `port ${port} on ${host} is in use: stop what listens there, or set PORT to another one`,
        EACCES: `port ${port} may not be opened: set PORT to one above 1023`,
        EADDRNOTAVAIL: `${host} is not an address of this machine: set HOST to one that is`,
        ENOTFOUND: `${host} is not known: set HOST to an address of this machine`,
      };
      reject(new ConfigurationError([reasons[error.code ?? ''] ?? `cannot listen on ${host}:${port}: ${error.message}`]));
    });
    server.listen(port, host, resolve);
  });
}

/** How commands on this machine reach it: an address that means all of them is no address to call. */
function localUrl(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}

async function finishRequests(server: Server, logger: Logger): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const late = new AbortController();
  const cut = sleep(finishMilliseconds, late.signal).then(() => {
    if (late.signal.aborted) return;
    logger.warn('requests did not finish in time and are cut off');
    server.closeAllConnections();
  });
  await closed;
  late.abort();
  await cut;
}
