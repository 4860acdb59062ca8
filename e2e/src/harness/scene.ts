import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastLines } from '../processes/process-error.js';
import { Supervisor } from '../processes/supervisor-client.js';
import { ConnectClient, KafkaClient, StackError, TestDatabase } from '../stack/index.js';
import type { Corpus } from './corpus.js';
import { FaultyProxy } from './faulty-proxy.js';
import { ServerProcess } from './server-process.js';
import { type SinkConfig, SinkProcess } from './sink-process.js';
import { Source } from './source.js';

/** Where the parts of the running stack are (OSSIAN_TEST_KAFKA, …). */
export interface StackAddresses {
  kafka: string;
  connect: string;
  sourceUrl: string;
  databaseUrl: string;
}

export interface SceneServerOptions {
  /** `postgres` (default): a fresh database on the stack's Postgres with pgvector. `embedded`: PGlite in a folder. */
  storage?: 'postgres' | 'embedded';
  environment?: Readonly<Record<string, string>>;
  /** Another server on the database of this one. */
  beside?: ServerProcess;
}
export interface SceneSinkOptions {
  server: ServerProcess;
  corpus: Corpus;
  topics: readonly string[];
  /** On top of the settings below; `ossian.text.fields` has to be among them. */
  config: SinkConfig;
  /** The sink reaches the server through it. */
  proxy?: FaultyProxy;
}

/**
 * Everything one whole-system test uses on the shared stack: its own databases, slot, topics, corpus and group, all
 * named after the scene, and its own processes. `close` removes all of it.
 */
export class Scene {
  /** Lower case letters and digits: fit for a database, slot, topic, corpus and connector. */
  readonly id: string;
  readonly folder: string;
  readonly supervisor: Supervisor;
  readonly kafka: KafkaClient;
  readonly connect: ConnectClient;
  readonly #addresses: StackAddresses;
  readonly #closers: (() => Promise<void>)[] = [];
  readonly #logFiles: string[] = [];
  readonly #databases = new Map<ServerProcess, TestDatabase | undefined>();
  #count = 0;

  private constructor(addresses: StackAddresses, supervisor: Supervisor, kafka: KafkaClient) {
    this.id = `e2e${randomBytes(5).toString('hex')}`;
    this.folder = mkdtempSync(join(tmpdir(), 'ossian-scene-'));
    this.supervisor = supervisor;
    this.kafka = kafka;
    this.connect = new ConnectClient(addresses.connect);
    this.#addresses = addresses;
  }

  static async open(addresses: StackAddresses = addressesFromEnvironment()): Promise<Scene> {
    const kafka = await KafkaClient.connect(addresses.kafka);
    return new Scene(addresses, await Supervisor.start(), kafka);
  }

