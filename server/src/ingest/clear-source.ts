import { settleMark, tombstone } from '../corpus/document.js';
import { advancePosition, isBefore } from '../corpus/position.js';
import type { ClearEvent, Judgement } from './ingest-event.js';
import type { WorkingSet } from './working-set.js';

/** Remembers a truncate and removes what stands before it: here the documents in memory, and the others when the set is written. */
export function clearSource(set: WorkingSet, sourceId: string, event: ClearEvent): Judgement {
  const clear = event.position;
  // A clear that is covered has nothing left to remove: whatever stands before it was removed, or was stale when it came.
  if (!set.addClear(sourceId, clear)) return { outcome: 'unchanged', documentId: null };
  for (const document of set.documentsOf(sourceId)) {
    const { position } = document;
    if (!(document.live || document.blank) || position?.topic !== clear.topic || !isBefore(position, clear)) continue;
    set.setDocument(tombstone(document, advancePosition(clear, position), settleMark(document.mark, clear)));
  }
  return { outcome: 'applied', documentId: null };
}
