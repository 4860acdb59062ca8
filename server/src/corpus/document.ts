import type { ContentHashes } from './content-hash.js';
import type { DocumentParts } from './part.js';
import { isBefore, type StoredPosition } from './position.js';

/** Says that the row went on without the document: a skip's time, and its position where it had one. */
export interface BehindMark {
  readonly since: Date;
  readonly position: StoredPosition | null;
}

/** Parts that wait, by JSON pointer: for the link with this id, or, where null, for a complete upsert. */
export type Waiting = ReadonlyMap<string, string | null>;

/** A document as the write flow knows it; one that is not live is a tombstone. */
export interface DocumentState {
  readonly id: string;
  readonly sourceId: string;
  readonly key: string;
  readonly live: boolean;
  /** Its row is there and has no text: not live, and yet a row whose key can change. */
  readonly blank: boolean;
  /** Null where it is not live, and where no event of the batch needs what is stored. */
  readonly parts: DocumentParts | null;
  readonly hashes: ContentHashes | null;
  readonly waiting: Waiting;
  /** Since when parts are waiting. */
  readonly incompleteSince: Date | null;
  readonly mark: BehindMark | null;
  readonly position: StoredPosition | null;
}

export const noWaiting: Waiting = new Map();

/** A document whose row is gone: it keeps its id, its position, and a mark that the removal does not settle. */
export function tombstone(document: DocumentState, position: StoredPosition | null, mark: BehindMark | null): DocumentState {
  const gone = { live: false, blank: false, parts: null, hashes: null, waiting: noWaiting, incompleteSince: null };
  return { ...document, ...gone, mark, position };
}

/** What is left of a mark once the whole of a row, or its end, is known as of `position` (null: as of now). */
export function settleMark(mark: BehindMark | null, position: StoredPosition | null): BehindMark | null {
  return mark !== null && position !== null && isBefore(position, mark.position) ? mark : null;
}

/** Two marks as one: behind since the earlier, until something is known that is not before the later. */
export function mergeMarks(a: BehindMark | null, b: BehindMark | null): BehindMark | null {
  if (a === null || b === null) return a ?? b;
  const later = a.position === null || (b.position !== null && isBefore(a.position, b.position)) ? b.position : a.position;
  return { since: a.since <= b.since ? a.since : b.since, position: later };
}

export function isSameMark(a: BehindMark | null, b: BehindMark | null): boolean {
  if (a === null || b === null) return a === b;
  return a.since.getTime() === b.since.getTime() && a.position === b.position;
}

export function isSameWaiting(a: Waiting, b: Waiting): boolean {
  return a.size === b.size && [...a].every(([pointer, link]) => b.get(pointer) === link);
}
