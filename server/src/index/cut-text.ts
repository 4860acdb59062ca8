import type { Range } from './read-blocks.js';

const words = new Intl.Segmenter(undefined, { granularity: 'word' });
const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** UTF-16 code units: a longer run of marks on one character is no text, and is cut. */
const LONGEST_CHARACTER = 1000;
/** UTF-16 code units before and after a cut that are given to Intl.Segmenter. */
const SEGMENTED_LENGTH = 24;

/** White space at which a line may be broken: not the no-break spaces, which hold words together. */
export function isBreakingSpace(code: number): boolean {
  return (
    (code <= 0x20 && (code === 0x20 || (code >= 0x09 && code <= 0x0d))) ||
    code === 0x85 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a && code !== 0x2007) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x205f ||
    code === 0x3000
  );
}

/** Whether the character at `index` belongs to the one before it: a combining mark, a joiner, the second half of a pair. */
export function continuesCharacter(text: string, index: number): boolean {
  if (index <= 0 || index >= text.length) return false;
  const code = text.charCodeAt(index);
  if (code < 0x300) return false;
  const before = text.charCodeAt(index - 1);
  if (before === 0x200d || code === 0x200d || code === 0x200c) return true;
  if (isLowSurrogate(code)) return isHighSurrogate(before);
  return /^\p{M}/u.test(text.slice(index, index + 2));
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

/** `text[start, end)` without the white space around it; undefined where there is nothing else. */
export function trimRange(text: string, start: number, end: number): Range | undefined {
  let from = start;
  let to = end;
  while (from < to && isSpace(text.charCodeAt(from))) from += 1;
  while (to > from && isSpace(text.charCodeAt(to - 1))) to -= 1;
  if (from === to) return undefined;
  // A mark on a space belongs to that space.
  if (from > start && continuesCharacter(text, from)) from -= 1;
  return { start: from, end: to };
}

function isSpace(code: number): boolean {
  return isBreakingSpace(code) || code === 0xa0 || code === 0x2007 || code === 0x202f || code === 0xfeff;
}

/**
 * The best place to cut a run without spaces, after `from` and at most `length` code units on: behind a mark of its own script, else
 * between words by the dictionary, else between characters.
 */
export function cutWithinRun(text: string, from: number, end: number, length: number): number {
  const limit = from + length;
  if (limit >= end) return end;
  for (let index = limit; index > from + length / 2; index -= 1) {
    if (/[、，；：､・,;:]/.test(text.charAt(index - 1)) && !continuesCharacter(text, index)) return index;
  }
  if (/^[\x21-\x7e]+$/.test(text.slice(from, limit + 1))) return limit;
  // Only the end of the stretch is looked at: the dictionary of Chinese and Thai words is slow.
  let near = Math.max(from, limit - SEGMENTED_LENGTH);
  while (near < limit && continuesCharacter(text, near)) near += 1;
  const window = text.slice(near, Math.min(end, limit + SEGMENTED_LENGTH));
  const cut = lastBoundary(words, window, limit - near) || lastBoundary(characters, window, limit - near);
  if (cut > 0) return near + cut;
  let index = limit;
  while (index < Math.min(end, limit + LONGEST_CHARACTER) && continuesCharacter(text, index)) index += 1;
  return isLowSurrogate(text.charCodeAt(index)) && isHighSurrogate(text.charCodeAt(index - 1)) ? index + 1 : index;
}

/** The last boundary within the first `length` code units of the window; 0 where there is none. */
function lastBoundary(segmenter: Intl.Segmenter, window: string, length: number): number {
  let last = 0;
  for (const { index } of segmenter.segment(window)) {
    if (index > length) break;
    last = index;
  }
  return last;
}
