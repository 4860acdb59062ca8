import { trimRange } from './cut-text.js';
import { estimateTokens } from './estimate-tokens.js';
import type { Block, Range } from './read-blocks.js';
import { splitWords } from './split-words.js';
import { sentenceStarts } from './split-sentences.js';

/** How strongly a text asks to be cut before a unit; that of a heading is `heading` less its level, so that higher ones weigh more. */
export const strengths = { glued: 0, part: 1, sentence: 2, item: 3, block: 4, heading: 11 } as const;

export interface Heading {
  readonly level: number;
  readonly title: string;
}

/** A stretch that is not cut: a sentence, a table row, a code fence, a heading. */
export interface Unit extends Range {
  readonly tokens: number;
  readonly strength: number;
  /** The header of the table that the unit is a row of. */
  readonly header?: Range | undefined;
  readonly heading?: Heading | undefined;
}

type Piece = Omit<Unit, 'tokens'>;

/** Cuts blocks into units of at most `limit` tokens, in order: they cover every character of the blocks that is not white space. */
export function splitUnits(text: string, blocks: readonly Block[], limit: number): Unit[] {
  const units: Unit[] = [];
  let afterHeading = false;
  for (const block of blocks) {
    for (const [index, piece] of piecesOf(text, block).entries()) {
      // What follows a heading stays with it, where it can.
      const strength = index === 0 && afterHeading ? strengths.glued : piece.strength;
      addUnits(units, text, { ...piece, strength }, limit);
    }
    afterHeading = block.kind === 'heading';
  }
  return units;
}

function piecesOf(text: string, block: Block): Piece[] {
  switch (block.kind) {
    case 'heading':
      return [{ start: block.start, end: block.end, strength: strengths.heading - block.level, heading: block }];
    case 'fence':
      return [{ start: block.start, end: block.end, strength: strengths.block }];
    case 'table':
      return tablePieces(block.header, block.rows);
    default:
      return sentencePieces(text, block, block.kind === 'item' ? strengths.item : strengths.block);
  }
}

function tablePieces(header: Range | undefined, rows: readonly Range[]): Piece[] {
  const pieces: Piece[] = rows.map((row) => ({ ...row, strength: strengths.sentence, header }));
  if (header)
    return [
      { ...header, strength: strengths.block },
      ...pieces.map((p, i) => (i === 0 ? { ...p, strength: strengths.glued } : p)),
    ];
  return pieces.map((piece, index) => (index === 0 ? { ...piece, strength: strengths.block } : piece));
}

function sentencePieces(text: string, block: Range, first: number): Piece[] {
  const starts = sentenceStarts(text, block.start, block.end);
  return starts.map((start, index) => ({
    start,
    end: starts[index + 1] ?? block.end,
    strength: index === 0 ? first : strengths.sentence,
  }));
}

function addUnits(units: Unit[], text: string, piece: Piece, limit: number): void {
  const range = trimRange(text, piece.start, piece.end);
  if (!range) return;
  const tokens = estimateTokens(text, range.start, range.end);
  if (tokens <= limit) {
    units.push(unitOf(piece, range, piece.strength, tokens));
    return;
  }
  for (const part of splitLong(text, range, limit)) {
    const strength = part.start === range.start ? piece.strength : part.strength;
    units.push(unitOf(piece, part, strength, estimateTokens(text, part.start, part.end)));
  }
}

function unitOf(piece: Piece, range: Range, strength: number, tokens: number): Unit {
  return { start: range.start, end: range.end, tokens, strength, header: piece.header, heading: piece.heading };
}

/** The last resort for what is longer than a chunk may be: its lines, and the words of a line that is still too long. */
function splitLong(text: string, range: Range, limit: number): Piece[] {
  const parts: Piece[] = [];
  for (let start = range.start; start < range.end;) {
    const lineBreak = text.indexOf('\n', start);
    const end = lineBreak === -1 || lineBreak >= range.end ? range.end : lineBreak + 1;
    const line = trimRange(text, start, end);
    start = end;
    if (!line) continue;
    if (estimateTokens(text, line.start, line.end) <= limit) parts.push({ ...line, strength: strengths.sentence });
    else for (const part of splitWords(text, line, limit)) parts.push({ ...part, strength: strengths.part });
  }
  return parts;
}
