import { type ChangeRecord, columns, type Feature, type Row, type SourceOptions, unavailable } from './change-record.js';
import type { Random } from './random.js';

type Draft = Omit<ChangeRecord, 'partition' | 'offset' | 'timestamp' | 'sourceTimestamp' | 'lsn' | 'snapshot'> & {
  lsn: number | null;
  snapshot?: boolean;
  partition?: number;
  sourceTimestamp?: number;
};

/**
 * A source table of five keys that is changed at random, and the records that its connector writes: the model of DESIGN section 4
 * (positions.py), with blanked rows, snapshots of every kind, transactions that are open while rows are read, re-created topics and
 * connectors that send again what they sent before. The rows are the truth that a corpus is compared with.
 */
export class SourceTable {
  readonly rows = new Map<number, Row>();
  partitions: ChangeRecord[][];
  readonly trace: string[] = [];
  readonly #random: Random;
  readonly #options: SourceOptions;
  #lsn = 0;
  #time = 1;
  #serial = 0;
  /** Since the last re-creation, in the order in which they were written. */
  #written: ChangeRecord[] = [];
  /** A change that is not committed: its row is locked. */
  #open: { readonly keys: readonly number[]; readonly commit: () => void } | undefined;
  /** Changes that the connector has not read yet. */
  #unread: (() => void)[] | undefined;

  constructor(random: Random, options: SourceOptions) {
    this.#random = random;
    this.#options = options;
    this.partitions = Array.from({ length: options.partitions }, () => []);
  }

  /** What the corpus has to hold: a row without text is no document. */
  documents(): Map<number, Row> {
    return new Map([...this.rows].filter(([, row]) => row.body !== null || row.notes !== null));
  }

  /** Ends what is under way, so that all that happened is in the topic. */
  finish(): void {
    this.#open?.commit();
    this.#open = undefined;
    this.#readOn();
  }

