import type { Passage } from '../corpus/passage.js';
import type { RetrievalSettings } from './retrieval-settings.js';

/**
 * Whether a passage is evidence at all: near enough in meaning, or with enough of what is rare in the question. Fused scores cannot tell
 * (they are relative to the best hit), so the floor looks at each leg's own measure.
 */
export function isRelevant(
  passage: Pick<Passage, 'vectorScore' | 'lexicalCoverage'>,
  settings: Pick<RetrievalSettings, 'floorSimilarity' | 'floorCoverage'>,
): boolean {
  return (
    (passage.vectorScore !== null && passage.vectorScore >= settings.floorSimilarity) ||
    (passage.lexicalCoverage !== null && passage.lexicalCoverage >= settings.floorCoverage)
  );
}
