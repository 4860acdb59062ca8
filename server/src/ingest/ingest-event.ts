import type { EventError, EventResult, Position } from '@ossian/shared';
import type { DocumentParts, Part } from '../corpus/part.js';
import type { StoredPosition } from '../corpus/position.js';

interface Common {
  /** Where it stands in the request. */
  readonly index: number;
  readonly id: string;
  readonly source: string;
  readonly position: StoredPosition | null;
  /** As it was sent. */
  readonly sentPosition: Position | undefined;
  /** sha256 in hex of what the event says, its position included, its id left out. */
  readonly contentHash: string;
  readonly reason: string | null;
}
interface OfDocument extends Common {
  readonly key: string;
}
export interface UpsertEvent extends OfDocument {
  readonly op: 'upsert';
  readonly parts: DocumentParts;
  readonly unchanged: readonly Part[];
  readonly movedFrom: string | null;
  /** Without text, and without a section that is called unchanged: it acts as a delete. */
  readonly blank: boolean;
}
export interface DeleteEvent extends OfDocument {
  readonly op: 'delete';
  readonly movedTo: string | null;
}
export interface SkipEvent extends OfDocument {
  readonly op: 'skip';
}
export interface ClearEvent extends Common {
  readonly op: 'clear';
  readonly position: StoredPosition;
}
/** An event that passed validation, with its text made storable. */
export type IngestEvent = UpsertEvent | DeleteEvent | SkipEvent | ClearEvent;

/** What became of an event that was judged; the log keeps those that were applied, unchanged or stale. */
export interface Judgement {
  readonly outcome: EventResult['outcome'];
  readonly documentId: string | null;
  readonly error?: EventError;
}
