import type { AnswerEvent } from '@ossian/shared';
import type { Response } from 'express';

const keepAliveMilliseconds = 15_000;

/** Server-sent events. Nothing is sent before the first one, so that an early fault still gets its own status. */
export class EventStream {
  readonly #response: Response;
  #keepAlive: NodeJS.Timeout | undefined;

  constructor(response: Response) {
    this.#response = response;
  }
  get started(): boolean {
    return this.#keepAlive !== undefined;
  }

  send({ event, data }: AnswerEvent): void {
    if (this.#keepAlive === undefined) this.#start();
    this.#response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  end(): void {
    clearInterval(this.#keepAlive);
    this.#response.end();
  }

  #start(): void {
    this.#response.status(200).set({
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-cache, no-transform',
      // nginx would otherwise gather the events.
      'X-Accel-Buffering': 'no',
    });
    this.#keepAlive = setInterval(() => this.#response.write(': still here\n\n'), keepAliveMilliseconds);
    this.#response.on('close', () => clearInterval(this.#keepAlive));
  }
}
