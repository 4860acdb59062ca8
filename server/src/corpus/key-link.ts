import { type BehindMark, mergeMarks, type Waiting } from './document.js';
import { type DocumentParts, hasPart, type Part, parsePart, takeParts } from './part.js';

export type Half = 'delete' | 'create';

/** Where the two halves of a key change meet. */
export interface KeyLink {
  readonly id: string;
  readonly sourceId: string;
  readonly oldKey: string;
  readonly newKey: string;
  readonly sourcePosition: bigint | null;
  /** The half that has not come; null once both have met. */
  readonly missing: Half | null;
  readonly metAt: Date | null;
  /** What the old document last held; null until the delete half has come. */
  readonly parts: DocumentParts | null;
  /** Parts of it that wait for an earlier link. */
  readonly waiting: Waiting;
  /** The old document was behind its row. */
  readonly mark: BehindMark | null;
}

/** What takes parts from a link: a document, or a later link. */
export interface Taker {
  readonly parts: DocumentParts;
  readonly waiting: Waiting;
  readonly mark: BehindMark | null;
}

/** A link is known by old and new key, and by source position where both halves carry one. */
export function isSameKeyChange(
  link: KeyLink,
  change: { readonly oldKey: string; readonly newKey: string; readonly sourcePosition: bigint | null },
): boolean {
  return (
    link.oldKey === change.oldKey &&
    link.newKey === change.newKey &&
    (link.sourcePosition === null || change.sourcePosition === null || link.sourcePosition === change.sourcePosition)
  );
}

/**
 * Gives these parts from the link. One that the link does not have yet waits; so does one that the link itself waits for (what it has of
 * it is given meanwhile), and one that the old document did not have, which only a complete upsert can bring. While an ACL waits nobody
 * may read: absent would be public.
 */
export function takeFromLink(taker: Taker, names: readonly Part[], pointers: readonly string[], link: KeyLink): Taker {
  const had = link.parts;
  const waiting = new Map(taker.waiting);
  let took = false;
  names.forEach((part, index) => {
    const pointer = pointers[index] ?? '';
    const has = had !== null && hasPart(had, part);
    took ||= has;
    if (has && !link.waiting.has(pointer)) waiting.delete(pointer);
    else waiting.set(pointer, link.id);
  });
  const taken = had === null ? taker.parts : takeParts(taker.parts, names, had);
  const parts = waiting.has('/acl') && taken.acl === null ? { ...taken, acl: [] } : taken;
  return { parts, waiting, mark: took ? mergeMarks(taker.mark, link.mark) : taker.mark };
}

/** Fills what waits for this link; undefined where nothing does. */
export function fillFromLink<T extends Taker>(taker: T, link: KeyLink): T | undefined {
  const pointers = [...taker.waiting].filter(([, id]) => id === link.id).map(([pointer]) => pointer);
  if (pointers.length === 0) return undefined;
  return { ...taker, ...takeFromLink(taker, pointers.map(parsePart), pointers, link) };
}
