import { addressesFromEnvironment, type Scene } from '../../harness/scene.js';
import { TestDatabase } from '../../stack/index.js';
import { BenchError } from '../bench-error.js';
import type { ArticleRow } from '../records/article-rows.js';
import type { Measurement } from '../run/contender.js';
import { readPostgresCpu, usedBetween } from '../run/postgres-cpu.js';
import { type Flow, inBatches, workThrough } from './event-batches.js';

const table = `create table articles (
  source text, key text, title text, body text,
  lexical tsvector generated always as (to_tsvector('english', title || ' ' || body)) stored,
  primary key (source, key));
create index on articles using gin (lexical)`;
const upsert = `insert into articles (source, key, title, body)
select $1, * from unnest($2::text[], $3::text[], $4::text[])
on conflict (source, key) do update set title = excluded.title, body = excluded.body`;

interface Columns {
  readonly keys: string[];
  readonly titles: string[];
  readonly bodies: string[];
}

/** What somebody writes by hand who wants full-text search and nothing else of what the server does. */
export async function runHandWrittenInsert(
  scene: Scene,
  rows: readonly ArticleRow[],
  flow: Flow,
  round: number,
): Promise<Measurement> {
  const { connections } = flow;
  const url = addressesFromEnvironment().databaseUrl;
  const database = await TestDatabase.create(url, `${scene.id}hand${connections}r${round}`);
  try {
    await database.query(table);
    const clients = await Promise.all(Array.from({ length: connections }, () => database.pool.connect()));
    const batches = inBatches(rows).map(columnsOf);
    const before = await readPostgresCpu(database);
    const seconds = await workThrough(batches, flow, async ({ keys, titles, bodies }, connection) => {
      await clients[connection]?.query(upsert, ['bench.public.articles', keys, titles, bodies]);
    });
    const postgres = usedBetween(before, await readPostgresCpu(database));
    for (const client of clients) client.release();
    const [counted] = await database.query<{ count: string }>('select count(*) from articles');
    if (Number(counted?.count) !== rows.length)
      throw new BenchError(`${counted?.count} rows stand in the table, not ${rows.length}`);
    return { rows: rows.length, seconds, cpu: { server: undefined, Postgres: postgres } };
  } finally {
    await database.drop();
  }
}

function columnsOf(batch: readonly ArticleRow[]): Columns {
  return {
    keys: batch.map(({ id }) => `id=${id}`),
    titles: batch.map(({ title }) => title),
    bodies: batch.map(({ body }) => body),
  };
}
