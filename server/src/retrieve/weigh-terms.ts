import type { LexicalQuery, LexicalStatistics } from '../storage/lexical-search-store.js';

export type WeighedQuestion = Pick<LexicalQuery, 'terms' | 'candidateTerms' | 'questionWeight'>;

/**
 * Gives each term its inverse document frequency, ln(1 + (N − n + ½) / (n + ½)) as in Lucene's BM25, and chooses, from the rarest on,
 * the terms whose chunks are scored, until these terms stand in `candidateChunks` chunks. At least one term chooses; a term that stands
 * in no chunk still counts in the weight of the question, so that a chunk covers less of it.
 */
export function weighTerms(statistics: LexicalStatistics, candidateChunks: number): WeighedQuestion {
  const weighed = statistics.terms.map(({ term, chunks }) => ({
    term,
    chunks,
    weight: inverseDocumentFrequency(statistics.chunks, Math.min(chunks, statistics.chunks)),
  }));
  const held = weighed.filter(({ chunks }) => chunks > 0).sort((a, b) => a.chunks - b.chunks);
  const candidateTerms: string[] = [];
  let reached = 0;
  for (const { term, chunks } of held) {
    reached += chunks;
    if (candidateTerms.length > 0 && reached > candidateChunks) break;
    candidateTerms.push(term);
  }
  return {
    terms: held.map(({ term, weight }) => ({ term, weight })),
    candidateTerms,
    questionWeight: weighed.reduce((sum, { weight }) => sum + weight, 0),
  };
}

function inverseDocumentFrequency(total: number, having: number): number {
  return Math.log(1 + (total - having + 0.5) / (having + 0.5));
}
