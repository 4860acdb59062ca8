import { hashParts } from '../corpus/content-hash.js';
import { type DocumentState, isSameWaiting, noWaiting, settleMark } from '../corpus/document.js';
import { takeFromLink, type Taker } from '../corpus/key-link.js';
import { partPointer } from '../corpus/part.js';
import { advancePosition, isSameChange, isSamePosition, timeOfEvent } from '../corpus/position.js';
import { removeDocument } from './delete-document.js';
import type { Judgement, UpsertEvent } from './ingest-event.js';
import { keepParts } from './keep-parts.js';
import { findLink, type KeyChange, meetLink } from './meet-link.js';
import type { WorkingSet } from './working-set.js';

/** Writes a row into its document; without any text it removes it. */
export function upsertDocument(set: WorkingSet, document: DocumentState, event: UpsertEvent, arrival: Date): Judgement {
  const change = keyChangeOf(event);
  // A create half that is applied again at its document's own position keeps that document's parts, and meets no link a second time.
  const again = isAgain(document, event);
  const met = change === null || again ? undefined : meetLink(set, document.sourceId, change, 'create', arrival);
  if (event.blank) return removeDocument(set, document, event);
  if (event.unchanged.length === 0) return store(document, event, complete(document, event), set, arrival);
  if (met !== undefined) {
    const pointers = event.unchanged.map(partPointer);
    const given: Taker = { parts: event.parts, waiting: noWaiting, mark: document.mark };
    return store(
      { ...document, incompleteSince: null },
      event,
      takeFromLink(given, event.unchanged, pointers, met),
      set,
      arrival,
    );
  }
  const kept = keepParts(document, event, change === null ? null : { link: findLink(set, document.sourceId, change) });
  if ('error' in kept) return { outcome: 'rejected', documentId: document.id, error: kept.error };
  return store(document, event, kept, set, arrival);
}

function keyChangeOf(event: UpsertEvent): KeyChange | null {
  if (event.movedFrom === null) return null;
  return { oldKey: event.movedFrom, newKey: event.key, sourcePosition: event.position?.sourcePosition ?? null };
}

/** The same record again, or, while the document is there, the same change in a record that a killed connector sent again. */
function isAgain(document: DocumentState, event: UpsertEvent): boolean {
  if (event.position === null) return false;
  return document.live ? isSameChange(event.position, document.position) : isSamePosition(event.position, document.position);
}

/** A complete upsert settles a mark that it does not stand before. */
function complete(document: DocumentState, event: UpsertEvent): Taker {
  return { parts: event.parts, waiting: noWaiting, mark: settleMark(document.mark, event.position) };
}

function store(document: DocumentState, event: UpsertEvent, content: Taker, set: WorkingSet, arrival: Date): Judgement {
  const hashes = hashParts(content.parts);
  const unchanged = document.live && document.hashes?.state === hashes.state && isSameWaiting(document.waiting, content.waiting);
  set.setDocument({
    ...document,
    ...content,
    live: true,
    blank: false,
    hashes,
    incompleteSince: content.waiting.size === 0 ? null : (document.incompleteSince ?? timeOfEvent(event.sentPosition, arrival)),
    position: advancePosition(event.position, document.position),
  });
  return { outcome: unchanged ? 'unchanged' : 'applied', documentId: document.id };
}
