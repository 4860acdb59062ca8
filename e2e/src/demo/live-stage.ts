import { readFileSync } from 'node:fs';
import type { Corpus } from '../harness/corpus.js';
import type { Scene } from '../harness/scene.js';
import type { ServerProcess } from '../harness/server-process.js';
import type { SinkProcess } from '../harness/sink-process.js';
import type { Source } from '../harness/source.js';
import { splitStatements } from '../recordings/split-statements.js';
import { DemoError } from './demo-error.js';
import type { DeliverySummary, DemoStage } from './demo-stage.js';
import { mappingConfig, recordingFile, tables } from './knowledge-base.js';

interface Counts {
  consumed: number;
  ignored: number;
  dead_lettered: number;
  outcomes: Record<string, number>;
}
const none: Counts = { consumed: 0, ignored: 0, dead_lettered: 0, outcomes: {} };

/** A live database, streamed by a real Debezium through a real Kafka. */
export class LiveStage implements DemoStage {
  readonly corpus: Corpus;
  readonly #source: Source;
  readonly #sink: SinkProcess;
  #counted = none;
  readonly places: readonly string[];

  private constructor(server: ServerProcess, corpus: Corpus, source: Source, sink: SinkProcess) {
    this.corpus = corpus;
    this.#source = source;
    this.#sink = sink;
    this.places = [
      `source        ${source.database.url} (tables ${tables.join(', ')})`,
      `topics        ${sink.topics.join(', ')}`,
      `sink          ${sink.configFile}, its status at ${sink.url}/connectors/${sink.connector}/status`,
      `server        ${server.url}`,
    ];
  }

  /** Makes the tables, registers Debezium and starts the sink. */
  static async open(scene: Scene, server: ServerProcess): Promise<LiveStage> {
    const source = await scene.source(readFileSync(recordingFile('before.sql'), 'utf8'));
    await source.stream({ tables });
    const corpus = await scene.corpus(server);
    const deadLetters = await scene.topic('dead-letters');
    const dlq = {
      'errors.deadletterqueue.topic.name': deadLetters,
      'errors.deadletterqueue.topic.replication.factor': '1',
    };
    const topics = tables.map((table) => source.topic(table));
    const sink = await scene.sink({ server, corpus, topics, config: { ...mappingConfig(source.prefix), ...dlq } });
    return new LiveStage(server, corpus, source, sink);
  }

  deliverSnapshot(): Promise<DeliverySummary> {
    return this.#delivered();
  }
  async deliverChanges(): Promise<DeliverySummary> {
    for (const statement of splitStatements(readFileSync(recordingFile('after.sql'), 'utf8')))
      await this.#source.query(statement);
    await this.#source.settled();
    return this.#delivered();
  }
  async replay(): Promise<DeliverySummary> {
    await this.#sink.stop();
    await this.#sink.offsets('reset', '--to', 'earliest');
    await this.#sink.start();
    this.#counted = none;
    return this.#delivered();
  }

  /** What the sink has counted since the last time. */
  async #delivered(): Promise<DeliverySummary> {
    await this.#sink.caughtUp();
    const status = await this.#sink.status();
    const now = (status?.tasks[0] as { counts?: Counts } | undefined)?.counts;
    if (now === undefined) throw new DemoError('the sink does not tell its counts');
    const before = this.#counted;
    this.#counted = now;
    const names = Object.keys(now.outcomes);
    return {
      records: now.consumed - before.consumed,
      ignored: now.ignored - before.ignored,
      deadLettered: now.dead_lettered - before.dead_lettered,
      outcomes: Object.fromEntries(names.map((name) => [name, (now.outcomes[name] ?? 0) - (before.outcomes[name] ?? 0)])),
    };
  }
}
