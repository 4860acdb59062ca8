import { describe, expect, it } from '@jest/globals';
import { sentenceStarts } from './split-sentences.js';

const sentences = (text: string): string[] => {
  const starts = sentenceStarts(text, 0, text.length);
  return starts.map((start, index) => text.slice(start, starts[index + 1] ?? text.length).trim());
};

describe('sentenceStarts', () => {
  it.each([
    ['One. Two! Three? Four… Five', ['One.', 'Two!', 'Three?', 'Four…', 'Five']],
    ['He said "Stop." She did (at last.) Then:', ['He said "Stop."', 'She did (at last.)', 'Then:']],
    ['Dr. Smith paid J. Jones 3.50 at shop.example.com, e.g. Tuesdays.', undefined],
    ['It is small, approx. two by two etc. and so on.', undefined],
    ['1. First step', undefined],
    ['返品は九十日以内です。「はい。」と答えた！次', ['返品は九十日以内です。', '「はい。」', 'と答えた！', '次']],
    ['Wait... \u0308what', undefined],
  ])('%s', (text, expected) => {
    expect(sentences(text)).toEqual(expected ?? [text]);
  });
});
