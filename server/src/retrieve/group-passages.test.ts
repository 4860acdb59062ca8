import { describe, expect, it } from '@jest/globals';
import type { Passage } from '../corpus/passage.js';
import { alsoIn, groupPassages, joinGroups, sectionsWithGaps } from './group-passages.js';

let nextChunk = 1;
function passage(documentId: string, ordinal: number, score: number, more: Partial<Passage> = {}): Passage {
  const text = more.text ?? `text ${ordinal} of ${documentId}`;
  const start = more.start ?? ordinal * 100;
  return {
    chunkId: String(nextChunk++),
    documentId,
    source: 'articles',
    key: `id=${documentId}`,
    title: 'Retention',
    uri: null,
    contentHash: documentId,
    section: 'body',
    ordinal,
    text,
    start,
    end: start + text.length,
    score,
    lexicalScore: null,
    lexicalCoverage: null,
    vectorScore: score,
    behindSince: null,
    ...more,
  };
}
const limits = { maximumDocuments: 6, tokenBudget: 1000 };

describe('groupPassages', () => {
  it('V5: gives one group per document id, ranked by its best passage, its passages in reading order', () => {
    const groups = groupPassages(
      [passage('a', 4, 0.5), passage('b', 1, 0.9), passage('a', 0, 0.7), passage('b', 0, 0.2)],
      limits,
    );
    expect(groups.map(({ documentId, score }) => [documentId, score])).toEqual([
      ['b', 0.9],
      ['a', 0.7],
    ]);
    expect(groups[1]?.passages.map(({ ordinal }) => ordinal)).toEqual([0, 4]);
  });

  it('V5: keeps documents with the same title apart, and lets documents with the same content speak once', () => {
    const groups = groupPassages(
      [
        passage('a', 0, 0.9, { contentHash: 'same' }),
        passage('b', 0, 0.8, { contentHash: 'same' }),
        passage('c', 0, 0.7, { contentHash: 'other' }),
      ],
      limits,
    );
    expect(groups.map(({ documentId }) => documentId)).toEqual(['a', 'c']);
    expect(
      alsoIn(groups[0]!, [
        { contentHash: 'same', documentId: 'a', source: 's', key: 'id=1' },
        { contentHash: 'same', documentId: 'b', source: 's', key: 'id=2' },
        { contentHash: 'other', documentId: 'c', source: 's', key: 'id=3' },
      ]),
    ).toEqual([{ document_id: 'b', source: 's', key: 'id=2' }]);
  });

  it('does not take documents of unknown content for one', () => {
    const groups = groupPassages(
      [passage('a', 0, 0.9, { contentHash: null }), passage('b', 0, 0.8, { contentHash: null })],
      limits,
    );
    expect(groups).toHaveLength(2);
  });

  it('keeps to the number of documents and to the token budget, spent from the best on, but never to nothing', () => {
    const long = 'x'.repeat(400);
    const passages = [
      passage('a', 0, 0.9, { text: long }),
      passage('b', 0, 0.8, { text: long }),
      passage('c', 0, 0.7, { text: 'short' }),
      passage('a', 1, 0.6, { text: 'tiny' }),
    ];
    expect(groupPassages(passages, { maximumDocuments: 2, tokenBudget: 1000 }).map(({ passages: own }) => own.length)).toEqual([
      2, 1,
    ]);
    // 120 tokens are 480 characters: b no longer fits, c and the tiny one do.
    const cut = groupPassages(passages, { maximumDocuments: 6, tokenBudget: 120 });
    expect(cut.map(({ documentId, passages: own }) => [documentId, own.length])).toEqual([
      ['a', 2],
      ['c', 1],
    ]);
    expect(groupPassages(passages, { maximumDocuments: 6, tokenBudget: 1 })).toHaveLength(1);
  });
});

describe('joinGroups', () => {
  const body = 'First sentence.\n\nSecond one.  Third.\u{1F600}';
  const at = (documentId: string, ordinal: number, start: number, end: number, more: Partial<Passage> = {}): Passage =>
    passage(documentId, ordinal, 0.5, { text: body.slice(start, end), start, end, ...more });

  it('joins neighbours over white space, with the section’s own text between them', () => {
    const groups = groupPassages([at('a', 0, 0, 15), at('a', 1, 17, 28, { score: 0.8 }), at('a', 2, 30, body.length)], limits);
    expect(sectionsWithGaps(groups)).toEqual([{ documentId: 'a', section: 'body' }]);
    const [joined] = joinGroups(groups, () => body);
    expect(joined?.passages).toHaveLength(1);
    expect(joined?.passages[0]).toMatchObject({ text: body, start: 0, end: body.length, score: 0.8 });
  });

  it('joins what touches or overlaps without reading the section', () => {
    const groups = groupPassages([at('a', 0, 0, 17), at('a', 1, 17, 28), at('a', 2, 24, body.length)], limits);
    expect(sectionsWithGaps(groups)).toEqual([]);
    const [joined] = joinGroups(groups, () => undefined);
    expect(joined?.passages.map(({ text }) => text)).toEqual([body]);
  });

  it('leaves apart what it cannot join exactly: words between, an unknown section, another section, no neighbours', () => {
    const apart = (passages: Passage[], text: string | undefined): number =>
      joinGroups(groupPassages(passages, limits), () => text)[0]!.passages.length;
    expect(apart([at('a', 0, 0, 15), at('a', 1, 17, 28)], undefined)).toBe(2);
    expect(apart([at('a', 0, 0, 5), at('a', 1, 17, 28)], body)).toBe(2);
    expect(apart([at('a', 0, 0, 17), at('a', 1, 17, 28, { section: 'notes' })], body)).toBe(2);
    expect(apart([at('a', 0, 0, 17), at('a', 2, 17, 28)], body)).toBe(2);
  });
});
