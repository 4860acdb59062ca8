export type RowValue = string | number | boolean | null;

export interface RecordOptions {
  topic?: string;
  partition?: number;
  /** Debezium's operation: c, r, u or d. */
  op?: string;
}

/** The topic of records that do not name another. */
export const recordsTopic = 'shop.public.articles';

/**
 * One line of a record file, as `kcat -C -J` prints what Debezium wrote: an envelope, whose times and log positions grow with the
 * offset. With `op` d the row is the one that went.
 */
export function recordLine(
  offset: number,
  key: Record<string, RowValue>,
  row: Record<string, RowValue>,
  options: RecordOptions = {},
): string {
  const { topic = recordsTopic, partition = 0, op = 'c' } = options;
  const ts = 1_764_550_000_000 + offset;
  const lsn = 1000 + offset;
  const source = {
    ts_ms: ts,
    snapshot: 'false',
    sequence: JSON.stringify([String(lsn - 1), String(lsn)]),
    lsn,
    schema: 'public',
  };
  const value = { before: op === 'd' ? row : null, after: op === 'd' ? null : row, source, op, ts_ms: ts };
  return JSON.stringify({ topic, partition, offset, ts, headers: [], key: JSON.stringify(key), payload: JSON.stringify(value) });
}

/** Records of articles with the given bodies, numbered from 1. */
export function articleLines(...bodies: readonly (string | null)[]): string[] {
  return bodies.map((body, index) =>
    recordLine(index, { id: index + 1 }, { id: index + 1, title: `Article ${index + 1}`, body }),
  );
}
