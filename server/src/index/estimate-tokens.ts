/** Mean number of WordPiece tokens of an English word by its length (measured over 500,000 words of prose and technical Markdown). */
const TOKENS_BY_LENGTH = [0, 1, 1.05, 1.1, 1.13, 1.14, 1.25, 1.25, 1.3, 1.44, 1.65, 1.7, 1.85, 2.1];
const LONGEST = TOKENS_BY_LENGTH.length - 1;
const TOKENS_PER_FURTHER_LETTER = 0.7;
const TOKENS_PER_FURTHER_DIGIT = 0.6;
/** Hangul syllables are decomposed into letters before they are looked up. */
const TOKENS_PER_HANGUL_SYLLABLE = 2.4;

/**
 * How many tokens the built-in model's tokenizer would make of `text[start, end)`, from character classes alone: within about
 * 15 % for English prose, code and Chinese or Japanese, where the tokenizer itself is 100 times slower.
 */
export function estimateTokens(text: string, start = 0, end = text.length): number {
  let tokens = 0;
  let index = start;
  while (index < end) {
    const code = text.charCodeAt(index);
    const runEnd = isLetter(code) ? skip(text, index, end, isLetter) : isDigit(code) ? skip(text, index, end, isDigit) : 0;
    if (runEnd === 0) {
      tokens += tokensOfCharacter(code);
      index += 1;
    } else {
      tokens += isDigit(code) ? tokensOfDigits(runEnd - index) : tokensOfWord(runEnd - index);
      index = runEnd;
    }
  }
  return tokens;
}

function skip(text: string, from: number, end: number, belongs: (code: number) => boolean): number {
  let index = from + 1;
  while (index < end && belongs(text.charCodeAt(index))) index += 1;
  return index;
}

function tokensOfWord(length: number): number {
  return TOKENS_BY_LENGTH[length] ?? TOKENS_BY_LENGTH[LONGEST]! + (length - LONGEST) * TOKENS_PER_FURTHER_LETTER;
}

function tokensOfDigits(length: number): number {
  return length <= 2 ? 1 : 1 + (length - 2) * TOKENS_PER_FURTHER_DIGIT;
}

function tokensOfCharacter(code: number): number {
  if (code <= 0x20 || code === 0xa0 || code === 0x3000 || (code >= 0x2000 && code <= 0x200f)) return 0;
  // Combining marks are dropped by the tokenizer; the two halves of a surrogate pair are one character.
  if (code >= 0x300 && code <= 0x36f) return 0;
  if (code >= 0xd800 && code <= 0xdfff) return 0.5;
  return code >= 0xac00 && code <= 0xd7a3 ? TOKENS_PER_HANGUL_SYLLABLE : 1;
}

/** Latin letters, accented ones too: other alphabets are mostly spelt letter by letter. */
function isLetter(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0xc0 && code <= 0x24f && code !== 0xd7 && code !== 0xf7)
  );
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
