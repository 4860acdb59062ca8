import { randomUUID } from 'node:crypto';
import { hashParts } from '../corpus/content-hash.js';
import { type DocumentState, noWaiting } from '../corpus/document.js';
import { fillFromLink, type Half, isSameKeyChange, type KeyLink } from '../corpus/key-link.js';
import { loadedParts, type WorkingSet } from './working-set.js';

export interface KeyChange {
  readonly oldKey: string;
  readonly newKey: string;
  readonly sourcePosition: bigint | null;
}

/** The link of a key change: whichever half comes first makes it, the other completes it. */
export function meetLink(set: WorkingSet, sourceId: string, change: KeyChange, half: Half, arrival: Date): KeyLink {
  const waitingForUs = set
    .links()
    .find((link) => link.sourceId === sourceId && link.missing === half && isSameKeyChange(link, change));
  const link: KeyLink =
    waitingForUs === undefined
      ? {
          id: randomUUID(),
          sourceId,
          ...change,
          missing: half === 'delete' ? 'create' : 'delete',
          metAt: null,
          parts: null,
          waiting: noWaiting,
          mark: null,
        }
      : { ...waitingForUs, missing: null, metAt: arrival };
  set.setLink(link);
  return link;
}

/** The link that the same create half met when it came before. */
export function findLink(set: WorkingSet, sourceId: string, change: KeyChange): KeyLink | undefined {
  return set
    .links()
    .filter((link) => link.sourceId === sourceId && isSameKeyChange(link, change))
    .at(-1);
}

/** The link has content: gives it to the document and to the links that wait for it, and so on. `seen` ends a cycle. */
export function settleLink(set: WorkingSet, link: KeyLink, seen: readonly string[] = []): void {
  const document = set.findDocument(link.sourceId, link.newKey);
  if (document?.live && document.waiting.size > 0) fillDocument(set, document, link);
  const path = [...seen, link.id];
  for (const later of set.links()) {
    if (later.oldKey !== link.newKey || later.sourceId !== link.sourceId || later.parts === null) continue;
    if (path.includes(later.id)) continue;
    const filled = fillFromLink({ ...later, parts: later.parts }, link);
    if (filled === undefined) continue;
    set.setLink(filled);
    settleLink(set, filled, path);
  }
}

function fillDocument(set: WorkingSet, document: DocumentState, link: KeyLink): void {
  const filled = fillFromLink({ ...document, parts: loadedParts(document) }, link);
  if (filled === undefined) return;
  const incompleteSince = filled.waiting.size === 0 ? null : document.incompleteSince;
  set.setDocument({ ...filled, hashes: hashParts(filled.parts), incompleteSince });
}
