import { describe, expect, it } from '@jest/globals';
import type { NumberedDocument } from '../models/answerer.js';
import { citationStands } from './check-citation.js';

const passage = (text: string): NumberedDocument['passages'][number] => ({
  chunk_id: '1',
  section: 'body',
  text,
  start: 0,
  end: text.length,
  score: 1,
});
const documents: NumberedDocument[] = [
  {
    number: 1,
    documentId: 'a',
    title: null,
    behindSince: null,
    passages: [passage('Invoices are kept\nfor 180 days.'), passage('Then they go.')],
  },
];

describe('citationStands', () => {
  it('V5: takes a citation whose words stand in its passage, whatever their white space', () => {
    expect(citationStands({ number: 1, passages: [0] }, documents)).toBe(true);
    expect(citationStands({ number: 1, passages: [0], quote: 'kept for 180 days' }, documents)).toBe(true);
    expect(citationStands({ number: 1, passages: [0, 1], quote: 'for 180 days. Then they go.' }, documents)).toBe(true);
  });

  it('V5: refuses a document or passage that was not given, and words that do not stand in it', () => {
    expect(citationStands({ number: 2, passages: [0] }, documents)).toBe(false);
    expect(citationStands({ number: 1, passages: [2] }, documents)).toBe(false);
    expect(citationStands({ number: 1, passages: [-1] }, documents)).toBe(false);
    expect(citationStands({ number: 1, passages: [] }, documents)).toBe(false);
    expect(citationStands({ number: 1, passages: [1, 0] }, documents)).toBe(false);
    expect(citationStands({ number: 1, passages: [0], quote: 'for 90 days' }, documents)).toBe(false);
    expect(citationStands({ number: 1, passages: [1], quote: 'for 180 days' }, documents)).toBe(false);
    expect(citationStands({ number: 1, passages: [0], quote: '  ' }, documents)).toBe(false);
  });
});
