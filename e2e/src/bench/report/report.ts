import type { Cell } from './format-table.js';

/** What a benchmark has measured, for people to read. */
export interface Report {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** What has to be known to read the table: what is left out, and what the figures are figures of. */
  readonly notes: readonly string[];
}
