import type { LexicalStatistics, WeightedTerm } from '../storage/lexical-search-store.js';

export interface WeighedQuestion {
  readonly terms: WeightedTerm[];
  /** The rarest terms of the corpus: only chunks with one of these are scored. */
  readonly candidateLexemes: string[];
}

/**
 * Gives each term its inverse document frequency, ln(1 + (N − n + ½) / (n + ½)) as in Lucene's BM25, and chooses, from the rarest on,
 * the terms whose chunks are scored, until these terms stand in `candidateChunks` chunks. At least one term chooses; a term that stands
 * in no chunk still counts in what a chunk covers of the question.
 */
export function weighTerms(statistics: LexicalStatistics, candidateChunks: number): WeighedQuestion {
  const rarestFirst = [...statistics.terms].sort((a, b) => a.chunks - b.chunks);
  const candidateLexemes: string[] = [];
  let reached = 0;
  for (const term of rarestFirst) {
    if (term.chunks === 0) continue;
    if (candidateLexemes.length > 0 && reached + term.chunks > candidateChunks) break;
    candidateLexemes.push(term.lexeme);
    reached += term.chunks;
  }
  const terms = statistics.terms.map((term) => ({
    lexeme: term.lexeme,
    weight: inverseDocumentFrequency(statistics.chunks, Math.min(term.chunks, statistics.chunks)),
  }));
  return { terms, candidateLexemes };
}

function inverseDocumentFrequency(total: number, having: number): number {
  return Math.log(1 + (total - having + 0.5) / (having + 0.5));
}
