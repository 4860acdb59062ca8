import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastLines } from '../processes/process-error.js';
import type { SupervisedProcess } from '../processes/supervised-process.js';
import { definedEnvironment, Supervisor } from '../processes/supervisor-client.js';
import { StackError, TestDatabase } from '../stack/index.js';
import { type ProgramResult, runProgram, sinkProgram } from './run-program.js';
import { type ServerOptions, ServerProcess } from './server-process.js';
import type { SinkConfig } from './sink-process.js';

export type Storage = 'embedded' | 'postgres';

export interface LocalServerOptions extends Pick<ServerOptions, 'databaseUrl' | 'environment' | 'program' | 'launcher' | 'name'> {
  /** `embedded` (default): PGlite in a folder. `postgres`: a fresh database on the stack's Postgres with pgvector. */
  storage?: Storage;
}
export interface RecordsRun {
  /** On top of the settings below. */
  config: SinkConfig;
  /** Lines of a record file. */
  records: readonly string[];
}

/**
 * What one test uses that needs no Kafka: servers of its own, and sinks that deliver from record files. `close` ends and removes all
 * of it.
 */
export class LocalScene {
  /** Lower case letters and digits: fit for a database and a corpus. */
  readonly id: string;
  readonly folder: string;
  readonly supervisor: Supervisor;
  readonly #closers: (() => Promise<void>)[] = [];
  readonly #logFiles: string[] = [];
  #count = 0;

  private constructor(supervisor: Supervisor) {
    this.id = `e2e${randomBytes(5).toString('hex')}`;
    this.folder = mkdtempSync(join(tmpdir(), 'ossian-scene-'));
    this.supervisor = supervisor;
  }

  static async open(): Promise<LocalScene> {
    return new LocalScene(await Supervisor.start());
  }

  /** A running server. */
  async server(options: LocalServerOptions = {}): Promise<ServerProcess> {
    const { storage = 'embedded', name = this.#nextName('server'), ...more } = options;
    const databaseUrl = storage === 'postgres' ? { databaseUrl: (await this.database()).url } : {};
    const server = await ServerProcess.start({ supervisor: this.supervisor, folder: this.folder, name, ...databaseUrl, ...more });
    this.#logFiles.push(server.logFile);
    this.#closers.push(() => server.kill());
    return server;
  }

  /** A fresh database on the stack's Postgres with pgvector. */
  async database(): Promise<TestDatabase> {
    const url = process.env['OSSIAN_TEST_DATABASE_URL'];
    if (url === undefined)
      throw new StackError('OSSIAN_TEST_DATABASE_URL is not set: run this through "node e2e/bin/stack.js run -- …"');
    const database = await TestDatabase.create(url, this.#nextName(this.id));
    this.#closers.push(() => database.drop());
    return database;
  }

  /** The settings of a sink that delivers articles (title, body) to the server's corpus. */
  sinkConfig(server: Pick<ServerProcess, 'url' | 'key'>, corpus: string, more: SinkConfig = {}): SinkConfig {
    const json = 'org.apache.kafka.connect.json.JsonConverter';
    return {
      name: `${this.id}-sink`,
      topics: 'shop.public.articles',
      'key.converter': json,
      'key.converter.schemas.enable': 'false',
      'value.converter': json,
      'value.converter.schemas.enable': 'false',
      'ossian.url': server.url,
      'ossian.api.key': server.key,
      'ossian.corpus': corpus,
      'ossian.text.fields': 'body',
      'ossian.title.field': 'title',
      'retry.backoff.ms': '100',
      'retry.backoff.max.ms': '1000',
      ...more,
    };
  }

  /** Delivers records with `ossian-sink run --records` and waits for its end. */
  async deliver({ config, records }: RecordsRun): Promise<ProgramResult & { deadLetters: string }> {
    const { args, deadLetters } = this.#recordsArguments(config, records);
    return { ...(await runProgram('sink', args, {}, 120_000)), deadLetters };
  }

  /** As `deliver`, and leaves it running. */
  async startDelivery({ config, records }: RecordsRun): Promise<SupervisedProcess & { deadLetters: string }> {
    const { args, deadLetters } = this.#recordsArguments(config, records);
    return Object.assign(await this.startSink(args), { deadLetters });
  }

  /** An `ossian-sink` that is left running; its output is in its log file. */
  async startSink(args: readonly string[]): Promise<SupervisedProcess> {
    const name = this.#nextName('sink');
    const logFile = join(this.folder, `${name}.log`);
    this.#logFiles.push(logFile);
    const sink = await this.supervisor.spawn(name, {
      command: process.execPath,
      args: [sinkProgram, ...args],
      env: definedEnvironment(),
      cwd: this.folder,
      logFile,
    });
    this.#closers.push(async () => void (await sink.kill()));
    return sink;
  }

  /** All that a process of this scene has written. */
  logOf(process: SupervisedProcess): string {
    return readFileSync(process.logFile, 'utf8');
  }
  /** Writes a file of this scene. @returns its path. */
  file(name: string, text: string): string {
    const path = join(this.folder, name);
    writeFileSync(path, text);
    return path;
  }

  /** The ends of all logs of this scene's processes. */
  logTails(lines = 15): string {
    return this.#logFiles.map((file) => `--- last lines of ${file}\n${lastLines(file, lines)}`).join('\n');
  }

  /** Called at the end, the last first. */
  atEnd(close: () => Promise<void>): void {
    this.#closers.push(close);
  }
  /** @param keepFolder leaves the logs where they are. */
  async close(keepFolder = false): Promise<void> {
    for (const close of this.#closers.reverse()) await close();
    await this.supervisor.close();
    if (!keepFolder) rmSync(this.folder, { recursive: true, force: true });
  }

  #recordsArguments(config: SinkConfig, records: readonly string[]): { args: string[]; deadLetters: string } {
    const name = this.#nextName('delivery');
    const configFile = this.file(`${name}.json`, JSON.stringify({ name: config['name'], config }, null, 2));
    const recordsFile = this.file(`${name}.jsonl`, `${records.join('\n')}\n`);
    const deadLetters = join(this.folder, `${name}.dead-letters.jsonl`);
    const args = ['run', '--config', configFile, '--records', recordsFile, '--dead-letters', deadLetters, '--json'];
    return { args, deadLetters };
  }
  #nextName(prefix: string): string {
    this.#count += 1;
    return `${prefix}${this.#count}`;
  }
}
