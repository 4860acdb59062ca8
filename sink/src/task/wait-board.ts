import type { Coordinates } from '../record/consumed-record.js';

/** Something that a task waits for, as its status shows it. */
export interface WaitView {
  readonly reason: string;
  readonly coordinates?: Pick<Coordinates, 'topic' | 'partition' | 'offset'> | undefined;
  /** How many records wait with the one named. */
  readonly records?: number;
  readonly attempts?: number;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** What a task waits for now. An entry stays, over all its attempts, until what it waits for has come. */
export class WaitBoard {
  readonly #waits = new Map<string, WaitView>();
  readonly #now: () => number;
  constructor(now: () => number) {
    this.#now = now;
  }

  set(name: string, wait: Omit<WaitView, 'since'>): void {
    this.#waits.set(name, { ...wait, since: this.#waits.get(name)?.since ?? this.#now() });
  }
  clear(name: string): void {
    this.#waits.delete(name);
  }
  clearAll(): void {
    this.#waits.clear();
  }
  view(): readonly WaitView[] {
    return [...this.#waits.values()];
  }
}

/** One line: what is waited for, since when, and the record it concerns. */
export function waitLine(wait: WaitView): string {
  const { coordinates, records = 1 } = wait;
  const more = records > 1 ? ` and ${records - 1} more` : '';
  const where = coordinates ? ` at ${coordinates.topic}-${coordinates.partition} offset ${coordinates.offset}${more}` : '';
  const attempts = wait.attempts === undefined ? '' : `, attempt ${wait.attempts + 1}`;
  return `waiting since ${new Date(wait.since).toISOString()}${where}${attempts}: ${wait.reason}`;
}
