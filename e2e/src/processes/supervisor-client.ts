import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Exit, FromSupervisor, SpawnRequest, ToSupervisor } from './messages.js';
import { ProcessError } from './process-error.js';
import { SupervisedProcess } from './supervised-process.js';

export interface ProcessOptions {
  command: string;
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
  cwd?: string;
  logFile: string;
  uid?: number;
  gid?: number;
  endSignal?: NodeJS.Signals;
}
interface Waiting {
  settle: (pid: number) => void;
  fail: (message: string) => void;
  exit: (exit: Exit) => void;
}

/** The owner's side: starts processes that end when the owner ends, even by kill -9. */
export class Supervisor {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;
  #pending = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (message) => this.#handle(message as FromSupervisor));
    child.once('exit', () => this.#abandon());
  }

  static async start(): Promise<Supervisor> {
    const program = fileURLToPath(new URL('./supervisor.js', import.meta.url));
    const child = spawn(process.execPath, [program], { detached: true, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const supervisor = new Supervisor(child);
    await supervisor.#hold(
      new Promise<void>((resolve, reject) => {
        child.once('message', () => resolve());
        child.once('error', reject);
        child.once('exit', (code) => reject(new ProcessError(`the supervisor ended with code ${code}`, [])));
      }),
    );
    child.unref();
    return supervisor;
  }

  async spawn(name: string, options: ProcessOptions): Promise<SupervisedProcess> {
    mkdirSync(dirname(options.logFile), { recursive: true });
    const id = this.#nextId++;
    let exit: (exit: Exit) => void = () => undefined;
    const exited = new Promise<Exit>((resolve) => (exit = resolve));
    const { command, args = [], env = definedEnvironment(), cwd = process.cwd(), endSignal = 'SIGKILL', logFile } = options;
    const { uid, gid } = options;
    const user = { ...(uid === undefined ? {} : { uid }), ...(gid === undefined ? {} : { gid }) };
    const request: SpawnRequest = { kind: 'spawn', id, command, args, env, cwd, logFile, endSignal, ...user };
    const pid = await this.#hold(
      new Promise<number>((settle, reject) => {
        const fail = (message: string): void => reject(new ProcessError(`${name} could not be started: ${message}`, [logFile]));
        this.#waiting.set(id, { settle, fail, exit });
        this.#send(request);
      }),
    );
    return new SupervisedProcess(name, pid, logFile, exited, (signal) => this.#send({ kind: 'signal', id, signal }));
  }

  /** Takes a process that we started by other means under the same care, until it is released. */
  adopt(pid: number): void {
    this.#send({ kind: 'adopt', pid });
  }
  release(pid: number): void {
    this.#send({ kind: 'release', pid });
  }
  removeAtEnd(folder: string): void {
    this.#send({ kind: 'remove-at-end', folder });
  }
  /** Takes `removeAtEnd` back. */
  keepAtEnd(folder: string): void {
    this.#send({ kind: 'keep-at-end', folder });
  }

  /** Ends whatever still runs, removes the folders that were named, and ends the supervisor itself. */
  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.ref();
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    if (this.#child.connected) this.#child.disconnect();
    await ended;
  }

  #send(message: ToSupervisor): void {
    if (this.#child.connected) this.#child.send(message);
    else if (message.kind === 'spawn') this.#waiting.get(message.id)?.fail('the supervisor has ended');
  }

  /** The channel does not keep the owner alive, except while it waits for an answer. */
  async #hold<T>(work: Promise<T>): Promise<T> {
    this.#pending += 1;
    this.#child.channel?.ref();
    try {
      return await work;
    } finally {
      this.#pending -= 1;
      if (this.#pending === 0) this.#child.channel?.unref();
    }
  }

  #handle(message: FromSupervisor): void {
    if (message.kind === 'ready') return;
    const waiting = this.#waiting.get(message.id);
    if (message.kind === 'spawned') return waiting?.settle(message.pid);
    this.#waiting.delete(message.id);
    if (message.kind === 'failed') return waiting?.fail(message.message);
    waiting?.exit({ code: message.code, signal: message.signal });
  }

  #abandon(): void {
    for (const waiting of this.#waiting.values()) {
      waiting.fail('the supervisor has ended');
      waiting.exit({ code: null, signal: 'SIGKILL' });
    }
    this.#waiting.clear();
  }
}

export function definedEnvironment(): Record<string, string> {
  return Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
