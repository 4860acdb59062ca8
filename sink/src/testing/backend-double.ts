import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EventInput, EventResult, Progress } from '@ossian/shared';

/** What is done to one request in the place of a right answer. */
export type Misbehaviour = (request: IncomingMessage, response: ServerResponse, events: readonly EventInput[]) => void;

const problem = (status: number, code: string, headers: Record<string, string> = {}): Misbehaviour => {
  const body = JSON.stringify({ type: 'about:blank', title: code, status, code, detail: `the double says ${code}` });
  return (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/problem+json', ...headers }).end(body);
};

/** Each is named for what is wrong with it. */
export const misbehaviours = {
  problem,
  tooManyRequestsForSeconds: (seconds: string) => problem(429, 'rate_limited', { 'retry-after': seconds }),
  tooManyRequestsUntilDate: (at: number) => problem(429, 'rate_limited', { 'retry-after': new Date(at).toUTCString() }),
  unavailable: problem(503, 'database_away', { 'retry-after': '0' }),
  proxyPage:
    (status: number): Misbehaviour =>
    (_request, response) =>
      void response.writeHead(status, { 'content-type': 'text/html' }).end(`<html><h1>${status} from nginx</h1></html>`),
  redirects: ((_request, response) => void response.writeHead(302, { location: 'https://login.example/' }).end()) as Misbehaviour,
  closesTheConnection: ((request) => void request.socket.destroy()) as Misbehaviour,
  closesInTheMiddle: ((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"results":[');
    setTimeout(() => response.destroy(), 5);
  }) as Misbehaviour,
  hangs: (() => undefined) as Misbehaviour,
  answersForOtherEvents: ((_request, response) => {
    const results = [{ id: 'another', outcome: 'applied' }];
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ results }));
  }) as Misbehaviour,
};

export interface ReceivedBatch {
  readonly events: readonly EventInput[];
  readonly authorization: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** False where a misbehaviour took the place of the answer. */
  readonly answered: boolean;
}

/** A backend over HTTP that answers rightly, except where it is told to misbehave. */
export interface BackendDouble {
  readonly url: string;
  readonly batches: ReceivedBatch[];
  readonly progress: Progress[];
  /** Ids of the events that were answered, in order, each once. */
  readonly applied: string[];
  /** Events that are under way at most at once, by partition. */
  readonly mostInFlight: Map<string, number>;
  /** The next requests meet these, in order. */
  next(...misbehaviours: Misbehaviour[]): void;
  /** Every request meets this for which it is given; undefined: none does. */
  always: ((events: readonly EventInput[]) => Misbehaviour | undefined) | undefined;
  /** A batch without events (the question at a task's start) meets this; it is not among `batches`. */
  question: Misbehaviour | undefined;
  /** How many such questions came. */
  questions: number;
  /** Reports of progress meet this. */
  report: Misbehaviour | undefined;
  /** Events that are rejected, one by one. */
  rejects: (event: EventInput) => boolean;
  /** Milliseconds that a right answer takes. */
  delay: number;
  close(): Promise<void>;
}

export async function startBackendDouble(): Promise<BackendDouble> {
  const queue: Misbehaviour[] = [];
  const inFlight = new Map<string, number>();
  const seen = new Set<string>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => answer(request, response, Buffer.concat(chunks).toString('utf8')));
  });
  const answer = (request: IncomingMessage, response: ServerResponse, body: string): void => {
    if (request.url?.endsWith('/progress')) {
      if (double.report !== undefined) return double.report(request, response, []);
      double.progress.push(JSON.parse(body) as Progress);
      response.writeHead(204).end();
      return;
    }
    const { events } = JSON.parse(body) as { events: EventInput[] };
    if (events.length === 0) {
      double.questions += 1;
      if (double.question !== undefined) return double.question(request, response, events);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"results":[]}');
      return;
    }
    const misbehaviour = queue.shift() ?? double.always?.(events);
    const { authorization } = request.headers;
    double.batches.push({ events, authorization, at: Date.now(), answered: misbehaviour === undefined });
    if (misbehaviour !== undefined) return misbehaviour(request, response, events);
    const partitions = new Set(events.map(({ position }) => `${position?.topic}-${position?.partition}`));
    for (const name of partitions) {
      inFlight.set(name, (inFlight.get(name) ?? 0) + 1);
      double.mostInFlight.set(name, Math.max(double.mostInFlight.get(name) ?? 0, inFlight.get(name) ?? 0));
    }
    setTimeout(() => {
      for (const name of partitions) inFlight.set(name, (inFlight.get(name) ?? 1) - 1);
      const results = events.map((event) => resultOf(event));
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ results }));
    }, double.delay);
  };
  const resultOf = (event: EventInput): EventResult => {
    if (double.rejects(event))
      return { id: event.id, outcome: 'rejected', error: { code: 'refused', message: 'the double rejects it' } };
    const known = seen.has(event.id);
    seen.add(event.id);
    if (!known) double.applied.push(event.id);
    return { id: event.id, outcome: known ? 'duplicate' : 'applied' };
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const double: BackendDouble = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    batches: [],
    progress: [],
    applied: [],
    mostInFlight: new Map(),
    next: (...list) => void queue.push(...list),
    always: undefined,
    question: undefined,
    questions: 0,
    report: undefined,
    rejects: () => false,
    delay: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return double;
}
