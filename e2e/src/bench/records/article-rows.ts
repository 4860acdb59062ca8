import { seededRandom } from '../../harness/seeded-random.js';
import { recordedEnvelopes } from './recorded-envelopes.js';

export interface ArticleRow {
  readonly id: number;
  readonly title: string;
  /** About 1,000 characters of English-like sentences. */
  readonly body: string;
}

const bodyLength = 1000;
const vocabularySize = 20_000;
const syllables = 'ba co du fe gi lo ma ne pi ra se ti vo zu an er in or ul ost'.split(' ');

/**
 * Rows that are the same in every run: words are drawn as in real text, few of them often and most of them seldom (Zipf's law), for a
 * full-text index costs by its words. The frequent ones are the recorded knowledge base's, the seldom ones are made up.
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
  const made = new Set(recordedWords());
  while (made.size < vocabularySize) {
    const length = 2 + Math.floor(random() * 3);
    made.add(Array.from({ length }, () => syllables[Math.floor(random() * syllables.length)]).join(''));
  }
  const words = [...made];
  const highest = Math.log(words.length);
  return { draw: (lot) => words[Math.floor(Math.exp(lot() * highest)) - 1] ?? 'the' };
}

/** Every word of the recorded texts, the most frequent first. */
function recordedWords(): string[] {
  const counts = new Map<string, number>();
  for (const { after } of recordedEnvelopes())
    for (const value of Object.values(after))
      if (typeof value === 'string')
        for (const [word] of value.toLowerCase().matchAll(/\b[a-z]+\b/g)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([word]) => word);
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
