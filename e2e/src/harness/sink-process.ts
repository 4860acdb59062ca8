import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SupervisedProcess } from '../processes/supervised-process.js';
import { definedEnvironment, type Supervisor } from '../processes/supervisor-client.js';
import { freePort, type KafkaClient, StackError } from '../stack/index.js';
import { type LogLine, readLogLines } from './log-lines.js';

const program = fileURLToPath(new URL('../../../sink/bin/ossian-sink.js', import.meta.url));

export type SinkConfig = Record<string, string>;
export interface SinkOptions {
  supervisor: Supervisor;
  kafka: KafkaClient;
  folder: string;
  /** Names the process and its log; the connector's name is in the configuration. */
  name: string;
  config: SinkConfig;
  environment?: Readonly<Record<string, string>>;
}
interface SinkStatus {
  connector: { state: string; trace?: string };
  tasks: { id: number; state: string; trace?: string }[];
}

/** An `ossian-sink run` of its own, with a written configuration file and a REST port. */
export class SinkProcess {
  readonly options: SinkOptions;
  readonly configFile: string;
  readonly logFile: string;
  readonly url: string;
  #config: SinkConfig;
  #process: SupervisedProcess | undefined;

  private constructor(options: SinkOptions, port: number) {
    this.options = options;
    this.#config = { ...options.config };
    this.configFile = join(options.folder, `${options.name}.json`);
    this.logFile = join(options.folder, `${options.name}.log`);
    this.url = `http://127.0.0.1:${port}`;
  }

  static async start(options: SinkOptions): Promise<SinkProcess> {
    const sink = new SinkProcess(options, await freePort());
    await sink.start();
    return sink;
  }

  get connector(): string {
    return this.#config['name'] ?? '';
  }
  /** The consumer group. */
  get group(): string {
    return `connect-${this.connector}`;
  }
  get topics(): string[] {
    return (this.#config['topics'] ?? '').split(',').filter((topic) => topic !== '');
  }
  get pid(): number {
    return this.#process?.pid ?? 0;
  }
  get running(): boolean {
    return this.#process !== undefined && this.#process.exit === undefined;
  }

  /** Starts it (again). It does not wait: `caughtUp` and `waitFor` do. @param changes of the configuration that stay. */
  async start(changes: SinkConfig = {}): Promise<void> {
    this.#config = { ...this.#config, ...changes };
    writeFileSync(this.configFile, JSON.stringify({ name: this.connector, config: this.#config }, null, 2));
    const workerFile = join(this.options.folder, `${this.options.name}.worker.properties`);
    writeFileSync(workerFile, `listeners=${this.url}\n`);
    this.#process = await this.options.supervisor.spawn(this.options.name, {
      command: process.execPath,
      args: [program, 'run', '--config', this.configFile, '--worker', workerFile],
      env: { ...definedEnvironment(), ...this.options.environment },
      cwd: this.options.folder,
      logFile: this.logFile,
    });
  }
  /** Stops in good order (SIGTERM): commits and leaves the group. */
  async stop(): Promise<void> {
    await this.#process?.stop('SIGTERM', 30_000);
  }
  /** Ends it as kill -9 does. */
  async kill(): Promise<void> {
    await this.#process?.kill();
  }
  async restart(changes: SinkConfig = {}): Promise<void> {
    await this.stop();
    await this.start(changes);
  }
  suspend(): void {
    this.#process?.signal('SIGSTOP');
  }
  resume(): void {
    this.#process?.signal('SIGCONT');
  }

  /** Undefined while it does not answer. */
  async status(): Promise<SinkStatus | undefined> {
    try {
      const response = await fetch(`${this.url}/connectors/${this.connector}/status`);
      return response.ok ? ((await response.json()) as SinkStatus) : undefined;
    } catch (error) {
      if (error instanceof TypeError) return undefined; // fetch could not connect: it is starting, or has ended
      throw error;
    }
  }

  /** Waits for a state of its task. @returns the trace, which says why. */
  async waitFor(state: 'RUNNING' | 'FAILED' | 'PAUSED', milliseconds = 60_000): Promise<string> {
    return this.#until(async () => {
      const task = (await this.status())?.tasks[0];
      return task?.state === state ? (task.trace ?? '') || ' ' : undefined;
    }, milliseconds);
  }

  /** Waits until the group has committed every record that its topics hold at this moment. Fails at once where the task fails. */
  async caughtUp(milliseconds = 120_000): Promise<void> {
    const ends = new Map<string, bigint>();
    for (const topic of this.topics)
      for (const { partition, low, high } of await this.options.kafka.offsets(topic))
        if (high > low) ends.set(`${topic}/${partition}`, high);
    if (ends.size === 0) throw new StackError(`${this.topics.join(', ')}: nothing is there to catch up with`);
    await this.#until(async () => {
      const failed = (await this.status())?.tasks.find((task) => task.state === 'FAILED');
      if (failed !== undefined) return failed.trace ?? 'no trace';
      return (await this.#behind(ends)).length === 0 ? '' : undefined;
    }, milliseconds).then((trace) => {
      if (trace !== '') throw new StackError(`the task of ${this.connector} failed:\n${trace}`);
    });
  }

  async #behind(ends: ReadonlyMap<string, bigint>): Promise<string[]> {
    const committed = new Map<string, bigint>();
    for (const topic of this.topics)
      for (const [partition, offset] of await this.options.kafka.committed(this.group, topic))
        committed.set(`${topic}/${partition}`, offset);
    return [...ends].filter(([key, end]) => (committed.get(key) ?? -1n) < end).map(([key]) => key);
  }

  async #until<T>(ready: () => Promise<T | undefined>, milliseconds: number): Promise<T> {
    if (this.#process === undefined) throw new StackError(`${this.options.name} was not started`);
    const value = await this.#process.until(async () => {
      const found = await ready();
      return found === undefined ? undefined : { found };
    }, milliseconds);
    return (value as { found: T }).found;
  }

  logs(): LogLine[] {
    return readLogLines(this.logFile);
  }
}
