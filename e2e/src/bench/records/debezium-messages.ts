import { readFileSync } from 'node:fs';
import { recordingFile } from '../../demo/knowledge-base.js';
import type { ArticleRow } from './article-rows.js';

interface Envelope {
  after: Record<string, unknown>;
  source: Record<string, unknown>;
  [field: string]: unknown;
}

/**
 * Kafka messages as Debezium writes them for inserted rows: a recorded envelope, with the row and its positions replaced. Times past 2^53
 * are rounded in it; nobody reads them.
 */
export function debeziumMessages(rows: readonly ArticleRow[]): { key: string; value: string }[] {
  const [line = ''] = readFileSync(recordingFile('before.jsonl'), 'utf8').split('\n', 1);
  const recorded = JSON.parse((JSON.parse(line) as { payload: string }).payload) as Envelope;
  const firstTime = Number(recorded.source['ts_ms']);
  return rows.map(({ id, title, body }) => {
    const lsn = 30_000_000 + id * 200;
    const times = { ts_ms: firstTime + id, ts_us: (firstTime + id) * 1000 };
    const source = { ...recorded.source, ...times, snapshot: 'false', lsn, sequence: JSON.stringify([`${lsn - 100}`, `${lsn}`]) };
    const value = { ...recorded, ...times, after: { ...recorded.after, id, title, body }, source, op: 'c' };
    return { key: JSON.stringify({ id }), value: JSON.stringify(value) };
  });
}
