import type { Section } from '@ossian/shared';

/** What a document holds when it is cut into chunks. */
export interface DocumentContent {
  readonly title: string | null;
  readonly sections: readonly Section[];
}

/** A stretch of a document that is indexed; `text` is exactly the section's characters from `start` to `end` (UTF-16 code units). */
export interface Chunk {
  readonly section: string;
  readonly headingPath: readonly string[];
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The exact string that is embedded and indexed lexically beside `text`: title and heading path, then the text. */
  readonly embeddedText: string;
}

/** Cuts a document into chunks: pure, and the same for the same content. */
export type ChunkDocument = (content: DocumentContent) => Chunk[];
