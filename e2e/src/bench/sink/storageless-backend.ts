import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EventResult } from '@ossian/shared';

/**
 * A backend without storage: it answers `applied` to every event at once and keeps only its id. It leaves out all that the real one does
 * (checks, chunks, index, commit), so that the sink alone is the limit.
 */
export class StoragelessBackend {
  readonly #server: Server;
  readonly #ids = new Set<string>();
  readonly #onFirst: () => void;
  #firstRequest: number | undefined;
  #lastAnswer = 0;

  private constructor(onFirst: () => void) {
    this.#onFirst = onFirst;
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }
  /** @param onFirst called when the first request with events arrives. */
  static async start(onFirst: () => void): Promise<StoragelessBackend> {
    const backend = new StoragelessBackend(onFirst);
    await new Promise<void>((resolve) => backend.#server.listen(0, '127.0.0.1', resolve));
    return backend;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }
  /** How many different events have come. */
  get events(): number {
    return this.#ids.size;
  }
  /** From the arrival of the first request with events to the answer of the last. */
  get seconds(): number {
    return this.#firstRequest === undefined ? 0 : (this.#lastAnswer - this.#firstRequest) / 1000;
  }
  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isEvents = request.url?.endsWith('/events') === true;
    const arrived = performance.now();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const answer = isEvents ? this.#apply(Buffer.concat(chunks).toString()) : { results: [] };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    // A task's question at its start, whether key and corpus are right, is a batch without events.
    if (answer.results.length > 0) this.#note(arrived);
  }

  #note(arrived: number): void {
    if (this.#firstRequest === undefined) {
      this.#firstRequest = arrived;
      this.#onFirst();
    }
    this.#lastAnswer = performance.now();
  }

  #apply(body: string): { results: EventResult[] } {
    const { events } = JSON.parse(body) as { events: { id: string }[] };
    for (const { id } of events) this.#ids.add(id);
    return { results: events.map(({ id }) => ({ id, outcome: 'applied' })) };
  }
}
