import type { Passage } from '../corpus/passage.js';
import type { RetrievalSettings } from './retrieval-settings.js';

/**
 * Whether a passage is evidence at all: near enough in meaning, with enough of what is rare in the question, or some of both. Fused
 * scores cannot tell (they are relative to the best hit), so the floor looks at each leg's own measure.
 */
export function isRelevant(
  { vectorScore, lexicalCoverage }: Pick<Passage, 'vectorScore' | 'lexicalCoverage'>,
  settings: Pick<RetrievalSettings, 'floorEvidence' | 'floorCoverage'>,
): boolean {
  const coverage = lexicalCoverage ?? 0;
  return vectorScore === null ? coverage >= settings.floorCoverage : vectorScore + coverage / 2 >= settings.floorEvidence;
}
