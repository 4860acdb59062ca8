import { sleep } from '@ossian/shared';
import type { Source } from './source.js';

/** The table that a load writes to. */
export const loadedTable = `create table articles (id bigint primary key, title text, body text)`;
/** How it is mapped, for the sink and for the comparison. */
export const loadedTableConfig = { 'ossian.text.fields': 'body', 'ossian.title.field': 'title' };
export const loadedTableMapping = { table: 'articles', textFields: ['body'], titleField: 'title' };

export interface TableLoad {
  /** Ends it. @throws what a statement of it threw. */
  stop(): Promise<void>;
}
export interface TableLoadOptions {
  random: () => number;
  /** Ids are 1 to this. Default 150. */
  rows?: number;
  /** Milliseconds between two rounds of five changes. Default 80. */
  pause?: number;
}

/** Inserts, changes and deletes rows of `loadedTable` until it is stopped. Every text that it writes is another one. */
export function startTableLoad(source: Source, { random, rows = 150, pause = 80 }: TableLoadOptions): TableLoad {
  let stopped = false;
  let count = 0;
  const change = (): string => {
    const id = 1 + Math.floor(random() * rows);
    if (random() < 0.15) return `delete from articles where id = ${id}`;
    count += 1;
    const values = `${id}, 'Article ${id}', 'The article ${id} was written as number ${count} of all.'`;
    return `insert into articles values (${values}) on conflict (id) do update set body = excluded.body`;
  };
  const run = async (): Promise<void> => {
    while (!stopped) {
      await source.query(Array.from({ length: 5 }, change).join(';\n'));
      await sleep(pause);
    }
  };
  const ended = run();
  ended.catch(() => undefined); // `stop` tells it
  return {
    stop: () => {
      stopped = true;
      return ended;
    },
  };
}
