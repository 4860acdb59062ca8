import type { Passage } from '../corpus/passage.js';
import type { SameContent } from '../storage/passage-store.js';
import { gapsBetween, joinNeighbours, type SectionText } from './join-neighbours.js';

/** A document with the passages that were retrieved of it, in reading order. */
export interface DocumentGroup {
  readonly documentId: string;
  readonly source: string;
  readonly key: string;
  readonly title: string | null;
  readonly uri: string | null;
  readonly behindSince: string | null;
  readonly contentHash: string | null;
  /** The best passage's. */
  readonly score: number;
  readonly passages: readonly Passage[];
}

interface Gathered {
  readonly best: Passage;
  readonly passages: Passage[];
}

/** Characters that a token has about: for English and a BERT-like or Claude's tokenizer. */
const charactersPerToken = 4;

/**
 * Gathers passages by document: one group per document id, documents ranked by their best passage, of documents with the same content
 * the best ranked one alone. The token budget is spent from the best passage on; what no longer fits is left out, but the best passage
 * is always kept. Passages of a group are in reading order, not yet joined.
 *
 * @param passages best first.
 */
export function groupPassages(
  passages: readonly Passage[],
  limits: { readonly maximumDocuments: number; readonly tokenBudget: number },
): DocumentGroup[] {
  const groups = new Map<string, Gathered>();
  const documentOfContent = new Map<string, string>();
  let remaining = limits.tokenBudget * charactersPerToken;
  for (const passage of [...passages].sort((a, b) => b.score - a.score)) {
    const voice = passage.contentHash === null ? passage.documentId : `content ${passage.contentHash}`;
    const spokenBy = documentOfContent.get(voice) ?? passage.documentId;
    if (spokenBy !== passage.documentId) continue;
    const group = groups.get(passage.documentId);
    if (group === undefined && groups.size >= limits.maximumDocuments) continue;
    if (groups.size > 0 && passage.text.length > remaining) continue;
    remaining -= passage.text.length;
    documentOfContent.set(voice, passage.documentId);
    if (group === undefined) groups.set(passage.documentId, { best: passage, passages: [passage] });
    else group.passages.push(passage);
  }
  return [...groups.values()].map(toGroup);
}

function toGroup({ best, passages }: Gathered): DocumentGroup {
  return {
    documentId: best.documentId,
    source: best.source,
    key: best.key,
    title: best.title,
    uri: best.uri,
    behindSince: best.behindSince,
    contentHash: best.contentHash,
    score: best.score,
    passages: passages.sort((a, b) => a.ordinal - b.ordinal),
  };
}

/** The sections whose whole text `joinGroups` needs, each once. */
export function sectionsWithGaps(groups: readonly DocumentGroup[]): { documentId: string; section: string }[] {
  const gaps = groups.flatMap((group) => gapsBetween(group.passages));
  const unique = new Map(gaps.map(({ documentId, section }) => [JSON.stringify([documentId, section]), { documentId, section }]));
  return [...unique.values()];
}

/** Joins the neighbours in each group. */
export function joinGroups(groups: readonly DocumentGroup[], sectionText: SectionText): DocumentGroup[] {
  return groups.map((group) => ({ ...group, passages: joinNeighbours(group.passages, sectionText) }));
}

/** The other documents that hold the same content as this group's. */
export function alsoIn(
  group: DocumentGroup,
  same: readonly SameContent[],
): { document_id: string; source: string; key: string }[] {
  return same
    .filter((other) => other.contentHash === group.contentHash && other.documentId !== group.documentId)
    .map((other) => ({ document_id: other.documentId, source: other.source, key: other.key }));
}
