import { Worker } from 'node:worker_threads';
import { type BackendMessage, DatabaseError } from 'pg-protocol/dist/messages.js';
import { Parser } from 'pg-protocol/dist/parser.js';
import { EmbeddedStoppedError, isDiskFull } from '../database-away.js';
import { DatabaseOpenError } from '../database-open-error.js';
import type { EmbeddedReply, EmbeddedRequest, EmbeddedWorkerData } from './embedded-protocol.js';

interface Pending {
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (error: Error) => void;
}

// Parse, Bind, Describe, Execute and Close are answered no earlier than the Sync or Flush that follows: they travel with it.
const heldBack = new Set(['P', 'B', 'D', 'E', 'C'].map((letter) => letter.charCodeAt(0)));

/** One client's way to the database, as PGlite's node-postgres adapter wants it. */
export interface EmbeddedSession {
  readonly waitReady: Promise<void>;
  /** Sends protocol messages and gives what the database answers to them; held back until a Sync, Flush or Query. */
  execProtocolStream(bytes: Uint8Array): Promise<BackendMessage[]>;
}

/** The main thread's end of the embedded database: takes wire protocol bytes and gives backend messages. */
export class EmbeddedProcess {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  readonly #onStopped: (error: EmbeddedStoppedError) => void;
  #nextId = 1;
  #stopped: EmbeddedStoppedError | undefined;
  #closing: (() => void) | undefined;

  private constructor(worker: Worker, onStopped: (error: EmbeddedStoppedError) => void) {
    this.#worker = worker;
    this.#onStopped = onStopped;
    worker.on('message', (message: EmbeddedReply) => this.#receive(message));
    worker.on('error', (error) => this.#stop(`its thread failed: ${error.message}`));
    worker.on('exit', (code) => this.#stop(`its thread ended with code ${code}`));
  }

  /**
   * Starts the thread and waits until the database answers.
   *
   * @param onStopped called once where the database stops without being asked to.
   * @param entry the worker's file; another one only in tests.
   * @throws DatabaseOpenError where it cannot be opened.
   */
  static async open(
    data: EmbeddedWorkerData,
    onStopped: (error: EmbeddedStoppedError) => void,
    entry: URL = new URL('./embedded-worker.js', import.meta.url),
  ): Promise<EmbeddedProcess> {
    const worker = new Worker(entry, { workerData: data });
    const failure = await new Promise<string | undefined>((resolve) => {
      worker.once('message', (message: EmbeddedReply) => resolve(message.type === 'failed' ? message.message : undefined));
      worker.once('error', (error) => resolve(error.message));
      worker.once('exit', (code) => resolve(`its thread ended with code ${code}`));
    });
    if (failure === undefined) return new EmbeddedProcess(worker, onStopped);
    await worker.terminate();
    const where = data.clusterDir === undefined ? 'in memory' : `in ${data.clusterDir}`;
    throw new DatabaseOpenError(
      'embedded_failed',
      `the embedded database ${where} cannot be opened: ${failure}; see that its disk has room and that it can be written`,
    );
  }

  /** A session for one client. There is one backend behind all of them, so the pool has one client at a time. */
  session(): EmbeddedSession {
    let held: Uint8Array[] = [];
    let failed = false;
    const execProtocolStream = async (bytes: Uint8Array): Promise<BackendMessage[]> => {
      // The adapter passes every fault on, and the client listens until the first: the others would end the process.
      if (failed) return [];
      // The serializer reuses its buffer, so what waits is copied.
      held.push(bytes.slice());
      if (heldBack.has(bytes[0] ?? 0)) return [];
      const request = Buffer.concat(held);
      held = [];
      try {
        return await this.#answer(request);
      } catch (error) {
        failed = true;
        throw error;
      }
    };
    // `open` has waited, and a rejected promise here would be left unhandled by the adapter.
    return { waitReady: Promise.resolve(), execProtocolStream };
  }

  async close(): Promise<void> {
    if (this.#stopped !== undefined) return;
    const closed = new Promise<void>((resolve) => (this.#closing = resolve));
    this.#post({ type: 'close' });
    await closed;
    await this.#worker.terminate();
  }

  /** Lets not one more statement through: for a session that is in an unknown state. What was committed is in the folder. */
  abandon(reason: string): void {
    this.#stop(reason);
    void this.#worker.terminate();
  }

  /** Postgres itself has ended (PANIC: its log could not be written), though its thread goes on: it would never answer again. */
  #endBecause(last: DatabaseError): EmbeddedStoppedError {
    const advice = isDiskFull(last) ? '; make room on its disk, then start the server again' : '';
    const error = this.#stop(`${last.severity} ${last.message}${advice}`, last);
    void this.#worker.terminate();
    return error;
  }

  async #answer(request: Uint8Array): Promise<BackendMessage[]> {
    if (this.#stopped !== undefined) throw this.#stopped;
    const messages = parse(await this.#execute(request));
    const end = messages.find(endsSession);
    if (end !== undefined) throw this.#endBecause(end);
    return messages;
  }

  #execute(bytes: Uint8Array): Promise<Uint8Array> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#post({ type: 'execute', id, bytes });
    });
  }

  #post(request: EmbeddedRequest): void {
    this.#worker.postMessage(request);
  }

  #receive(message: EmbeddedReply): void {
    if (message.type === 'result') {
      this.#pending.get(message.id)?.resolve(message.bytes);
      this.#pending.delete(message.id);
    } else if (message.type === 'failed') {
      this.#stop(message.message);
    } else if (message.type === 'closed') {
      this.#stop('it was closed');
    }
  }

  #stop(reason: string, cause?: unknown): EmbeddedStoppedError {
    if (this.#stopped !== undefined) return this.#stopped;
    const error = new EmbeddedStoppedError(`the embedded database has stopped: ${reason}`, { cause });
    this.#stopped = error;
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
    if (this.#closing === undefined) this.#onStopped(error);
    else this.#closing();
    return error;
  }
}

/** After these no ReadyForQuery comes. */
function endsSession(message: BackendMessage): message is DatabaseError {
  return message instanceof DatabaseError && (message.severity === 'PANIC' || message.severity === 'FATAL');
}

/** By pg's own parser, so that errors are pg's DatabaseError. */
function parse(answer: Uint8Array): BackendMessage[] {
  const messages: BackendMessage[] = [];
  new Parser().parse(Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength), (message) => messages.push(message));
  return messages;
}
