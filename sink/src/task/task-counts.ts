import type { Outcome } from '@ossian/shared';
import type { IgnoredKind } from '../record/ignored-kind.js';

/** How a record ended; each ends in exactly one way. */
export type RecordEnd =
  | { readonly kind: 'delivered'; readonly outcome: Exclude<Outcome, 'rejected'> }
  | { readonly kind: 'ignored'; readonly reason: IgnoredKind }
  /** Bad: to the dead letter queue, or left out and logged; `code` says why. */
  | { readonly kind: 'dead-lettered' | 'skipped'; readonly code: string };

/** A task's sums. After a run, delivered + ignored + dead_lettered + skipped = consumed. */
export interface TaskCountsView {
  readonly consumed: number;
  readonly delivered: number;
  readonly ignored: number;
  readonly dead_lettered: number;
  readonly skipped: number;
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
  readonly ignored_kinds: Readonly<Partial<Record<IgnoredKind, number>>>;
  /** Why records were dead-lettered or skipped. */
  readonly refusals: Readonly<Record<string, number>>;
  /** Configured columns that rows lacked while others had text. */
  readonly missing_columns: Readonly<Record<string, number>>;
  readonly requests: number;
  readonly retries: number;
}

export class TaskCounts {
  #consumed = 0;
  #deadLettered = 0;
  #skipped = 0;
  #requests = 0;
  #retries = 0;
  readonly #outcomes: Partial<Record<Outcome, number>> = {};
  readonly #ignored: Partial<Record<IgnoredKind, number>> = {};
  readonly #refusals: Record<string, number> = {};
  readonly #missing: Record<string, number> = {};

  received(records: number): void {
    this.#consumed += records;
  }
  /** Records that were received and given back: after a stop or a rebalance they are received again, by whom ever. */
  givenBack(records: number): void {
    this.#consumed -= records;
  }
  request(): void {
    this.#requests += 1;
  }
  retry(): void {
    this.#retries += 1;
  }
  missingColumns(columns: readonly string[]): void {
    for (const column of columns) this.#missing[column] = (this.#missing[column] ?? 0) + 1;
  }
  ended(end: RecordEnd): void {
    if (end.kind === 'delivered') this.#outcomes[end.outcome] = (this.#outcomes[end.outcome] ?? 0) + 1;
    else if (end.kind === 'ignored') this.#ignored[end.reason] = (this.#ignored[end.reason] ?? 0) + 1;
    else this.#refused(end);
  }

  #refused({ kind, code }: Extract<RecordEnd, { code: string }>): void {
    if (kind === 'skipped') this.#skipped += 1;
    else this.#deadLettered += 1;
    this.#refusals[code] = (this.#refusals[code] ?? 0) + 1;
  }

  view(): TaskCountsView {
    return {
      consumed: this.#consumed,
      delivered: sum(this.#outcomes),
      ignored: sum(this.#ignored),
      dead_lettered: this.#deadLettered,
      skipped: this.#skipped,
      outcomes: { ...this.#outcomes },
      ignored_kinds: { ...this.#ignored },
      refusals: { ...this.#refusals },
      missing_columns: { ...this.#missing },
      requests: this.#requests,
      retries: this.#retries,
    };
  }
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
