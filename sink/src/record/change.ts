import type { IgnoredKind } from './ignored-kind.js';
import type { Value, ValueSchema } from './sink-record.js';

/** Which document a row is: `source` and `key` (DESIGN 3.2). */
export interface RowIdentity {
  readonly source: string;
  readonly key: string;
}

/** What a record itself says of its place in the source. Integers are decimal text. */
export interface SourcePosition {
  /** Grows within one source: Postgres LSN; MySQL binlog file number × 10^12 + position. */
  readonly position: string | undefined;
  /** Milliseconds since 1970. */
  readonly timestamp: string | undefined;
  /** True where the record is a snapshot's reading of a row and not a change. */
  readonly snapshot: boolean;
}

/** A configured column of a row. A column that is not configured is never read. */
export type Column =
  | { readonly state: 'missing' }
  /** The source did not send it: unchanged and stored apart (TOAST). */
  | { readonly state: 'unavailable' }
  | { readonly state: 'present'; readonly value: Value; readonly schema: ValueSchema | undefined };

/** A record as a change of a table, whatever form it came in. */
export type Change =
  | { readonly kind: 'ignored'; readonly reason: IgnoredKind }
  | { readonly kind: 'truncate'; readonly source: string; readonly at: SourcePosition }
  | {
      readonly kind: 'delete';
      readonly identity: RowIdentity;
      readonly reason: 'deleted' | 'tombstone';
      /** The key that the row has from now on. */
      readonly movedTo: string | undefined;
      readonly at: SourcePosition;
    }
  | {
      readonly kind: 'row';
      readonly identity: RowIdentity;
      /** The key that the row had before. */
      readonly movedFrom: string | undefined;
      /** It is the second half of a key change: what it does not bring is kept, whatever the policy. */
      readonly isCreateHalf: boolean;
      readonly column: (name: string) => Column;
      readonly at: SourcePosition;
    };
