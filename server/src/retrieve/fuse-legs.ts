/** A chunk as one leg found it; a higher score is better. */
export interface LegHit {
  readonly chunkId: string;
  readonly score: number;
}
export interface FusedHit {
  readonly chunkId: string;
  /** 0 to 1. */
  readonly score: number;
}

/**
 * Joins the two legs: the scores of each leg's first `depth` hits are brought to 0…1 by their minimum and maximum (a single score, or
 * equal ones, to 1) and weighted; a leg that did not find a chunk gives it 0. What a leg found beyond `depth` follows behind. Best
 * first, ties by chunk id, so that the order is always the same.
 *
 * @param weights their sum is at most 1.
 */
export function fuseLegs(
  lexical: readonly LegHit[],
  vector: readonly LegHit[],
  weights: { readonly lexical: number; readonly vector: number },
  depth: number,
): FusedHit[] {
  const scores = new Map<string, number>();
  for (const [hits, weight] of [[lexical, weights.lexical] as const, [vector, weights.vector] as const]) {
    for (const hit of normalise(hits, depth)) scores.set(hit.chunkId, (scores.get(hit.chunkId) ?? 0) + weight * hit.score);
  }
  return [...scores]
    .sort(([a, aScore], [b, bScore]) => bScore - aScore || compareIds(a, b))
    .map(([chunkId, score]) => ({ chunkId, score: Math.min(1, Math.max(0, score)) }));
}

function normalise(hits: readonly LegHit[], depth: number): LegHit[] {
  const scores = hits.slice(0, depth).map((hit) => hit.score);
  const minimum = Math.min(...scores);
  const range = Math.max(...scores) - minimum;
  return hits.map((hit) => ({
    chunkId: hit.chunkId,
    score: range > 0 ? (hit.score - minimum) / range : 1 - (minimum - hit.score),
  }));
}

/** Chunk ids are integers as decimal text. */
function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}
