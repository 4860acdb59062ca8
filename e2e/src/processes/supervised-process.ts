import type { Exit } from './messages.js';
import { ProcessError } from './process-error.js';

/** A process that a supervisor started for us; its output is in `logFile`. */
export class SupervisedProcess {
  readonly name: string;
  readonly pid: number;
  readonly logFile: string;
  /** Settles when the process has ended, however it ended. */
  readonly exited: Promise<Exit>;
  #exit: Exit | undefined;
  readonly #signal: (signal: NodeJS.Signals) => void;

  constructor(name: string, pid: number, logFile: string, exited: Promise<Exit>, signal: (signal: NodeJS.Signals) => void) {
    this.name = name;
    this.pid = pid;
    this.logFile = logFile;
    this.#signal = signal;
    this.exited = exited.then((exit) => (this.#exit = exit));
  }

  /** How it ended, or undefined while it runs. */
  get exit(): Exit | undefined {
    return this.#exit;
  }

  signal(signal: NodeJS.Signals): void {
    if (this.#exit === undefined) this.#signal(signal);
  }

  /** Sends the signal and waits for the end; kills it where that takes longer than the grace time. */
  async stop(signal: NodeJS.Signals = 'SIGTERM', graceMilliseconds = 15_000): Promise<Exit> {
    this.signal(signal);
    const timer = setTimeout(() => this.signal('SIGKILL'), graceMilliseconds);
    try {
      return await this.exited;
    } finally {
      clearTimeout(timer);
    }
  }

  kill(): Promise<Exit> {
    return this.stop('SIGKILL');
  }

  /**
   * Polls `ready` until it gives a value other than undefined and false. Fails at once where the process has ended.
   *
   * @param moreLogs log files beside the process's own that a failure should show.
   */
  async until<T>(ready: () => Promise<T>, milliseconds: number, moreLogs: readonly string[] = []): Promise<T> {
    const deadline = Date.now() + milliseconds;
    const logs = [...moreLogs, this.logFile];
    let lastError: unknown;
    for (;;) {
      if (this.#exit !== undefined) {
        const how = this.#exit.signal ?? `exit code ${this.#exit.code}`;
        throw new ProcessError(`${this.name} ended by itself (${how})`, logs);
      }
      try {
        const value = await ready();
        if (value !== undefined && value !== false) return value;
      } catch (error) {
        lastError = error;
      }
      if (Date.now() > deadline) {
        const why = lastError instanceof Error ? `: ${lastError.message}` : '';
        throw new ProcessError(`${this.name} was not ready within ${milliseconds / 1000} s${why}`, logs);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
