/** A chunk that was retrieved for a question. */
export interface Passage {
  readonly chunkId: string;
  readonly documentId: string;
  readonly source: string;
  readonly key: string;
  readonly title: string | null;
  readonly uri: string | null;
  /** Equal ones count as one voice; null where it is not known. */
  readonly contentHash: string | null;
  readonly section: string;
  readonly ordinal: number;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Score of the leg that was asked for, 0 to 1. */
  readonly score: number;
  /** BM25, 0 and up; null where the lexical leg did not find the chunk. */
  readonly lexicalScore: number | null;
  /** Share of the question's term weight that stands in the chunk, 0 to 1. */
  readonly lexicalCoverage: number | null;
  /** Cosine similarity, -1 to 1; null where the chunk, or the question, has no vector. */
  readonly vectorScore: number | null;
  /** ISO time, or null where the document is not known to be behind its row. */
  readonly behindSince: string | null;
}
