import { isBefore } from '../corpus/position.js';
import type { DocumentState } from '../corpus/document.js';
import { clearSource } from './clear-source.js';
import { deleteDocument } from './delete-document.js';
import type { IngestEvent, Judgement } from './ingest-event.js';
import { skipDocument } from './skip-document.js';
import { upsertDocument } from './upsert-document.js';
import type { WorkingSet } from './working-set.js';

/** Folds one event into the working set: pure, but for the set. `arrival` is when the batch came. */
export function judgeEvent(set: WorkingSet, event: IngestEvent, arrival: Date): Judgement {
  const duplicate = judgeId(set, event);
  if (duplicate !== undefined) return duplicate;
  const judgement = judgePosition(set, event, arrival);
  const { outcome, documentId } = judgement;
  // The id of a rejected event is not kept, and a stale one changes nothing of what is known of its id.
  if (outcome !== 'rejected' && (outcome !== 'stale' || set.known(event.id) === undefined)) {
    set.setKnown(event.id, { contentHash: event.contentHash, documentId });
  }
  return judgement;
}

/** A known id with the same content is a duplicate; with other content its position decides, and without one the id alone does. */
function judgeId(set: WorkingSet, event: IngestEvent): Judgement | undefined {
  const known = set.known(event.id);
  if (known === undefined) return undefined;
  if (known.contentHash === event.contentHash) return { outcome: 'duplicate', documentId: known.documentId };
  if (event.position !== null) return undefined;
  return {
    outcome: 'duplicate',
    documentId: known.documentId,
    error: {
      code: 'id_known_with_other_content',
      message: 'an event without position goes by its id alone, and this id came before with other content: give it its own id',
      field: 'id',
    },
  };
}

function judgePosition(set: WorkingSet, event: IngestEvent, arrival: Date): Judgement {
  const sourceId = set.sourceId(event.source);
  if (event.op === 'clear') return clearSource(set, sourceId, event);
  const document = set.findDocument(sourceId, event.key);
  if (isStale(set, sourceId, event, document)) return { outcome: 'stale', documentId: document?.id ?? null };
  switch (event.op) {
    case 'upsert':
      return upsertDocument(set, set.document(sourceId, event.key), event, arrival);
    case 'delete':
      return deleteDocument(set, set.document(sourceId, event.key), event, arrival);
    case 'skip':
      return skipDocument(set, document, event, arrival);
  }
}

/** Before its document's position, or before a clear of its topic. */
function isStale(set: WorkingSet, sourceId: string, event: IngestEvent, document: DocumentState | undefined): boolean {
  if (event.position === null) return false;
  return isBefore(event.position, document?.position ?? null) || set.isCleared(sourceId, event.position);
}
