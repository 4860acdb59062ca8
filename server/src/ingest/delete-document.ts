import { type DocumentState, settleMark, tombstone } from '../corpus/document.js';
import { noParts } from '../corpus/part.js';
import { advancePosition } from '../corpus/position.js';
import type { DeleteEvent, Judgement, UpsertEvent } from './ingest-event.js';
import { meetLink, settleLink } from './meet-link.js';
import { loadedParts, type WorkingSet } from './working-set.js';

/** Removes a document and leaves its tombstone; the delete half of a key change puts into the link what it last held. */
export function deleteDocument(set: WorkingSet, document: DocumentState, event: DeleteEvent, arrival: Date): Judgement {
  const { movedTo } = event;
  if (movedTo === null || !(document.live || document.blank)) return removeDocument(set, document, event);
  const change = { oldKey: document.key, newKey: movedTo, sourcePosition: event.position?.sourcePosition ?? null };
  const link = {
    ...meetLink(set, document.sourceId, change, 'delete', arrival),
    parts: document.live ? loadedParts(document) : noParts,
    waiting: document.waiting,
    mark: document.mark,
  };
  set.setLink(link);
  const judgement = removeDocument(set, document, event);
  settleLink(set, link);
  if (document.live) set.moves.push({ from: document.id, to: set.document(document.sourceId, movedTo).id });
  return judgement;
}

/** Also what an upsert without text does. A delete of what is not there is `unchanged`. */
export function removeDocument(set: WorkingSet, document: DocumentState, event: DeleteEvent | UpsertEvent): Judgement {
  const position = advancePosition(event.position, document.position);
  const gone = tombstone(document, position, settleMark(document.mark, event.position));
  set.setDocument({ ...gone, blank: event.op === 'upsert' });
  return { outcome: document.live ? 'applied' : 'unchanged', documentId: document.id };
}
