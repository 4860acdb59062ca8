import { BenchError } from '../bench-error.js';
import type { ArticleRow } from './article-rows.js';
import { recordedEnvelopes } from './recorded-envelopes.js';

/**
 * Kafka messages as Debezium writes them for inserted rows: a recorded envelope, with the row and its positions replaced.
 */
export function debeziumMessages(rows: readonly ArticleRow[]): { key: string; value: string }[] {
  const [recorded] = recordedEnvelopes();
  if (recorded === undefined) throw new BenchError('the recording of the knowledge base holds no row');
  const firstTime = Number(recorded.source['ts_ms']);
  return rows.map(({ id, title, body }) => {
    const lsn = 30_000_000 + id * 200;
    const times = { ts_ms: firstTime + id, ts_us: (firstTime + id) * 1000 };
    const source = { ...recorded.source, ...times, snapshot: 'false', lsn, sequence: JSON.stringify([`${lsn - 100}`, `${lsn}`]) };
    const value = { ...recorded, ...times, after: { ...recorded.after, id, title, body }, source, op: 'c' };
    return { key: JSON.stringify({ id }), value: JSON.stringify(value) };
  });
}
