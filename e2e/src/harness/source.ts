import { sleep } from '@ossian/shared';
import {
  type ConnectClient,
  type ConnectorConfig,
  debeziumConfig,
  type RecordForm,
  signalTableSql,
  StackError,
  type TestDatabase,
  waitUntil,
} from '../stack/index.js';

export interface StreamOptions {
  /** Tables of the public schema. */
  tables: readonly string[];
  /** Default json-envelope. */
  form?: RecordForm;
  /** Partitions of the topics. Default 1. */
  partitions?: number;
  /** Tells several connectors of one test apart: Connect keeps the offsets of one that was taken away for the next of its name. */
  connector?: string;
  /** Debezium settings on top. */
  overrides?: ConnectorConfig;
}

/** A source database of its own, and the Debezium connector that streams it. */
export class Source {
  readonly database: TestDatabase;
  readonly prefix: string;
  readonly #connect: ConnectClient;
  #connector: string | undefined;

  constructor(database: TestDatabase, prefix: string, connect: ConnectClient) {
    this.database = database;
    this.prefix = prefix;
    this.#connect = connect;
  }

  /** Name of a table's topic. */
  topic(table: string): string {
    return `${this.prefix}.public.${table}`;
  }
  get slot(): string {
    return this.prefix;
  }
  get connector(): string {
    return this.#connector ?? '';
  }

  /** Runs statements. @returns the rows of the last. */
  query<T extends Record<string, unknown>>(sql: string, values?: unknown[]): Promise<T[]> {
    return this.database.query<T>(sql, values);
  }

  /** Registers Debezium and waits until it streams; the snapshot is in the topics then. */
  async stream(options: StreamOptions): Promise<void> {
    await this.query(signalTableSql);
    const { form = 'json-envelope', partitions = 1, connector = 'source', overrides = {} } = options;
    const config = debeziumConfig({
      form,
      databaseUrl: this.database.url,
      prefix: this.prefix,
      tables: options.tables.map((table) => `public.${table}`),
      partitions,
      overrides,
    });
    this.#connector = `${this.prefix}-${connector}`;
    await this.#connect.register(this.#connector, config);
    await this.settled();
  }

  /**
   * Waits until every change that is committed by now is in its topic: Debezium has confirmed a later marker to the
   * replication slot, which it does once Kafka has acknowledged all before it.
   */
  async settled(milliseconds = 60_000): Promise<void> {
    const deadline = Date.now() + milliseconds;
    const marker = `select pg_logical_emit_message(true, 'ossian-e2e', 'settled')::text as lsn`;
    const lsn = (await this.query<{ lsn: string }>(marker))[0]?.lsn;
    for (;;) {
      await this.query(marker);
      const confirmed = `select 1 from pg_replication_slots where slot_name = $1 and confirmed_flush_lsn >= $2::pg_lsn`;
      if ((await this.query(confirmed, [this.slot, lsn])).length > 0) return;
      if (Date.now() > deadline) throw new StackError(`Debezium did not come to ${lsn} within ${milliseconds / 1000} s`);
      await sleep(150);
    }
  }

  /** Sends Debezium a signal, e.g. `execute-snapshot`. */
  async signal(type: string, data: unknown): Promise<void> {
    const sql = `insert into debezium_signal (id, type, data) values (gen_random_uuid()::text, $1, $2)`;
    await this.query(sql, [type, JSON.stringify(data)]);
  }

  /** Takes the connector away and waits until it has let go of its slot; slot, topics and its offsets stay. */
  async stopStreaming(): Promise<void> {
    await this.#removeConnector();
    const active = `select 1 from pg_replication_slots where slot_name = $1 and active`;
    await waitUntil(async () => (await this.query(active, [this.slot])).length === 0, `${this.slot} to be let go`);
  }
  async close(): Promise<void> {
    await this.#removeConnector();
    await this.database.drop();
  }
  async #removeConnector(): Promise<void> {
    if (this.#connector !== undefined) await this.#connect.remove(this.#connector);
    this.#connector = undefined;
  }
}