  /** A fresh source database, with the statements run in it. */
  async source(sql?: string): Promise<Source> {
    const name = this.#nextName('');
    const database = await TestDatabase.create(this.#addresses.sourceUrl, name);
    const source = new Source(database, name, this.connect);
    this.#closers.push(() => source.close());
    if (sql !== undefined) await source.query(sql);
    return source;
  }

  /** A running server. */
  async server(options: SceneServerOptions = {}): Promise<ServerProcess> {
    const name = `server${this.#databases.size + 1}`;
    const database = options.beside === undefined ? await this.#storage(options.storage) : this.#databases.get(options.beside);
    const server = await ServerProcess.start({
      supervisor: this.supervisor,
      folder: this.folder,
      name,
      ...(database === undefined ? {} : { databaseUrl: database.url }),
      ...(options.environment === undefined ? {} : { environment: options.environment }),
    });
    this.#databases.set(server, database);
    this.#logFiles.push(server.logFile);
    this.#closers.push(() => server.kill());
    return server;
  }

  /** The Postgres database of a server, for a look at what no route shows. @throws StackError where it is embedded. */
  database(server: ServerProcess): TestDatabase {
    const database = this.#databases.get(server);
    if (database === undefined) throw new StackError('this server keeps its data in a folder, which no other process may open');
    return database;
  }

  async #storage(storage: SceneServerOptions['storage'] = 'postgres'): Promise<TestDatabase | undefined> {
    if (storage === 'embedded') return undefined;
    const database = await TestDatabase.create(this.#addresses.databaseUrl, this.#nextName('backend'));
    this.#closers.push(() => database.drop());
    return database;
  }

  /** A corpus of the scene's own name on the server. */
  corpus(server: ServerProcess): Promise<Corpus> {
    return server.corpus(this.id);
  }

  /** The settings that a sink of this scene starts with. */
  sinkConfig({ server, corpus, topics, config, proxy }: SceneSinkOptions): SinkConfig {
    const json = 'org.apache.kafka.connect.json.JsonConverter';
    return {
      name: `${this.id}-sink`,
      'bootstrap.servers': this.#addresses.kafka,
      topics: topics.join(','),
      'key.converter': json,
      'key.converter.schemas.enable': 'false',
      'value.converter': json,
      'value.converter.schemas.enable': 'false',
      'ossian.url': proxy?.url ?? server.url,
      'ossian.api.key': server.key,
      'ossian.corpus': corpus.name,
      // Short waits, so that a test of an outage is over soon; a killed member is noticed soon.
      'retry.backoff.ms': '100',
      'retry.backoff.max.ms': '2000',
      'consumer.override.session.timeout.ms': '6000',
      'consumer.override.heartbeat.interval.ms': '1000',
      ...config,
    };
  }

  /** A running sink. Two with the same connector name (the default) share the group. */
  async sink(options: SceneSinkOptions): Promise<SinkProcess> {
    const sink = await SinkProcess.start({
      supervisor: this.supervisor,
      kafka: this.kafka,
      folder: this.folder,
      name: `sink${(this.#count += 1)}`,
      config: this.sinkConfig(options),
    });
    this.#logFiles.push(sink.logFile);
    this.#closers.push(() => sink.kill());
    return sink;
  }

  /** A proxy before the server that misbehaves on cue. */
  async proxy(server: ServerProcess): Promise<FaultyProxy> {
    const proxy = await FaultyProxy.start(server.url);
    this.#closers.push(() => proxy.close());
    return proxy;
  }

  /** A topic that no connector makes, e.g. a dead letter queue, or records written by hand. */
  async topic(name: string, partitions = 1): Promise<string> {
    const topic = `${this.id}.${name}`;
    await this.kafka.createTopic(topic, partitions);
    return topic;
  }

  /** The ends of all logs of this scene's processes. */
  logTails(lines = 15): string {
    return this.#logFiles.map((file) => `--- last lines of ${file}\n${lastLines(file, lines)}`).join('\n');
  }

  /** @param keepFolder leaves the logs where they are. */
  async close(keepFolder = false): Promise<void> {
    for (const close of this.#closers.reverse()) await close();
    await this.kafka.deleteTopics((await this.kafka.topics()).filter((topic) => topic.includes(this.id)));
    await this.kafka.close();
    await this.supervisor.close();
    if (!keepFolder) rmSync(this.folder, { recursive: true, force: true });
  }

  #nextName(suffix: string): string {
    this.#count += 1;
    return `${this.id}${suffix}${this.#count}`;
  }
}

/** Where `stack run` or jest's global setup has put the addresses. */
export function addressesFromEnvironment(): StackAddresses {
  const read = (name: string): string => {
    const value = process.env[name];
    if (value === undefined) throw new StackError(`${name} is not set: run this through "node e2e/bin/stack.js run -- …"`);
    return value;
  };
  return {
    kafka: read('OSSIAN_TEST_KAFKA'),
    connect: read('OSSIAN_TEST_CONNECT'),
    sourceUrl: read('OSSIAN_TEST_SOURCE_URL'),
    databaseUrl: read('OSSIAN_TEST_DATABASE_URL'),
  };
}
