import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sleep } from '@ossian/shared';

/** What the proxy does to a request instead of passing it on, or before it. */
export type Fault =
  /** Answers itself; the backend does not see the request. */
  | { kind: 'answer'; status: number; headers?: Readonly<Record<string, string>>; body?: string }
  /** Closes the connection without an answer; `before` the backend sees the request, or `after` it has acted on it. */
  | { kind: 'cut'; when: 'before' | 'after' }
  /** Waits before it passes the request on. */
  | { kind: 'delay'; milliseconds: number };

export interface SeenRequest {
  method: string;
  path: string;
  at: number;
  fault: Fault['kind'] | undefined;
  /** What the caller got; 0 where the connection was cut. */
  status: number;
  eventIds: readonly string[];
  /** What the backend said of each, in the same order; empty where it did not answer with results. */
  outcomes: readonly string[];
}

/** An HTTP proxy before a backend that misbehaves on cue, and remembers which events passed through it. */
export class FaultyProxy {
  readonly requests: SeenRequest[] = [];
  /** Called with each request to `…/events` before anything is done with it. */
  onEvents: ((ids: readonly string[]) => void) | undefined;
  readonly #target: URL;
  readonly #server: Server;
  readonly #queue: Fault[] = [];
  readonly #deliveries = new Map<string, number>();
  #always: Fault | undefined;
  #hold: { holds: (id: string) => boolean; released: Promise<void> } | undefined;

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer((incoming, outgoing) => void this.#serve(incoming, outgoing));
  }
  static async start(target: string): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The next requests to `…/events` meet these, one each, in this order. */
  next(...faults: readonly Fault[]): void {
    this.#queue.push(...faults);
  }
  /** Every request to `…/events` meets this, once the queue is empty; undefined ends it. */
  always(fault: Fault | undefined): void {
    this.#always = fault;
  }
  /**
   * Keeps every request back that has such an event, until the returned function is called. With `batch.max.events` 1 and a
   * partition's events that lets the other partitions overtake it.
   */
  hold(holds: (id: string) => boolean): () => void {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    this.#hold = { holds, released };
    return () => {
      this.#hold = undefined;
      release();
    };
  }
  get waiting(): number {
    return this.#queue.length;
  }

  /** How often each event was passed on to the backend. */
  get deliveries(): ReadonlyMap<string, number> {
    return this.#deliveries;
  }
  /** How many events were passed on more than once. */
  get redelivered(): number {
    return [...this.#deliveries.values()].filter((times) => times > 1).length;
  }
  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await readBody(incoming);
    const isEvents = incoming.method === 'POST' && /\/events$/.test(incoming.url ?? '');
    const eventIds = isEvents ? readEventIds(body) : [];
    if (isEvents) this.onEvents?.(eventIds);
    const held = this.#hold;
    if (held !== undefined && eventIds.some(held.holds)) await held.released;
    const fault = isEvents ? (this.#queue.shift() ?? this.#always) : undefined;
    const seen: SeenRequest = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      at: Date.now(),
      fault: fault?.kind,
      status: 0,
      eventIds,
      outcomes: [],
    };
    this.requests.push(seen);
    if (fault?.kind === 'answer') {
      seen.status = fault.status;
      outgoing.writeHead(fault.status, fault.headers).end(fault.body ?? '');
      return;
    }
    if (fault?.kind === 'cut' && fault.when === 'before') return void outgoing.destroy();
    if (fault?.kind === 'delay') await sleep(fault.milliseconds);
    for (const id of eventIds) this.#deliveries.set(id, (this.#deliveries.get(id) ?? 0) + 1);
    await this.#pass(incoming, body, outgoing, seen, fault?.kind === 'cut');
  }

  #pass(incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse, seen: SeenRequest, cut: boolean): Promise<void> {
    return new Promise((resolve) => {
      const { hostname, port } = this.#target;
      const fail = (): void => {
        outgoing.destroy();
        resolve();
      };
      const headers = { ...incoming.headers, 'content-length': String(body.length), host: this.#target.host };
      const onward = request({ hostname, port, method: incoming.method, path: incoming.url, headers }, (answer) => {
        readBody(answer).then((content) => {
          if (seen.eventIds.length > 0) seen.outcomes = readOutcomes(content);
          if (cut) return fail();
          seen.status = answer.statusCode ?? 0;
          outgoing.writeHead(seen.status, withoutFraming(answer.headers)).end(content);
          resolve();
        }, fail);
      });
      // The backend is away: the caller sees what it would see without us, a connection that breaks.
      onward.once('error', fail);
      onward.end(body);
    });
  }
}

/** The partition that an event's record lies on (DESIGN 3.2: connector, topic, partition, offset, timestamp). */
export const partitionOfEvent = (id: string): number => Number(id.split(':')[2]);

function withoutFraming(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  const framing = new Set(['transfer-encoding', 'content-length', 'connection']);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !framing.has(name)));
}

async function readBody(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function readEventIds(body: Buffer): string[] {
  try {
    const { events } = JSON.parse(body.toString('utf8')) as { events: { id: string }[] };
    return events.map(({ id }) => id);
  } catch {
    return []; // not a batch (compressed, or broken on purpose): passed on unread
  }
}

function readOutcomes(body: Buffer): string[] {
  try {
    const { results } = JSON.parse(body.toString('utf8')) as { results?: { outcome: string }[] };
    return results?.map(({ outcome }) => outcome) ?? [];
  } catch {
    return []; // an error page
  }
}
