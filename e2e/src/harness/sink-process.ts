import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Exit } from '../processes/messages.js';
import type { SupervisedProcess } from '../processes/supervised-process.js';
import { definedEnvironment, type Supervisor } from '../processes/supervisor-client.js';
import { ConnectClient, type ConnectorStatus, freePort, type KafkaClient, StackError, waitUntil } from '../stack/index.js';
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
/** An `ossian-sink run` of its own, with a written configuration file and a port for its status. */
export class SinkProcess {
  readonly options: SinkOptions;
  readonly configFile: string;
  readonly logFile: string;
  /** Where it serves Connect's REST interface. */
  readonly url: string;
  #config: SinkConfig;
  #process: SupervisedProcess | undefined;

  private constructor(options: SinkOptions, port: number) {
    this.url = `http://127.0.0.1:${port}`;
    this.options = options;
    this.#config = { ...options.config };
    this.configFile = join(options.folder, `${options.name}.json`);
    this.logFile = join(options.folder, `${options.name}.log`);
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

  /** Starts it (again). It does not wait: `caughtUp` and `failed` do. @param changes of the configuration that stay. */
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

  /**
   * Runs `ossian-sink offsets …` on its configuration; the sink has to be stopped for `set` and `reset`.
   *
   * @returns what it printed.
   * @throws StackError with its output where it fails.
   */
  async offsets(verb: 'list' | 'set' | 'reset', ...options: string[]): Promise<string> {
    const args = [program, 'offsets', verb, '--config', this.configFile, ...options];
    const env = { ...definedEnvironment(), ...this.options.environment };
    return new Promise((resolve, reject) => {
      execFile(process.execPath, args, { env }, (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(new StackError(`ossian-sink offsets ${verb} failed: ${stderr || stdout || error.message}`));
      });
    });
  }

  /** Its connector's status over REST; undefined while it does not answer. */
  async status(): Promise<ConnectorStatus | undefined> {
    try {
      return await new ConnectClient(this.url).status(this.connector);
    } catch (error) {
      if (error instanceof TypeError) return undefined; // fetch could not connect: it is starting, or has ended
      throw error;
    }
  }

  /** Waits until its task's trace, which gives the reason for a wait, matches. @returns the trace. */
  async waitsFor(reason: RegExp, milliseconds = 30_000): Promise<string> {
    let trace = '';
    await waitUntil(
      async () => {
        trace = (await this.status())?.tasks.map((task) => task.trace ?? '').join('\n') ?? '';
        return reason.test(trace);
      },
      `${this.options.name} to say that it waits for ${reason}`,
      milliseconds,
    );
    return trace;
  }

  /** Waits until it ends by itself, as it does when its task has FAILED. @returns how it ended and all that it wrote. */
  async failed(milliseconds = 60_000): Promise<Exit & { output: string }> {
    await waitUntil(() => Promise.resolve(!this.running), `${this.options.name} to end by itself`, milliseconds);
    const exit = this.#process?.exit ?? { code: null, signal: null };
    return { ...exit, output: readFileSync(this.logFile, 'utf8') };
  }

  /** Waits until the group has committed every record that its topics hold at this moment. Fails at once where the sink ends. */
  async caughtUp(milliseconds = 120_000): Promise<void> {
    if (this.#process === undefined) throw new StackError(`${this.options.name} was not started`);
    const ends = new Map<string, bigint>();
    for (const topic of this.topics)
      for (const { partition, low, high } of await this.options.kafka.offsets(topic))
        if (high > low) ends.set(`${topic}/${partition}`, high);
    if (ends.size === 0) throw new StackError(`${this.topics.join(', ')}: nothing is there to catch up with`);
    await this.#process.until(async () => (await this.#behind(ends)).length === 0, milliseconds);
  }

  async #behind(ends: ReadonlyMap<string, bigint>): Promise<string[]> {
    const committed = new Map<string, bigint>();
    for (const topic of this.topics)
      for (const [partition, offset] of await this.options.kafka.committed(this.group, topic))
        committed.set(`${topic}/${partition}`, offset);
    return [...ends].filter(([key, end]) => (committed.get(key) ?? -1n) < end).map(([key]) => key);
  }

  logs(): LogLine[] {
    return readLogLines(this.logFile);
  }
}
