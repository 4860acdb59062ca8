import type { ClaimedCitation, NumberedDocument } from '../models/answerer.js';

/**
 * Whether a citation stands: its document and its passages were given, they follow one another, and the words it quotes stand in them.
 * White space may differ, since answerers join and wrap text; nothing else may.
 */
export function citationStands(claim: ClaimedCitation, documents: readonly NumberedDocument[]): boolean {
  const document = documents.find(({ number }) => number === claim.number);
  if (document === undefined || claim.passages.length === 0) return false;
  const texts: string[] = [];
  for (const [position, index] of claim.passages.entries()) {
    const passage = document.passages[index];
    if (passage === undefined || index !== (claim.passages[0] ?? 0) + position) return false;
    texts.push(passage.text);
  }
  if (claim.quote === undefined) return true;
  const quote = withoutSpace(claim.quote);
  return quote !== '' && withoutSpace(texts.join('')).includes(quote);
}

function withoutSpace(text: string): string {
  return text.replace(/\s+/gu, '');
}
