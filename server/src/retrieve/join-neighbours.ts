import type { Passage } from '../corpus/passage.js';

/** The text of one section of one document, where it is known. */
export type SectionText = (documentId: string, section: string) => string | undefined;

/** Chunks of one document that follow one another with something between them: that stretch must be read before they can be joined. */
export function gapsBetween(passages: readonly Passage[]): Passage[] {
  return passages.filter((passage, index) => {
    const previous = passages[index - 1];
    return previous !== undefined && areNeighbours(previous, passage) && passage.start > previous.end;
  });
}

/**
 * Joins neighbouring chunks of one document into one passage, whose text is exactly the section's range from the first one's start to
 * the last one's end: they touch or overlap, or only white space stands between them. What is not sure stays apart.
 *
 * @param passages of one document, in reading order.
 */
export function joinNeighbours(passages: readonly Passage[], sectionText: SectionText): Passage[] {
  const joined: Passage[] = [];
  for (const passage of passages) {
    const previous = joined.at(-1);
    const both = previous && areNeighbours(previous, passage) ? join(previous, passage, sectionText) : undefined;
    if (both === undefined) joined.push(passage);
    else joined[joined.length - 1] = both;
  }
  return joined;
}

function areNeighbours(previous: Passage, next: Passage): boolean {
  return previous.documentId === next.documentId && previous.section === next.section && next.ordinal === previous.ordinal + 1;
}

/** The joined passage keeps the first one's chunk id, the later one's ordinal (so that a third can follow) and the better scores. */
function join(previous: Passage, next: Passage, sectionText: SectionText): Passage | undefined {
  if (next.start < previous.start) return undefined;
  const end = Math.max(previous.end, next.end);
  const text = joinedText(previous, next, sectionText);
  if (text === undefined || text.length !== end - previous.start) return undefined;
  return {
    ...previous,
    ordinal: next.ordinal,
    end,
    text,
    score: Math.max(previous.score, next.score),
    lexicalScore: better(previous.lexicalScore, next.lexicalScore),
    lexicalCoverage: better(previous.lexicalCoverage, next.lexicalCoverage),
    vectorScore: better(previous.vectorScore, next.vectorScore),
  };
}

function joinedText(previous: Passage, next: Passage, sectionText: SectionText): string | undefined {
  if (next.start <= previous.end) return previous.text + next.text.slice(previous.end - next.start);
  const between = sectionText(previous.documentId, previous.section)?.slice(previous.end, next.start);
  return between === undefined || between.trim() !== '' ? undefined : previous.text + between + next.text;
}

function better(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.max(a, b);
}
