import { describe, expect, it } from '@jest/globals';
import type { Answer, Citation } from '@ossian/shared';
import { citationFaults } from './citation-faults.js';

const citation = (number: number, document: string): Citation => ({
  ...{ number, document_id: document, source: 's', key: 'id=1', title: null, uri: null, behind_since: null, also_in: [] },
  passages: [{ chunk_id: 'c', section: 'body', text: 'x', start: 0, end: 1, score: 1 }],
});
const good: Answer = {
  ...{ id: 'a', answerer: 'extractive', supported: true, sources: [], usage: {}, timing_ms: {} },
  answer: 'One. [1] Two. [2]',
  segments: [
    { text: 'One. ', citations: [{ number: 1, passages: [0] }] },
    { text: 'Two. ', citations: [{ number: 2, passages: [0] }] },
  ],
  citations: [citation(1, 'a'), citation(2, 'b')],
};

describe('citationFaults', () => {
  it('finds nothing in a good answer', () => {
    expect(citationFaults(good)).toEqual([]);
  });
  it.each<[string, Partial<Answer>, RegExp]>([
    ['a number that does not resolve', { citations: [citation(1, 'a')] }, /\[2\] of "Two. " does not resolve/],
    ['one document with two numbers', { citations: [citation(1, 'a'), citation(2, 'a')] }, /two numbers/],
    ['numbers with a gap', { citations: [citation(1, 'a'), citation(3, 'b')] }, /numbered 1, 3/],
    [
      'a passage that is not there',
      { segments: [{ text: 'One.', citations: [{ number: 1, passages: [1] }] }] },
      /names passages 1 of 1/,
    ],
    ['a citation that nothing uses', { segments: good.segments.slice(0, 1) }, /\[2\] is cited by no segment/],
    ['a marker that stands for nothing', { answer: 'One. [1] Two. [2] [3]' }, /shows \[3\]/],
    ['a citation without its marker', { answer: 'One. [1] Two.' }, /does not show \[2\]/],
  ])('V5: sees %s', (_, change, fault) => {
    expect(citationFaults({ ...good, ...change })).toContainEqual(expect.stringMatching(fault));
  });
});
