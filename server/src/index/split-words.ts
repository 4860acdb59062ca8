import { continuesCharacter, cutWithinRun, isBreakingSpace, trimRange } from './cut-text.js';
import { estimateTokens } from './estimate-tokens.js';
import { hashText } from './hash-text.js';
import type { Range } from './read-blocks.js';

/** Lengths of a piece in tokens; one word in eight ends a piece, so that an edit moves no boundary but its own. */
const SHORTEST = 6;
const LONGEST = 48;
const ENDING_WORDS = 8;
/** UTF-16 code units of a piece of a run without spaces. */
const RUN_LENGTH = 96;

/** Cuts a line that has no sentences into pieces of a few words; a word of more than `limit` tokens is cut as well. */
export function splitWords(text: string, line: Range, limit: number): Range[] {
  const pieces: Range[] = [];
  let piece = line.start;
  let tokens = 0;
  const endPiece = (at: number): void => {
    const range = trimRange(text, piece, at);
    if (range) pieces.push(range);
    piece = at;
    tokens = 0;
  };
  for (let index = line.start; index < line.end;) {
    const word = wordAt(text, index, line.end);
    const length = estimateTokens(text, index, word.end);
    if (length > limit || tokens + length > LONGEST) endPiece(index);
    if (length > limit) {
      while (piece < word.end) endPiece(cutWithinRun(text, piece, word.end, RUN_LENGTH));
      endPiece(word.next);
    }
    tokens += length > limit ? 0 : length;
    if (tokens >= SHORTEST && hashText(text, index, word.end) % ENDING_WORDS === 0) endPiece(word.next);
    index = word.next;
  }
  endPiece(line.end);
  return pieces;
}

/** The word that begins at `start`: where it ends, and where the next begins. */
function wordAt(text: string, start: number, end: number): { end: number; next: number } {
  let index = start;
  for (;;) {
    while (index < end && !isBreakingSpace(text.charCodeAt(index))) index += 1;
    const wordEnd = index;
    while (index < end && isBreakingSpace(text.charCodeAt(index))) index += 1;
    // A mark on a space belongs to that space: the word goes on.
    if (index >= end || !continuesCharacter(text, index)) return { end: wordEnd, next: index };
  }
}
