import type { ReadScope } from '../corpus/scope.js';
import type { Transaction } from '../storage/database.js';
import { type LexicalHit, readLexicalStatistics, searchLexically } from '../storage/lexical-search-store.js';
import type { RetrievalSettings } from './retrieval-settings.js';
import { weighTerms } from './weigh-terms.js';

/** BM25 over the corpus, its terms joined by OR; nothing where the corpus holds none of them. */
export async function searchLexicalLeg(
  transaction: Transaction,
  scope: ReadScope,
  text: string,
  limit: number,
  settings: RetrievalSettings,
): Promise<LexicalHit[]> {
  const statistics = await readLexicalStatistics(transaction, scope.corpus, text, settings.maximumTerms);
  const weighed = weighTerms(statistics, settings.candidateChunks);
  const { meanLength } = statistics;
  const { k1, b } = settings;
  return searchLexically(transaction, scope, { ...weighed, meanLength, k1, b, limit });
}
