import { describe, expect, it } from '@jest/globals';
import { splitStatements } from './split-statements.js';

const shown = (text: string): string[] => splitStatements(text).map((statement) => statement.shown);

describe('splitStatements', () => {
  it('cuts sentences, not at abbreviations, numbers or versions', () => {
    expect(shown('Ask Dr. Smith first. It costs 3.50 euros, e.g. for version 1.2.3. Done?')).toEqual([
      'Ask Dr. Smith first.',
      'It costs 3.50 euros, e.g. for version 1.2.3.',
      'Done?',
    ]);
  });

  it('reads a wrapped paragraph as one, and quotes it so that it stands in the passage but for white space', () => {
    const text = 'Invoices are kept\nfor 180 days. Then\nthey go.';
    expect(shown(text)).toEqual(['Invoices are kept for 180 days.', 'Then they go.']);
    for (const { quote } of splitStatements(text)) expect(text.replace(/\s+/g, '')).toContain(quote.replace(/\s+/g, ''));
  });

  it('takes list items and sentences under their heading', () => {
    expect(splitStatements('# Access\n\n- Ask the owner.\n2. Wait\n   a day.\n\nText')).toEqual([
      { shown: 'Ask the owner.', quote: 'Ask the owner.', heading: 'Access' },
      { shown: 'Wait a day.', quote: 'Wait    a day.', heading: 'Access' },
      { shown: 'Text', quote: 'Text', heading: 'Access' },
    ]);
  });

  it('shows a table row with its columns, and quotes the row', () => {
    const table = '| Plan | Retention |\n| --- | ---: |\n| Free | 7 days |\n| Pro | 90 days |';
    expect(splitStatements(table).map(({ shown: row, quote }) => [row, quote])).toEqual([
      ['Plan: Free; Retention: 7 days.', '| Free | 7 days |'],
      ['Plan: Pro; Retention: 90 days.', '| Pro | 90 days |'],
    ]);
  });

  it('keeps a code block whole, an unclosed one too', () => {
    expect(shown('Run this:\n```sh\nshop rollback. Now.\n```\nThen wait.')).toEqual([
      'Run this:',
      '```sh\nshop rollback. Now.\n```',
      'Then wait.',
    ]);
    expect(shown('```\nhalf of it')).toEqual(['```\nhalf of it']);
  });

  it('cuts Chinese and Japanese sentences', () => {
    expect(shown('发票保存180天。之后删除。')).toEqual(['发票保存180天。', '之后删除。']);
  });

  it('gives the whole text where it is only a heading, and nothing for nothing', () => {
    expect(shown('# Only this')).toEqual(['# Only this']);
    expect(shown(' \n ')).toEqual([]);
    expect(shown('---')).toEqual([]);
  });
});
