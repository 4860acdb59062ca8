import pg from 'pg';

export type Row = Record<string, unknown>;

/** A database of its own on one of the stack's Postgres servers. 64-bit integers and numerics are read as text. */
export class TestDatabase {
  readonly name: string;
  readonly url: string;
  readonly pool: pg.Pool;
  readonly #adminUrl: string;

  private constructor(name: string, adminUrl: string) {
    const url = new URL(adminUrl);
    url.pathname = `/${name}`;
    this.name = name;
    this.url = url.href;
    this.#adminUrl = adminUrl;
    this.pool = new pg.Pool({ connectionString: this.url, max: 16, allowExitOnIdle: true });
    // An idle connection that breaks (the server was killed) is not this test's affair; a query that fails is.
    this.pool.on('error', () => undefined);
  }

  /** @param adminUrl a superuser's postgres:// URL, as the stack gives it. */
  static async create(adminUrl: string, name: string): Promise<TestDatabase> {
    await asAdmin(adminUrl, `create database "${name}"`);
    return new TestDatabase(name, adminUrl);
  }

  /** One statement with values, or several without. @returns the rows of the last. */
  async query<T extends Row = Row>(sql: string, values?: unknown[]): Promise<T[]> {
    const result: unknown = values === undefined ? await this.pool.query(sql) : await this.pool.query(sql, values);
    const last = Array.isArray(result) ? (result.at(-1) as pg.QueryResult<T>) : (result as pg.QueryResult<T>);
    return last.rows;
  }

  /** Runs the work in one transaction on a connection of its own. */
  async transaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    try {
      await client.query('begin');
      const value = await work(client);
      await client.query('commit');
      return value;
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      client.release();
    }
  }

  /** Removes the database with its replication slots, whoever is still connected. */
  async drop(): Promise<void> {
    await this.pool.end();
    await asAdmin(
      this.#adminUrl,
      `select pg_terminate_backend(active_pid) from pg_replication_slots where database = '${this.name}' and active`,
    );
    for (let attempt = 0; ; attempt += 1) {
      try {
        await asAdmin(
          this.#adminUrl,
          `select pg_drop_replication_slot(slot_name) from pg_replication_slots where database = '${this.name}'`,
        );
        await asAdmin(this.#adminUrl, `drop database if exists "${this.name}" with (force)`);
        return;
      } catch (error) {
        // The slot is held until its connection has ended.
        if (attempt === 50) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  }
}

async function asAdmin(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
