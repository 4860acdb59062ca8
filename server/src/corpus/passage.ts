/** A chunk that was retrieved for a question. */
export interface Passage {
  readonly chunkId: string;
  readonly documentId: string;
  readonly source: string;
  readonly key: string;
  readonly title: string | null;
  readonly uri: string | null;
  readonly contentHash: string | null;
  readonly section: string;
  readonly ordinal: number;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Fused, normalised score, 0 to 1; each leg's own score beside it where that leg found the chunk. */
  readonly score: number;
  readonly lexicalScore: number | null;
  readonly vectorScore: number | null;
  /** ISO time, or null where the document is not known to be behind its row. */
  readonly behindSince: string | null;
}
