import { type DocumentState, isSameMark, mergeMarks } from '../corpus/document.js';
import { timeOfEvent } from '../corpus/position.js';
import type { Judgement, SkipEvent } from './ingest-event.js';
import type { WorkingSet } from './working-set.js';

/** Marks a document as behind its row; of one that is unknown or deleted only the event's id is kept. */
export function skipDocument(set: WorkingSet, document: DocumentState | undefined, event: SkipEvent, arrival: Date): Judgement {
  if (!document?.live) return { outcome: 'unchanged', documentId: document?.id ?? null };
  const mark = mergeMarks(document.mark, { since: timeOfEvent(event.sentPosition, arrival), position: event.position });
  if (isSameMark(document.mark, mark)) return { outcome: 'unchanged', documentId: document.id };
  set.setDocument({ ...document, mark });
  return { outcome: 'applied', documentId: document.id };
}
