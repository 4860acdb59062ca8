import type { Embedder } from '../embedder.js';
import { readWords } from './read-words.js';
import type { Statement } from './split-statements.js';

/** A statement of one passage of one document. */
export interface Candidate extends Statement {
  /** The document's number and the passage's index in it. */
  readonly number: number;
  readonly passage: number;
  /** Its place among all candidates in reading order. */
  readonly order: number;
  /** The passage's retrieval score, 0 to 1. */
  readonly passageScore: number;
}
export interface ScoredCandidate extends Candidate {
  readonly words: ReadonlySet<string>;
  readonly score: number;
}

/** How many statements are embedded at most. */
const embeddedStatements = 64;
/** A word of the heading counts so much of one in the statement. */
const headingShare = 0.4;
const passageShare = 0.3;
/** How much similarity in meaning counts beside the words. */
const similarityShare = 0.7;

/**
 * How well each statement answers the question by its words: the weighted share of the question's words that it holds (rare ones among
 * the candidates count more), and a little of its passage's score.
 */
export function scoreByWords(question: string, candidates: readonly Candidate[]): ScoredCandidate[] {
  const read = candidates.map((candidate) => ({
    candidate,
    words: new Set(readWords(candidate.shown)),
    headingWords: new Set(readWords(candidate.heading)),
  }));
  const weights = weighWords(
    new Set(readWords(question)),
    read.map(({ words }) => words),
  );
  return read.map(({ candidate, words, headingWords }) => ({
    ...candidate,
    words,
    score: overlap(weights, words, headingWords) + passageShare * candidate.passageScore,
  }));
}

function weighWords(question: ReadonlySet<string>, statements: readonly ReadonlySet<string>[]): Map<string, number> {
  return new Map(
    [...question].map((word) => {
      const having = statements.filter((words) => words.has(word)).length;
      return [word, Math.log(1 + (statements.length + 1) / (having + 0.5))];
    }),
  );
}

function overlap(weights: ReadonlyMap<string, number>, words: ReadonlySet<string>, headingWords: ReadonlySet<string>): number {
  let total = 0;
  let matched = 0;
  for (const [word, weight] of weights) {
    total += weight;
    matched += weight * (words.has(word) ? 1 : headingWords.has(word) ? headingShare : 0);
  }
  return total === 0 ? 0 : matched / total;
}

/**
 * The best of the statements with their similarity in meaning to the question counted in. Only the best by words
 * and passage are embedded and returned, since a question must not wait for hundreds.
 */
export async function addSimilarity(
  question: string,
  scored: readonly ScoredCandidate[],
  embedder: Embedder,
  signal: AbortSignal,
): Promise<ScoredCandidate[]> {
  const bestFirst = [...scored].sort((a, b) => b.score - a.score);
  const embedded = bestFirst.slice(0, embeddedStatements);
  const texts = [question, ...embedded.map(({ heading, shown }) => (heading === '' ? shown : `${heading}: ${shown}`))];
  const vectors: Float32Array[] = [];
  for (let start = 0; start < texts.length; start += embedder.batchSize) {
    vectors.push(...(await embedder.embed(texts.slice(start, start + embedder.batchSize), signal)));
  }
  const [asked, ...stated] = vectors;
  return embedded.map((candidate, index) => ({
    ...candidate,
    score: (1 - similarityShare) * candidate.score + similarityShare * Math.max(0, dotProduct(asked, stated[index])),
  }));
}

function dotProduct(a: Float32Array | undefined, b: Float32Array | undefined): number {
  return a === undefined || b === undefined ? 0 : a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}
