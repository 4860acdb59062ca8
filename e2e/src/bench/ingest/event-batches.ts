import type { EventInput } from '@ossian/shared';
import type { ArticleRow } from '../records/article-rows.js';

/** As the sink's `batch.max.events`. */
export const batchSize = 500;

export function inBatches<T>(values: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(values.length / batchSize) }, (_, index) =>
    values.slice(index * batchSize, (index + 1) * batchSize),
  );
}

/** The request body of each batch, as the sink would send it. */
export function eventBodies(rows: readonly ArticleRow[]): string[] {
  return inBatches(rows).map((batch) => JSON.stringify({ events: batch.map(eventOf) }));
}

function eventOf({ id, title, body }: ArticleRow): EventInput {
  const time = String(1_764_550_000_000 + id);
  const topic = 'bench.public.articles';
  return {
    id: `bench:${topic}:0:${id}:${time}`,
    op: 'upsert',
    document: {
      source: topic,
      key: `id=${id}`,
      title,
      uri: null,
      sections: [{ name: 'body', text: body }],
      metadata: { category: 'policy', product: 'Console' },
      acl: null,
      unchanged: [],
    },
    position: {
      ...{ connector: 'bench', topic, partition: 0, offset: String(id), timestamp: time },
      ...{ source_position: String(30_000_000 + id * 200), source_timestamp: time, snapshot: false },
    },
  };
}

export interface Flow {
  /** Batches in flight. */
  readonly connections: number;
  readonly signal: AbortSignal;
}

/** Works through the batches in order, so many at a time. @returns seconds. */
export async function workThrough<T>(
  batches: readonly T[],
  { connections, signal }: Flow,
  work: (batch: T, connection: number) => Promise<void>,
): Promise<number> {
  let next = 0;
  const run = async (connection: number): Promise<void> => {
    for (let batch = batches[next++]; batch !== undefined; batch = batches[next++]) {
      signal.throwIfAborted();
      await work(batch, connection);
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: connections }, (_, connection) => run(connection)));
  return (performance.now() - started) / 1000;
}
