import { describe, expect, it } from '@jest/globals';
import type { AnswerPart, NumberedDocument } from './answerer.js';
import type { Embedder } from './embedder.js';
import { createExtractiveAnswerer } from './extractive-answerer.js';

function numbered(number: number, ...texts: string[]): NumberedDocument {
  return {
    number,
    documentId: `d${number}`,
    title: null,
    behindSince: null,
    passages: texts.map((text, index) => ({
      chunk_id: String(index),
      section: 'body',
      text,
      start: 0,
      end: text.length,
      score: 0.5,
    })),
  };
}

interface Said {
  readonly text: string;
  readonly cited: readonly (readonly [number, number])[];
}
async function answer(
  question: string,
  documents: NumberedDocument[],
  embedder?: Embedder,
): Promise<Said[] & { parts?: AnswerPart[] }> {
  const said: Said[] & { parts?: AnswerPart[] } = [];
  said.parts = [];
  let text = '';
  let cited: [number, number][] = [];
  const request = { question, documents, signal: new AbortController().signal };
  for await (const part of createExtractiveAnswerer({ embedder }).answer(request)) {
    said.parts.push(part);
    if (part.type === 'text') text += part.text;
    if (part.type === 'citation') cited.push([part.citation.number, part.citation.passages[0]!]);
    if (part.type !== 'segment_end') continue;
    said.push({ text: text.trim(), cited });
    text = '';
    cited = [];
  }
  return said;
}
const texts = (said: readonly Said[]): string[] => said.map(({ text }) => text);

describe('createExtractiveAnswerer', () => {
  it('answers with the sentence that fits, cited, and leaves the others', async () => {
    const said = await answer('How long are invoices kept?', [
      numbered(1, 'The office is in Bremen. Invoices are kept for 180 days. Lunch is at noon.'),
    ]);
    expect([...said]).toEqual([{ text: 'Invoices are kept for 180 days.', cited: [[1, 0]] }]);
  });

  it('shows both sides where documents differ in a number', async () => {
    const kept = (days: number): string =>
      `Invoices of business customers in every country are kept in the archive of the billing system for ${days} days.`;
    const said = await answer('How long are invoices kept?', [numbered(1, kept(180)), numbered(2, kept(90))]);
    expect([...said]).toEqual([
      { text: kept(180), cited: [[1, 0]] },
      { text: kept(90), cited: [[2, 0]] },
    ]);
  });

  it('says once what several say in the same words, and cites them all', async () => {
    const said = await answer('When does the ferry leave?', [
      numbered(1, 'The ferry leaves at eight.'),
      numbered(2, 'Welcome! The ferry leaves at eight.'),
    ]);
    expect([...said]).toEqual([
      {
        text: 'The ferry leaves at eight.',
        cited: [
          [1, 0],
          [2, 0],
        ],
      },
    ]);
  });

  it('says once what differs in a word only', async () => {
    const kept = (word: string): string =>
      `Invoices of business customers in every country are kept in the archive of the billing ${word} for 180 days.`;
    const said = await answer('How long are invoices kept?', [numbered(1, kept('system')), numbered(2, kept('software'))]);
    expect(said).toHaveLength(1);
  });

  it('is at most a paragraph, in reading order within a document', async () => {
    const steps = Array.from({ length: 12 }, (_, index) => `Valve step ${index + 1} turns the valve by ${index + 2} degrees.`);
    const said = await answer('How is the valve turned?', [numbered(1, steps.slice(0, 6).join(' '), steps.slice(6).join(' '))]);
    expect(said.length).toBeGreaterThanOrEqual(3);
    expect(said.length).toBeLessThanOrEqual(5);
    const order = texts(said).map((text) => steps.indexOf(text));
    expect(order).toEqual([...order].sort((a, b) => a - b));
  });

  it('shows a table row with its header, and quotes the row itself', async () => {
    const said = await answer('What is the retention of the Pro plan?', [
      numbered(1, '| Plan | Retention |\n| --- | --- |\n| Free | 7 days |\n| Pro | 90 days |'),
    ]);
    expect(texts(said)).toEqual(['Plan: Pro; Retention: 90 days.']);
    expect(said.parts!.find((part) => part.type === 'citation')).toMatchObject({ citation: { quote: '| Pro | 90 days |' } });
  });

  it('judges by meaning too where there is an embedder', async () => {
    // A vector for "bills" that lies on the invoices' sentence alone.
    const embedder: Embedder = {
      id: 'test',
      dimension: 2,
      batchSize: 2,
      embed: (batch) =>
        Promise.resolve(batch.map((text) => (/bills|Invoices/.test(text) ? Float32Array.of(1, 0) : Float32Array.of(0, 1)))),
      close: () => Promise.resolve(),
    };
    const documents = [numbered(1, 'The bill of the duck is flat. Invoices stay for 180 days. Rain falls. Snow falls.')];
    expect(texts(await answer('How many bills?', documents, embedder))).toEqual(['Invoices stay for 180 days.']);
    expect(texts(await answer('How many bills?', documents))).toEqual(['The bill of the duck is flat.']);
  });

  it('goes by words alone, and says so, where the embedder is away', async () => {
    const embedder: Embedder = {
      id: 'test',
      dimension: 2,
      batchSize: 8,
      embed: () => Promise.reject(new Error('away')),
      close: () => Promise.resolve(),
    };
    const said = await answer('How long are invoices kept?', [numbered(1, 'Invoices are kept for 180 days.')], embedder);
    expect(texts(said)).toEqual(['Invoices are kept for 180 days.']);
    expect(said.parts!.some((part) => part.type === 'notice')).toBe(true);
  });

  it('has something to say where no word fits, and nothing where there is no text', async () => {
    expect(await answer('Which?', [numbered(1, 'A fact.')])).toHaveLength(1);
    expect(await answer('Which?', [numbered(1, ' ')])).toHaveLength(0);
  });
});
