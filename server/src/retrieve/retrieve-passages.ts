import type { Leg, Logger } from '@ossian/shared';
import type { Passage } from '../corpus/passage.js';
import type { ReadScope } from '../corpus/scope.js';
import type { Embedder } from '../models/embedder.js';
import type { Database, Transaction } from '../storage/database.js';
import type { LexicalHit } from '../storage/lexical-search-store.js';
import { readPassages } from '../storage/passage-store.js';
import { readSnapshot } from '../storage/read-snapshot.js';
import type { VectorHit } from '../storage/vector-search-store.js';
import { type FusedHit, fuseLegs } from './fuse-legs.js';
import { searchLexicalLeg } from './lexical-leg.js';
import { embedQuestion, type QuestionVector, requireVector } from './question-vector.js';
import type { RetrievalSettings } from './retrieval-settings.js';
import { searchVectorLeg, type VectorLegResult } from './vector-leg.js';

export interface RetrievalDependencies {
  readonly database: Database;
  /** Undefined where the model could not be loaded: then the lexical leg answers alone and says so. */
  readonly embedder: Embedder | undefined;
  readonly settings: RetrievalSettings;
  readonly logger: Logger;
}
export interface RetrievalQuery {
  readonly text: string;
  readonly leg: Leg;
  readonly limit: number;
}
export interface Retrieval {
  /** Best first. */
  readonly passages: Passage[];
  readonly notices: string[];
}

/** Embeds what the leg needs; to be called before a transaction is open. */
export function prepareQuestion(
  dependencies: RetrievalDependencies,
  query: RetrievalQuery,
  signal?: AbortSignal,
): Promise<QuestionVector> {
  if (query.leg === 'lexical') return Promise.resolve({ kind: 'unwanted' });
  return embedQuestion(dependencies.embedder, query.text, dependencies.logger, signal);
}

/** The passages of the scope that match the query best, all of one moment. */
export async function retrievePassages(
  dependencies: RetrievalDependencies,
  scope: ReadScope,
  query: RetrievalQuery,
): Promise<Retrieval> {
  const question = await prepareQuestion(dependencies, query);
  return readSnapshot(dependencies.database, (transaction) =>
    findPassages(transaction, scope, query, question, dependencies.settings),
  );
}

/** As `retrievePassages`, within the caller's snapshot. */
export async function findPassages(
  transaction: Transaction,
  scope: ReadScope,
  query: RetrievalQuery,
  question: QuestionVector,
  settings: RetrievalSettings,
): Promise<Retrieval> {
  const depth = Math.max(settings.legDepth, query.limit);
  const vector = await searchVectorLeg(transaction, scope, question, depth, settings);
  if (query.leg === 'vector' && vector.leftOut !== undefined) requireVector(vector.leftOut);
  const lexical = query.leg === 'vector' ? [] : await searchLexicalLeg(transaction, scope, query.text, depth, settings);
  const best = rank(query.leg, lexical, vector.hits, settings).slice(0, query.limit);
  return {
    passages: await describe(transaction, scope, best, lexical, vector),
    notices: vector.leftOut === undefined ? [] : [vector.leftOut],
  };
}

/** One leg alone is shown with its own absolute measure; the fused score is relative to the best hits of both. */
function rank(leg: Leg, lexical: LexicalHit[], vector: VectorHit[], settings: RetrievalSettings): FusedHit[] {
  const similar = vector.map((hit) => ({ chunkId: hit.chunkId, score: hit.similarity }));
  switch (leg) {
    case 'fused':
      return fuseLegs(lexical, similar, weighLegs(lexical, vector, settings.lexicalWeight), settings.legDepth);
    case 'lexical': {
      const best = Math.max(0, ...lexical.map((hit) => hit.score));
      return lexical.map((hit) => ({ chunkId: hit.chunkId, score: best === 0 ? 0 : hit.score / best }));
    }
    case 'vector':
      return similar.map((hit) => ({ chunkId: hit.chunkId, score: Math.min(1, Math.max(0, hit.score)) }));
  }
}

/**
 * The lexical leg counts as far as its best hit covers the question: its minimum and maximum alone would give full weight to the best of
 * hits that share but a common word with the question. Where nothing is embedded it counts alone.
 */
function weighLegs(lexical: LexicalHit[], vector: VectorHit[], lexicalWeight: number): { lexical: number; vector: number } {
  const coverage = Math.max(0, ...lexical.map((hit) => hit.coverage));
  if (vector.length === 0) return { lexical: coverage, vector: 0 };
  return { lexical: lexicalWeight * coverage, vector: 1 - lexicalWeight };
}

async function describe(
  transaction: Transaction,
  scope: ReadScope,
  hits: FusedHit[],
  lexical: LexicalHit[],
  vector: VectorLegResult,
): Promise<Passage[]> {
  const ranks = new Map(hits.map((hit, rank) => [hit.chunkId, { rank, score: hit.score }]));
  const lexicalHits = new Map(lexical.map((hit) => [hit.chunkId, hit]));
  const passages = await readPassages(transaction, scope, [...ranks.keys()], vector.compared);
  return passages
    .map(({ similarity, ...passage }) => ({
      ...passage,
      score: ranks.get(passage.chunkId)?.score ?? 0,
      lexicalScore: lexicalHits.get(passage.chunkId)?.score ?? null,
      lexicalCoverage: lexicalHits.get(passage.chunkId)?.coverage ?? null,
      vectorScore: similarity,
    }))
    .sort((a, b) => (ranks.get(a.chunkId)?.rank ?? 0) - (ranks.get(b.chunkId)?.rank ?? 0));
}
