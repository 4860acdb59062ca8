/** A TOASTed value that the change does not carry. */
export const unavailable = Symbol('unavailable');

export interface Row {
  title: string | null;
  body: string | null;
  notes: string | null;
  tag: string;
}
export const columns = ['title', 'body', 'notes', 'tag'] as const;
type Column = (typeof columns)[number];

/** One record of the topic, as a connector wrote it. */
export interface ChangeRecord {
  readonly partition: number;
  readonly offset: number;
  /** Grows with every re-creation of the topic. */
  readonly timestamp: number;
  readonly sourceTimestamp: number;
  readonly lsn: number | null;
  readonly snapshot: boolean;
  readonly op: 'upsert' | 'delete' | 'tombstone' | 'truncate';
  readonly key: number;
  readonly values?: Readonly<Record<Column, string | null | typeof unavailable>>;
  readonly newKey?: number;
  readonly oldKey?: number;
}

export type Feature =
  'key' | 'truncate' | 'blank' | 'snapshot' | 'incremental' | 'open-transaction' | 'lagging-snapshot' | 're-created' | 're-sent';

export interface SourceOptions {
  readonly partitions: number;
  readonly features: readonly Feature[];
  /** False: no record carries a source position. */
  readonly lsn: boolean;
  /** A delete is a bare tombstone, which carries no source position. */
  readonly flat: boolean;
}
