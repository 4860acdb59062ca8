import type { ConsumedRecord } from '../record/consumed-record.js';

const encoder = new TextEncoder();

/** Rows of a flattened table: `{"id":…,"body":…}`, one record an offset, from `first` on. */
export function rows(count: number, changes: Partial<ConsumedRecord> = {}, first = 0, body = 'text'): ConsumedRecord[] {
  return Array.from({ length: count }, (_, index) => row(first + index, `${body} ${first + index}`, changes));
}

export function row(offset: number, body: string | null, changes: Partial<ConsumedRecord> = {}): ConsumedRecord {
  return {
    topic: 't',
    partition: 0,
    offset: BigInt(offset),
    timestamp: 1_764_550_000_000n,
    key: encoder.encode(`{"id":${offset}}`),
    value: encoder.encode(JSON.stringify(body === null ? { id: offset } : { id: offset, body })),
    headers: [],
    ...changes,
  };
}

/** Polls until it holds; fails with what is awaited after the time (milliseconds). */
export async function until(holds: () => boolean | Promise<boolean>, what: string, milliseconds = 10_000): Promise<void> {
  const end = Date.now() + milliseconds;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`not within ${milliseconds} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
