import { seededRandom } from '../../harness/seeded-random.js';

export interface ArticleRow {
  readonly id: number;
  readonly title: string;
  /** About 1,000 characters of English-like sentences. */
  readonly body: string;
}

const bodyLength = 1000;
const vocabularySize = 20_000;
const functionWords = 'the of and to in a is that for it was on are with as be this by at from'.split(' ');
const syllables = 'ba co du fe gi lo ma ne pi ra se ti vo zu an er in or ul ost'.split(' ');

/**
 * Rows that are the same in every run: words are drawn as in real text, few of them often and most of them seldom (Zipf's law), for a
 * full-text index costs by its words.
 */
export function articleRows(count: number, seed = 1): ArticleRow[] {
  const random = seededRandom(seed);
  const words = vocabulary(seededRandom(7));
  return Array.from({ length: count }, (_, index) => {
    const title = `${capitalised(words.draw(random))} ${words.draw(random)} ${words.draw(random)}`;
    return { id: index + 1, title, body: bodyOf(() => words.draw(random), random) };
  });
}

function bodyOf(draw: () => string, random: () => number): string {
  let body = '';
  while (body.length < bodyLength) {
    const length = 8 + Math.floor(random() * 9);
    const sentence = Array.from({ length }, draw).join(' ');
    const gap = body === '' ? '' : random() < 0.15 ? '\n\n' : ' ';
    body += `${gap}${capitalised(sentence)}.`;
  }
  return body;
}

interface Vocabulary {
  draw(random: () => number): string;
}

/** The word of rank r is drawn about as often as 1/r. */
function vocabulary(random: () => number): Vocabulary {
  const made = new Set(functionWords);
  while (made.size < vocabularySize) {
    const length = 2 + Math.floor(random() * 3);
    made.add(Array.from({ length }, () => syllables[Math.floor(random() * syllables.length)]).join(''));
  }
  const words = [...made];
  const highest = Math.log(words.length);
  return { draw: (lot) => words[Math.floor(Math.exp(lot() * highest)) - 1] ?? 'the' };
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
