import type { MappingSettings } from '../../config/settings.js';
import { RecordError } from '../../errors/record-error.js';
import type { Change } from '../../record/change.js';
import type { Value, ValueSchema } from '../../record/sink-record.js';

type Row = Extract<Change, { kind: 'row' }>;
type Part = 'title' | 'uri' | 'acl' | 'sections' | 'metadata';
export interface PresentColumn {
  readonly value: Value;
  readonly schema: ValueSchema | undefined;
}

/** Reads the configured columns of one row, and keeps account of what it lacks and what stays unchanged. */
export class RowReader {
  readonly missing: string[] = [];
  /** JSON pointers of the parts that keep what the backend has. */
  readonly unchanged: string[] = [];
  readonly #row: Row;
  readonly #keepsUnavailable: boolean;

  constructor(row: Row, settings: MappingSettings) {
    this.#row = row;
    // The create half of a key change takes its unchanged parts from the document as it was: they are always kept.
    this.#keepsUnavailable = settings.unavailablePolicy === 'keep' || row.isCreateHalf;
  }

  /** The column, or undefined where it is missing or unavailable, which is then noted for the part that it belongs to. */
  read(name: string, part: Part, member?: string): PresentColumn | undefined {
    const column = this.#row.column(name);
    if (column.state === 'present') return column;
    this.note(name, column.state, part, member);
    return undefined;
  }

  /** True where the part is among those that stay unchanged. */
  isUnchanged(part: Part): boolean {
    return this.unchanged.includes(`/${part}`);
  }

  /** @throws RecordError (`unavailable_value`) where the column is unavailable and the policy is to refuse. */
  note(name: string, state: 'missing' | 'unavailable', part: Part, member?: string): void {
    if (state === 'missing') {
      if (!this.missing.includes(name)) this.missing.push(name);
      return;
    }
    if (!this.#keepsUnavailable) throw this.#refused(name);
    const pointer = member === undefined ? `/${part}` : `/${part}/${pointerToken(member)}`;
    if (!this.unchanged.includes(pointer)) this.unchanged.push(pointer);
  }

  badColumn(code: string, message: string): RecordError {
    return new RecordError(code, 'TASK_PUT', message, { identity: this.#row.identity });
  }

  #refused(name: string): RecordError {
    return this.badColumn(
      'unavailable_value',
      `The source did not send column "${name}" (unchanged, and stored apart: TOAST), and ossian.unavailable.policy is "refuse". Set REPLICA IDENTITY FULL on the table, have Debezium fetch such values again, or set the policy to "keep", by which the backend keeps what it has.`,
    );
  }
}

/** RFC 6901, 3: `~` is `~0` and `/` is `~1`. */
function pointerToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
