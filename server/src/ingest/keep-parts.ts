import type { EventError } from '@ossian/shared';
import { type DocumentState, noWaiting } from '../corpus/document.js';
import { type KeyLink, takeFromLink, type Taker } from '../corpus/key-link.js';
import { hasPart, noParts, type Part, partPointer, takeParts } from '../corpus/part.js';
import type { UpsertEvent } from './ingest-event.js';
import { loadedParts } from './working-set.js';

/**
 * Keeps the parts that the event calls unchanged as the document has them; one that waits counts as had and stays waiting.
 *
 * @param createHalf null for an event that is none; else what the document lacks comes from its link, and where there is none, waits
 *   for a complete upsert.
 */
export function keepParts(
  document: DocumentState,
  event: UpsertEvent,
  createHalf: { readonly link: KeyLink | undefined } | null,
): Taker | { readonly error: EventError } {
  const stored = document.live ? loadedParts(document) : noParts;
  const waiting = document.live ? document.waiting : noWaiting;
  const has = (part: Part): boolean => waiting.has(partPointer(part)) || hasPart(stored, part);
  const lacking = event.unchanged.filter((part) => !has(part));
  if (createHalf === null) {
    const [first] = lacking;
    if (first !== undefined) return { error: unknownPart(first, 'the backend does not have it') };
    const [any] = event.unchanged;
    if (any !== undefined && document.mark !== null) return { error: unknownPart(any, 'the document is behind its row') };
  }
  const kept = event.unchanged.filter(has);
  const content: Taker = {
    parts: takeParts(event.parts, kept, stored),
    waiting: new Map([...waiting].filter(([pointer]) => kept.some((part) => partPointer(part) === pointer))),
    mark: document.mark,
  };
  return lacking.length === 0 ? content : fillLacking(content, lacking, createHalf?.link);
}

function fillLacking(content: Taker, lacking: readonly Part[], link: KeyLink | undefined): Taker {
  const pointers = lacking.map(partPointer);
  if (link !== undefined) return takeFromLink(content, lacking, pointers, link);
  const waiting = new Map([...content.waiting, ...pointers.map((pointer): [string, null] => [pointer, null])]);
  const acl = pointers.includes('/acl') ? [] : content.parts.acl;
  return { ...content, parts: { ...content.parts, acl }, waiting };
}

function unknownPart(part: Part, why: string): EventError {
  const pointer = partPointer(part);
  return {
    code: 'unchanged_part_unknown',
    message:
      `${pointer} is called unchanged, but ${why}: send the whole row, ` +
      'for example by a snapshot of it or by setting the table to REPLICA IDENTITY FULL',
    field: 'document.unchanged',
  };
}
