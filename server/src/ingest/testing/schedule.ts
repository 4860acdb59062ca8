import type { EventInput } from '@ossian/shared';
import { type ChangeRecord, type Row, type SourceOptions, unavailable } from './change-record.js';
import { Random } from './random.js';
import { SourceTable } from './source-table.js';

/** What a corpus is asked to do in a schedule. */
export interface ScheduledBackend {
  /** Applies a batch whole; where `crash`, it fails at its very end and nothing of it may stay. */
  apply(events: readonly EventInput[], crash: boolean): Promise<void>;
  /** Forgets some of the ids it knows. */
  pruneIds(random: Random): Promise<void>;
  /** Live documents by key, with whether each says that it is behind its row or incomplete. */
  documents(): Promise<
    Map<string, { title: string | null; sections: Record<string, string>; metadata: unknown; behind: boolean }>
  >;
}

export interface ScheduleOutcome {
  readonly ok: boolean;
  readonly expected: unknown;
  readonly found: unknown;
  readonly trace: readonly string[];
}

/** Runs one schedule: random changes, any interleaving of partitions and split into batches, rewinds, crashes, pruned ids. */
export async function runSchedule(
  seed: number,
  options: SourceOptions,
  backend: ScheduledBackend,
  source: string,
): Promise<ScheduleOutcome> {
  const random = new Random(seed);
  const table = new SourceTable(random, options);
  const reader = new TopicReader(random, table, backend, source);
  const steps = random.between(3, 12);
  for (let step = 0; step < steps; step++) {
    // What is in a topic that is about to be re-created has been read: nobody can follow a topic that went before it was read.
    const before = table.partitions;
    if (table.step()) {
      await reader.readAll(before);
      reader.rewindToStart();
    }
  }
  table.finish();
  await reader.readAll(table.partitions);
  const expected = Object.fromEntries([...table.documents()].map(([key, row]) => [`id=${key}`, expectedDocument(row)]));
  const documents = await backend.documents();
  const found = Object.fromEntries([...documents].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { ok: canonical(expected) === canonical(found), expected, found, trace: table.trace };
}

class TopicReader {
  readonly #random: Random;
  readonly #backend: ScheduledBackend;
  readonly #source: string;
  #at: number[];
  constructor(random: Random, table: SourceTable, backend: ScheduledBackend, source: string) {
    this.#random = random;
    this.#backend = backend;
    this.#source = source;
    this.#at = table.partitions.map(() => 0);
  }

  rewindToStart(): void {
    this.#at = this.#at.map(() => 0);
  }

  async readAll(partitions: readonly (readonly ChangeRecord[])[]): Promise<void> {
    const unread = (): number[] =>
      partitions.flatMap((records, index) => ((this.#at[index] ?? 0) < records.length ? [index] : []));
    while (unread().length > 0) {
      const batch: EventInput[] = [];
      const size = this.#random.pick([1, 2, 3, 5, 20]);
      while (batch.length < size && unread().length > 0) {
        const partition = this.#random.pick(unread());
        batch.push(toEvent(partitions[partition]![this.#at[partition]!]!, this.#source));
        this.#at[partition]!++;
        if (this.#random.chance(0.08)) this.#rewind();
      }
      if (this.#random.chance(0.1)) await this.#backend.apply(batch, true);
      await this.#backend.apply(batch, false);
      if (this.#random.chance(0.2)) await this.#backend.pruneIds(this.#random);
    }
  }

  #rewind(): void {
    const partition = this.#random.between(0, this.#at.length - 1);
    this.#at[partition] = Math.max(0, this.#at[partition]! - this.#random.between(0, 30));
  }
}

/** What a sink that keeps unavailable values sends for a record. */
export function toEvent(record: ChangeRecord, source: string): EventInput {
  const { partition, offset, timestamp, op } = record;
  const time = 1_764_550_000_000 + timestamp;
  const id = [source, partition, offset, time].join(':');
  const position = {
    connector: 'test',
    topic: source,
    partition,
    offset: String(offset),
    timestamp: String(time),
    source_timestamp: String(1_764_550_000_000 + record.sourceTimestamp),
    snapshot: record.snapshot,
    ...(record.lsn === null ? {} : { source_position: String(record.lsn) }),
  };
  if (op === 'truncate') return { id, op: 'clear', document: { source }, position };
  const key = `id=${record.key}`;
  if (op !== 'upsert') {
    const movedTo = record.newKey === undefined ? {} : { moved_to: `id=${record.newKey}` };
    const reason = op === 'delete' ? 'deleted' : 'tombstone';
    return { id, op: 'delete', document: { source, key, ...movedTo }, reason, position };
  }
  return { id, op: 'upsert', document: { source, key, ...documentOf(record) }, position };
}

function documentOf(record: ChangeRecord): Partial<Extract<EventInput, { op: 'upsert' }>['document']> {
  const { title, body, notes, tag } = record.values!;
  const sections = Object.entries({ body, notes }).flatMap(([name, text]) => (typeof text === 'string' ? [{ name, text }] : []));
  const unchanged = Object.entries({ '/title': title, '/sections/body': body, '/sections/notes': notes, '/metadata/tag': tag })
    .filter(([, value]) => value === unavailable)
    .map(([pointer]) => pointer);
  return {
    sections,
    unchanged,
    ...(typeof title === 'symbol' ? {} : { title }),
    metadata: typeof tag === 'symbol' ? {} : { tag },
    ...(record.oldKey === undefined ? {} : { moved_from: `id=${record.oldKey}` }),
  };
}

function expectedDocument(row: Row): unknown {
  const sections = Object.fromEntries(Object.entries({ body: row.body, notes: row.notes }).filter(([, text]) => text !== null));
  return { title: row.title, sections, metadata: { tag: row.tag }, behind: false };
}

/** JSON with sorted names, so that equal documents are equal text. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
