import { describe, expect, it } from '@jest/globals';
import type { AnswerEvent, Citation } from '@ossian/shared';
import type { AnswerPart, ClaimedCitation } from '../models/answerer.js';
import { AnswerComposer, type ComposedAnswer } from './compose-answer.js';
import type { Evidence } from './gather-evidence.js';

function evidence(number: number, texts: string[], more: Partial<Evidence> = {}): Evidence {
  return {
    number,
    documentId: `document-${number}`,
    source: 'articles',
    key: `id=${number}`,
    title: `Title ${number}`,
    uri: null,
    behindSince: null,
    alsoIn: [],
    passages: texts.map((text, index) => ({
      chunk_id: `${number}-${index}`,
      section: 'body',
      text,
      start: 0,
      end: text.length,
      score: 0.5,
    })),
    ...more,
  };
}
const text = (value: string): AnswerPart => ({ type: 'text', text: value });
const cite = (citation: ClaimedCitation): AnswerPart => ({ type: 'citation', citation });
const end: AnswerPart = { type: 'segment_end' };

function compose(parts: AnswerPart[], documents: Evidence[]): ComposedAnswer & { events: AnswerEvent[] } {
  const events: AnswerEvent[] = [];
  const composer = new AnswerComposer(documents, (event) => void events.push(event));
  for (const part of parts) composer.accept(part);
  return { ...composer.finish(), events };
}
const streamedText = (events: AnswerEvent[]): string =>
  events.map((event) => (event.event === 'delta' ? event.data.text : '')).join('');

const documents = [
  evidence(1, ['Ships sail.', 'Ships sink.']),
  evidence(2, ['Invoices are kept for 180 days.']),
  evidence(3, ['Bills go after 90 days.'], { behindSince: '2026-01-01T00:00:00.000Z' }),
];

describe('AnswerComposer', () => {
  it('V5: numbers documents 1 to n in the order of their first citation, however they were offered', () => {
    const composed = compose(
      [
        text('Bills go. '),
        cite({ number: 3, passages: [0] }),
        end,
        text('Invoices stay. '),
        cite({ number: 2, passages: [0] }),
        cite({ number: 3, passages: [0] }),
        end,
      ],
      documents,
    );
    expect(composed.answer).toBe('Bills go. [1] Invoices stay. [2][1]');
    expect(composed.citations.map(({ number, document_id }) => [number, document_id])).toEqual([
      [1, 'document-3'],
      [2, 'document-2'],
    ]);
    expect(composed.segments).toEqual([
      { text: 'Bills go.', citations: [{ number: 1, passages: [0] }] },
      {
        text: ' Invoices stay.',
        citations: [
          { number: 2, passages: [0] },
          { number: 1, passages: [0] },
        ],
      },
    ]);
  });

  it('V9: shows on a citation since when its document is behind', () => {
    const composed = compose([text('Bills go.'), cite({ number: 3, passages: [0] }), end], documents);
    expect(composed.citations[0]?.behind_since).toBe('2026-01-01T00:00:00.000Z');
  });

  it('shows only the passages that were cited, in reading order, and points the segments at them', () => {
    const long = [evidence(1, ['zero', 'one', 'two', 'three'])];
    const composed = compose(
      [text('A.'), cite({ number: 1, passages: [3] }), end, text(' B.'), cite({ number: 1, passages: [1] }), end],
      long,
    );
    expect(composed.citations[0]?.passages.map((passage) => passage.text)).toEqual(['one', 'three']);
    expect(composed.segments.map(({ citations }) => citations[0]?.passages)).toEqual([[1], [0]]);
  });

  it('V5: removes and counts what does not stand: a missing document or passage, a false quote, a citation of no text', () => {
    const composed = compose(
      [
        text('True.'),
        cite({ number: 2, passages: [0], quote: 'kept for 180 days' }),
        cite({ number: 2, passages: [0], quote: 'kept for 90 days' }),
        end,
        text(' False.'),
        cite({ number: 9, passages: [0] }),
        cite({ number: 1, passages: [7] }),
        end,
        cite({ number: 1, passages: [0] }),
        end,
      ],
      documents,
    );
    expect(composed.citationsRemoved).toBe(4);
    expect(composed.answer).toBe('True. [1] False.');
    expect(composed.citations.map((citation: Citation) => citation.document_id)).toEqual(['document-2']);
  });

  it('V5: leaves no number in the answer that is not a citation’s', () => {
    const composed = compose([text('As ['), text('7] says and [9].'), cite({ number: 1, passages: [0] }), end], documents);
    expect(composed.answer).toBe('As (7) says and (9). [1]');
  });

  it('streams exactly the answer it returns, and each citation with the passages of its segment', () => {
    const composed = compose(
      [text('  Ships'), text(' sail.'), text('  \n'), cite({ number: 1, passages: [0, 1] }), end, text('Done'), text('.  '), end],
      documents,
    );
    expect(composed.answer).toBe('Ships sail. [1]  \nDone.');
    expect(streamedText(composed.events)).toBe(composed.answer);
    const cited = composed.events.flatMap((event) => (event.event === 'citation' ? [event.data] : []));
    expect(cited).toHaveLength(1);
    expect(cited[0]).toMatchObject({ segment: 0, citation: { number: 1, document_id: 'document-1' } });
    expect(cited[0]?.citation.passages.map((passage) => passage.text)).toEqual(['Ships sail.', 'Ships sink.']);
  });

  it('puts nothing behind the fence that closes a code block', () => {
    expect(compose([text('```\nrun\n``` '), cite({ number: 1, passages: [0] }), end], documents).answer).toBe(
      '```\nrun\n```\n[1]',
    );
  });

  it('adds up usage and keeps notices', () => {
    const composed = compose(
      [
        { type: 'usage', usage: { input_tokens: 5 } },
        { type: 'usage', usage: { output_tokens: 2 } },
        { type: 'notice', text: 'it ends early' },
        text('A.'),
      ],
      documents,
    );
    expect(composed.usage).toEqual({ input_tokens: 5, output_tokens: 2 });
    expect(composed.notices).toEqual(['it ends early']);
    expect(composed.answer).toBe('A.');
  });
});
