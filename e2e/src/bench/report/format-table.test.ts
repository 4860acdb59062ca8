import { describe, expect, it } from '@jest/globals';
import { formatNumber, formatTable } from './format-table.js';

describe('formatTable', () => {
  it('aligns names left and figures right, and shows what is not known as a dash', () => {
    const rows = [
      ['bare consumer', 95_123.4, '1'],
      ['sink', 7.5, undefined],
    ];
    expect(formatTable(['what', 'rows/s', 'ratio'], rows)).toBe(
      [
        '| what          | rows/s | ratio |',
        '| ------------- | -----: | ----: |',
        '| bare consumer | 95,123 |     1 |',
        '| sink          |   7.50 |     – |',
      ].join('\n'),
    );
  });
  it('shows a row that is too short with dashes', () => {
    expect(formatTable(['a', 'b'], [['x']])).toContain('| x   |   – |');
  });
});

describe('formatNumber', () => {
  it.each([
    [0, '0'],
    [0.05123, '0.0512'],
    [1.234, '1.23'],
    [99.94, '99.9'],
    [99.97, '100'],
    [1234.5, '1,235'],
    [1_234_567, '1,234,567'],
  ])('%d is %s', (value, text) => {
    expect(formatNumber(value)).toBe(text);
  });
});
