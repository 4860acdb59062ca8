import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FatalError } from '../errors/fatal-error.js';
import type { Listener } from './read-worker-file.js';
import type { RunningConnector } from './run-connector.js';
import { answerStatus, type StatusAnswer } from './status-answer.js';

export interface StatusServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves the status of the connectors of this process (see `answerStatus`). It reads only: nothing can be changed over it.
 *
 * @throws FatalError (`listener_unavailable`) where the address cannot be taken.
 */
export async function startStatusServer(
  listener: Listener,
  version: string,
  connectors: readonly Pick<RunningConnector, 'name' | 'status'>[],
): Promise<StatusServer> {
  const workerId = `${listener.host}:${listener.port}`;
  const server = createServer((request, response) => {
    const { status, body } = answer(request.method, request.url, workerId, version, connectors);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await listen(server, listener);
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://${listener.host}:${port}`, close };
}

function answer(
  method: string | undefined,
  path: string | undefined,
  workerId: string,
  version: string,
  connectors: readonly Pick<RunningConnector, 'name' | 'status'>[],
): StatusAnswer {
  if (method !== 'GET' && method !== 'HEAD')
    return { status: 405, body: { error_code: 405, message: 'this worker serves its status only' } };
  try {
    return answerStatus(new URL(path ?? '/', 'http://worker'), workerId, version, connectors);
  } catch (error) {
    if (!(error instanceof URIError) && !(error instanceof TypeError)) throw error;
    return { status: 400, body: { error_code: 400, message: 'the path cannot be read' } };
  }
}

function listen(server: Server, { host, port }: Listener): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'another process has it' : error.message;
      const remedy = 'give another address as listeners=http://HOST:PORT in a file for --worker';
      reject(new FatalError('listener_unavailable', `the status cannot be served on ${host}:${port}: ${why}; ${remedy}`));
    });
    server.listen(port, host, () => resolve());
  });
}
