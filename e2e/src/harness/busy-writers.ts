import { sleep } from '@ossian/shared';
import type pg from 'pg';
import { longText } from './long-text.js';
import type { Source } from './source.js';

/** The table that busy writers change; every third row has a body that is stored apart. */
export const busyTable = `create table articles (id bigint primary key, title text, body text);
alter table articles alter column body set storage external`;
const firstRows = 360;

/** Rows for the first snapshot to read. The row 0 is left alone by the writers. */
export async function fillBusyTable(source: Source): Promise<void> {
  const ids = Array.from({ length: firstRows + 1 }, (_, index) => index);
  const sql = 'insert into articles select * from unnest($1::bigint[], $2::text[], $3::text[])';
  await source.query(sql, [ids, ids.map((id) => `Article ${id}`), ids.map((id) => bodyOf(id, 0))]);
}

const bodyOf = (id: number, count: number): string =>
  id % 3 === 0 ? longText(`article ${id} number ${count}`) : `The body of article ${id} was written as number ${count}.`;

export interface BusyWriters {
  /** How many transactions were committed. */
  readonly committed: number;
  /** Ends them. @throws what a statement threw. */
  stop(): Promise<void>;
}

/**
 * Each writer works in transactions of its own, short and long, on rows that the others change too: inserts, bodies, titles
 * (a body stored apart is not sent then), blanked bodies, deletes, new keys. Some are rolled back.
 */
export function startBusyWriters(source: Source, count: number, random: () => number, pause = 60): BusyWriters {
  let stopped = false;
  let committed = 0;
  let texts = 0;
  let nextId = 10_000;
  const change = async (client: pg.PoolClient): Promise<void> => {
    const lot = random();
    const id = 1 + Math.floor(random() * firstRows);
    texts += 1;
    if (lot < 0.25) await client.query('update articles set body = $2 where id = $1', [id, bodyOf(id, texts)]);
    else if (lot < 0.55) await client.query('update articles set title = $2 where id = $1', [id, `Title ${texts}`]);
    else if (lot < 0.6) await client.query('update articles set body = null where id = $1', [id]);
    else if (lot < 0.7) await client.query('delete from articles where id = $1', [id]);
    else if (lot < 0.9) {
      const sql = 'insert into articles values ($1, $2, $3) on conflict (id) do update set body = excluded.body';
      await client.query(sql, [id, `Title ${texts}`, bodyOf(id, texts)]);
    } else await client.query('update articles set id = $2, title = $3 where id = $1', [id, (nextId += 1), `Moved ${texts}`]);
  };
  const transact = (): Promise<void> =>
    source.database.transaction(async (client) => {
      const isLong = random() < 0.1;
      for (let left = isLong ? 4 : 1 + Math.floor(random() * 2); left > 0; left -= 1) {
        await change(client);
        if (isLong) await sleep(400);
      }
      if (random() < 0.05) throw new RolledBack();
    });
  const write = async (): Promise<void> => {
    while (!stopped) {
      await transact().then(() => (committed += 1), ignoreExpected);
      await sleep(pause * random() * 2);
    }
  };
  const ended = Promise.all(Array.from({ length: count }, write)).then(() => undefined);
  ended.catch(() => undefined); // `stop` tells it
  return {
    get committed() {
      return committed;
    },
    stop: () => {
      stopped = true;
      return ended;
    },
  };
}

class RolledBack extends Error {}

/** Writers that meet on two rows in opposite orders deadlock: Postgres rolls one of them back, as it does in life. */
function ignoreExpected(error: unknown): void {
  if (error instanceof RolledBack || (error as { code?: string }).code === '40P01') return;
  throw error;
}
