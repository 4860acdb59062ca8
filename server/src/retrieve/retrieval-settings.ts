/** How retrieval weighs and cuts. The defaults were chosen by measurement (docs/decisions). */
export interface RetrievalSettings {
  /** BM25: how soon a term's repetition stops counting, and how much a chunk's length counts. */
  readonly k1: number;
  readonly b: number;
  /** Weight of the lexical leg in the fused score where its best hit covers the whole question, 0 to 1; the vector leg has the rest. */
  readonly lexicalWeight: number;
  /** How many chunks each leg gives to the fusion. */
  readonly legDepth: number;
  /** A question's first so many different terms are read. */
  readonly maximumTerms: number;
  /** The rarest terms choose the chunks that are scored, until they stand in so many. */
  readonly candidateChunks: number;
  /** Up to so many chunks in scope the vectors are compared one by one. */
  readonly exactVectorChunks: number;
  /** A passage is evidence for an answer where its cosine similarity plus half its coverage of the question reaches this … */
  readonly floorEvidence: number;
  /** … or, while it has no vector, its coverage this. */
  readonly floorCoverage: number;
  /** Tokens of passages that are put before an answerer. */
  readonly tokenBudget: number;
}

export const defaultRetrievalSettings: RetrievalSettings = {
  k1: 1.2,
  b: 0.75,
  lexicalWeight: 0.5,
  legDepth: 100,
  maximumTerms: 100,
  candidateChunks: 5_000,
  exactVectorChunks: 10_000,
  floorEvidence: 0.3,
  floorCoverage: 0.4,
  tokenBudget: 6_000,
};