  /** @returns true where the topic was re-created: the old records are gone. */
  step(): boolean {
    this.#lsn++;
    this.#serial++;
    this.#time += this.#random.pick([0, 0, 1]);
    const op = this.#random.pick(this.#choices());
    this.trace.push(op);
    switch (op) {
      case 'insert':
        this.#insert();
        break;
      case 'update':
      case 'blank':
        this.#update(op === 'blank');
        break;
      case 'delete':
        this.#delete();
        break;
      case 'key':
        this.#changeKey(false);
        break;
      case 'truncate':
        this.rows.clear();
        this.#emit({ op: 'truncate', key: -1, lsn: this.#lsn, partition: this.#random.between(0, this.#options.partitions - 1) });
        break;
      case 'open':
        if (this.#options.features.includes('key') && this.#free().length > 0 && this.#random.chance(0.4)) this.#changeKey(true);
        else this.#openUpdate();
        break;
      case 'commit':
        this.#open?.commit();
        this.#open = undefined;
        break;
      case 'snapshot':
        this.#snapshot(this.#lsn);
        break;
      case 'incremental':
        this.#snapshot(null);
        break;
      case 'fall-behind':
        this.#unread ??= [];
        break;
      case 're-send':
        this.#resend();
        break;
      case 're-create':
        this.#recreate();
        return true;
    }
    return false;
  }

  #choices(): string[] {
    const has = (feature: Feature): boolean => this.#options.features.includes(feature);
    const keys = this.#unlocked();
    const free = this.#free();
    const calm = this.#open === undefined && this.#unread === undefined;
    return [
      ...(free.length > 0 ? ['insert', 'insert'] : []),
      ...(keys.length > 0 ? ['update', 'update', 'delete'] : []),
      ...(keys.length > 0 && has('blank') ? ['blank'] : []),
      ...(keys.length > 0 && free.length > 0 && has('key') ? ['key', 'key'] : []),
      ...(this.rows.size > 0 && this.#open === undefined && has('truncate') && this.#random.chance(0.3) ? ['truncate'] : []),
      ...(has('open-transaction') ? (this.#open === undefined ? (keys.length > 0 ? ['open'] : []) : ['commit']) : []),
      ...(has('snapshot') ? ['snapshot'] : []),
      ...(has('incremental') && this.#unread === undefined ? ['incremental'] : []),
      ...(has('lagging-snapshot') && this.#unread === undefined ? ['fall-behind'] : []),
      ...(has('re-sent') && calm && this.#written.length > 0 && this.#random.chance(0.5) ? ['re-send'] : []),
      ...(has('re-created') && calm && this.#random.chance(0.3) ? ['re-create'] : []),
    ];
  }

  #unlocked(): number[] {
    return [...this.rows.keys()].filter((key) => !this.#open?.keys.includes(key));
  }
  #free(): number[] {
    return [0, 1, 2, 3, 4].filter((key) => !this.rows.has(key) && !this.#open?.keys.includes(key));
  }

  #insert(): void {
    const key = this.#random.pick(this.#free());
    const n = this.#serial;
    const row: Row = { title: `t${n}`, body: `b${n}`, notes: this.#random.chance(0.5) ? `n${n}` : null, tag: `g${n}` };
    this.rows.set(key, row);
    this.#emit({ op: 'upsert', key, values: { ...row }, lsn: this.#lsn });
  }

  /** A new version of a row, and what a change record says of it: an unchanged value may be missing from it. */
  #change(row: Row, blank: boolean): { row: Row; values: NonNullable<ChangeRecord['values']> } {
    const n = this.#serial;
    const wasBlank = row.body === null && row.notes === null;
    const changed = blank ? ['body', 'notes'] : columns.filter(() => this.#random.chance(0.4));
    const next: Row = { ...row };
    if (blank) Object.assign(next, { body: null, notes: null });
    else {
      if (changed.includes('title')) next.title = `t${n}`;
      if (changed.includes('body')) next.body = `b${n}`;
      if (changed.includes('notes'))
        next.notes = row.notes !== null && row.body !== null && this.#random.chance(0.3) ? null : `n${n}`;
      if (changed.includes('tag')) next.tag = `g${n}`;
    }
    const values = Object.fromEntries(
      columns.map((column) => {
        const hidden = !wasBlank && !changed.includes(column) && row[column] !== null && this.#random.chance(0.7);
        return [column, hidden ? unavailable : next[column]];
      }),
    ) as NonNullable<ChangeRecord['values']>;
    return { row: next, values };
  }

  #update(blank: boolean): void {
    const key = this.#random.pick(this.#unlocked());
    const { row, values } = this.#change(this.rows.get(key)!, blank);
    this.rows.set(key, row);
    this.#emit({ op: 'upsert', key, values, lsn: this.#lsn });
  }

  #delete(): void {
    const key = this.#random.pick(this.#unlocked());
    this.rows.delete(key);
    this.#emit({ op: 'delete', key, lsn: this.#lsn });
    this.#emit({ op: 'tombstone', key, lsn: null });
  }

  #openUpdate(): void {
    const key = this.#random.pick(this.#unlocked());
    const { row, values } = this.#change(this.rows.get(key)!, false);
    const lsn = this.#lsn;
    this.#open = {
      keys: [key],
      commit: () => {
        this.rows.set(key, row);
        this.#emit({ op: 'upsert', key, values, lsn });
      },
    };
  }

  #changeKey(open: boolean): void {
    const key = this.#random.pick(this.#unlocked());
    const newKey = this.#random.pick(this.#free());
    const { row, values } = this.#change(this.rows.get(key)!, false);
    const lsn = this.#lsn;
    const commit = (): void => {
      this.rows.delete(key);
      this.rows.set(newKey, row);
      this.#emit({ op: 'delete', key, lsn, newKey });
      this.#emit({ op: 'tombstone', key, lsn: null, newKey });
      this.#emit({ op: 'upsert', key: newKey, values, lsn, oldKey: key });
    };
    if (open) this.#open = { keys: [key, newKey], commit };
    else commit();
  }

  /** Reads rows as they are committed; where the connector was behind, it then reads on from where it was. */
  #snapshot(lsn: number | null): void {
    const unread = this.#unread;
    this.#unread = undefined;
    for (const [key, row] of this.rows) {
      if (lsn !== null || this.#random.chance(0.7)) this.#emit({ op: 'upsert', key, values: { ...row }, lsn, snapshot: true });
    }
    this.#unread = unread;
    if (lsn !== null) this.#readOn();
  }

  #readOn(): void {
    const unread = this.#unread ?? [];
    this.#unread = undefined;
    for (const write of unread) write();
  }

  /** The connector was killed before it kept how far it had come. */
  #resend(): void {
    const from = this.#random.between(0, this.#written.length - 1);
    for (const record of this.#written.slice(from)) {
      if (record.snapshot) continue;
      this.#emit({ ...record, snapshot: false });
    }
  }

  /** The topic is deleted and made again, and all rows are read anew; sometimes the source's positions begin anew too. */
  #recreate(): void {
    this.#time += 1;
    // A truncate among the first records of a source made anew may come before the documents of the old one are read again.
    const { partitions, features } = this.#options;
    if ((partitions === 1 || !features.includes('truncate')) && this.#random.chance(0.3)) this.#lsn = 0;
    this.partitions = this.partitions.map(() => []);
    this.#written = [];
    this.#snapshot(this.#lsn);
  }

  #emit(draft: Draft): void {
    // Flattened, in its default delete mode: a delete is a bare tombstone.
    if (this.#options.flat && draft.op === 'delete') return;
    // A tombstone that is sent again tells nothing of its age: a connector that does so is tried with tombstones.on.delete=false.
    if (this.#options.features.includes('re-sent') && draft.op === 'tombstone') return;
    const sourceTimestamp = draft.sourceTimestamp ?? this.#time;
    const write = (): void => {
      const partition = draft.partition ?? draft.key % this.#options.partitions;
      const records = this.partitions[partition]!;
      const record: ChangeRecord = {
        ...draft,
        partition,
        offset: records.length,
        timestamp: this.#time,
        sourceTimestamp,
        lsn: this.#options.lsn ? draft.lsn : null,
        snapshot: draft.snapshot ?? false,
      };
      records.push(record);
      this.#written.push(record);
    };
    if (this.#unread === undefined) write();
    else this.#unread.push(write);
  }
}
