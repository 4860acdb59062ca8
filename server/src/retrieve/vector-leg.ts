import type { ReadScope } from '../corpus/scope.js';
import type { Transaction } from '../storage/database.js';
import { type ActiveModel, readActiveModel, searchByVector, type VectorHit } from '../storage/vector-search-store.js';
import type { QuestionVector } from './question-vector.js';
import type { RetrievalSettings } from './retrieval-settings.js';

export interface VectorLegResult {
  readonly hits: VectorHit[];
  /** The question's vector and its model, where they may be compared with the corpus's. */
  readonly compared?: { readonly model: ActiveModel; readonly vector: Float32Array };
  /** Why the leg was left out, where it was. */
  readonly leftOut?: string;
}

/**
 * The chunks nearest to the question. The vectors of the active model are compared with the question only where the same model made
 * it; otherwise the leg is left out and says so.
 */
export async function searchVectorLeg(
  transaction: Transaction,
  scope: ReadScope,
  question: QuestionVector,
  limit: number,
  settings: RetrievalSettings,
): Promise<VectorLegResult> {
  if (question.kind === 'unwanted') return { hits: [] };
  if (question.kind === 'missing') return { hits: [], leftOut: question.notice };
  const model = await readActiveModel(transaction);
  // Nothing was embedded yet: there is nothing to find, and nothing is left out.
  if (model === undefined) return { hits: [] };
  if (model.name !== question.embedderId || model.dimension !== question.vector.length) {
    return {
      hits: [],
      leftOut: `the corpus is embedded with ${model.name}, which is not the loaded model (${question.embedderId}): the vector leg was left out`,
    };
  }
  const compared = { model, vector: question.vector };
  const exactUpTo = settings.exactVectorChunks;
  return { hits: await searchByVector(transaction, scope, { ...compared, limit, exactUpTo }), compared };
}
