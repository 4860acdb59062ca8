import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OssianClient } from '@ossian/shared';
import type { Supervisor } from '../processes/supervisor-client.js';
import type { SupervisedProcess } from '../processes/supervised-process.js';
import { freePort } from '../stack/index.js';
import { cleanEnvironment } from './clean-environment.js';
import { Corpus } from './corpus.js';
import { type LogLine, readLogLines } from './log-lines.js';

export const serverProgram = fileURLToPath(new URL('../../../server/bin/ossian-server.js', import.meta.url));

export interface ServerOptions {
  supervisor: Supervisor;
  /** Logs go here, and the data where it is embedded. */
  folder: string;
  name?: string;
  /** A Postgres; without it, PGlite in `folder`. */
  databaseUrl?: string;
  /** Further environment. */
  environment?: Readonly<Record<string, string>>;
  /** Another build of the server: the path of its bin. */
  program?: string;
  /** A command that starts the server in its own surroundings, with its arguments, e.g. `nsenter`; it has to become the server (exec). */
  launcher?: readonly string[];
}

/** An `ossian-server` of its own. It keeps its port and key over restarts. */
export class ServerProcess {
  readonly url: string;
  /** An admin key. */
  readonly key: string;
  readonly client: OssianClient;
  readonly logFile: string;
  readonly #options: ServerOptions;
  readonly #environment: Record<string, string>;
  #process: SupervisedProcess | undefined;

  private constructor(options: ServerOptions, port: number) {
    const name = options.name ?? 'server';
    this.url = `http://127.0.0.1:${port}`;
    this.key = `e2e-${randomBytes(16).toString('hex')}`;
    this.client = new OssianClient({ url: this.url, apiKey: this.key });
    this.logFile = join(options.folder, `${name}.log`);
    this.#options = options;
    this.#environment = {
      ...cleanEnvironment(),
      HOST: '127.0.0.1',
      PORT: String(port),
      OSSIAN_BOOTSTRAP_KEY: this.key,
      ...(options.databaseUrl === undefined
        ? { OSSIAN_DATA_DIR: join(options.folder, `${name}-data`) }
        : { DATABASE_URL: options.databaseUrl }),
      ...options.environment,
    };
  }

  /** Starts a server and waits until it is ready. */
  static async start(options: ServerOptions): Promise<ServerProcess> {
    const server = new ServerProcess(options, await freePort());
    await server.start();
    return server;
  }

  /** Starts it (again), and waits until it is ready. @param environment changes that stay. */
  async start(environment: Readonly<Record<string, string>> = {}): Promise<void> {
    Object.assign(this.#environment, environment);
    const { program = serverProgram, launcher = [] } = this.#options;
    const [command = process.execPath, ...args] = [...launcher, process.execPath, program];
    const started = await this.#options.supervisor.spawn(this.#options.name ?? 'server', {
      command,
      args,
      env: this.#environment,
      cwd: this.#options.folder,
      logFile: this.logFile,
    });
    this.#process = started;
    await started.until(async () => (await fetch(`${this.url}/health/ready`)).ok, 60_000);
  }

  get pid(): number {
    return this.#process?.pid ?? 0;
  }
  get running(): boolean {
    return this.#process !== undefined && this.#process.exit === undefined;
  }
  /** Stops in good order (SIGTERM). */
  async stop(): Promise<void> {
    await this.#process?.stop('SIGTERM', 30_000);
  }
  /** Ends it as kill -9 does. */
  async kill(): Promise<void> {
    await this.#process?.kill();
  }
  /** Lets it hang: connections stay open and nothing answers, until `resume`. */
  suspend(): void {
    this.#process?.signal('SIGSTOP');
  }
  resume(): void {
    this.#process?.signal('SIGCONT');
  }

  /** Makes the corpus where it is not there. */
  async corpus(name: string): Promise<Corpus> {
    await this.client.putCorpus(name);
    return new Corpus(this.client, name);
  }
  logs(): LogLine[] {
    return readLogLines(this.logFile);
  }
}
