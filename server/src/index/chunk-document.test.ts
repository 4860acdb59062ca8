import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Chunk } from '../corpus/chunk.js';
import { chunkDocument } from './chunk-document.js';
import { estimateTokens } from './estimate-tokens.js';

const cut = (text: string, title: string | null = null): Chunk[] => chunkDocument({ title, sections: [{ name: 'body', text }] });
const SPACE = /\s/;

/** Every character that is not white space lies in one chunk, chunks are in order, and `text` is the exact range. */
function expectExactCover(text: string, chunks: readonly Chunk[]): void {
  let covered = 0;
  for (const chunk of chunks) {
    expect(chunk.start).toBeGreaterThanOrEqual(covered);
    expect(chunk.end).toBeGreaterThan(chunk.start);
    expect(text.slice(covered, chunk.start).trim()).toBe('');
    expect(chunk.text).toBe(text.slice(chunk.start, chunk.end));
    covered = chunk.end;
  }
  expect(text.slice(covered).trim()).toBe('');
}

/** A repeatable random source. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return Math.floor((state / 0x7fffffff) * below) % below;
  };
}
const VOCABULARY =
  'the of a to in pressure flow return customer warranty period ninety days invoice shipping boundary layer measured results heat transfer between which where support ticket closed opened during maintenance window database replica restarted after upgrade'.split(
    ' ',
  );
function sentence(next: (below: number) => number): string {
  const words = Array.from({ length: 6 + next(20) }, () => VOCABULARY[next(VOCABULARY.length)]!);
  return `${words[0]!.charAt(0).toUpperCase()}${words.join(' ').slice(1)}.`;
}
function prose(seed: number, paragraphs: number): string {
  const next = random(seed);
  return Array.from({ length: paragraphs }, () => Array.from({ length: 1 + next(7) }, () => sentence(next)).join(' ')).join(
    '\n\n',
  );
}

describe('chunkDocument', () => {
  it('keeps a document of up to 375 tokens whole', () => {
    const text = `# Returns\n\n${prose(1, 3)}\n\n## Exceptions\n\nNone.`;
    expect(estimateTokens(text)).toBeLessThan(375);
    expect(cut(text).map((chunk) => chunk.text)).toEqual([text]);
  });

  it('makes chunks of 200 to 250 tokens in the mean, none above 375', () => {
    const sizes = cut(prose(2, 500)).map((chunk) => estimateTokens(chunk.text));
    expect(sizes.reduce((sum, size) => sum + size, 0) / sizes.length).toBeGreaterThan(200);
    expect(sizes.reduce((sum, size) => sum + size, 0) / sizes.length).toBeLessThan(250);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(375);
    expect(Math.min(...sizes)).toBeGreaterThan(100);
  });

  it('never lets a chunk span two sections', () => {
    const chunks = chunkDocument({
      title: 't',
      sections: [
        { name: 'body', text: 'One.' },
        { name: 'empty', text: ' ' },
        { name: 'notes', text: 'Two.' },
      ],
    });
    expect(chunks.map(({ section, text, start }) => [section, text, start])).toEqual([
      ['body', 'One.', 0],
      ['notes', 'Two.', 0],
    ]);
  });

  it('embeds title and heading path before the text, and begins at headings', () => {
    const part = (seed: number): string => prose(seed, 6);
    const text = `# Guide\n\n${part(3)}\n\n## Shipping\n\n${part(4)}\n\n### Abroad\n\n${part(5)}\n\nReturns\n=======\n\n${part(6)}`;
    const chunks = cut(text, 'Manual');
    expectExactCover(text, chunks);
    const abroad = chunks.find((chunk) => chunk.text.startsWith('### Abroad'))!;
    expect(abroad.headingPath).toEqual(['Guide', 'Shipping', 'Abroad']);
    expect(abroad.embeddedText).toBe(`Manual\nGuide\nShipping\n${abroad.text}`);
    const last = chunks.at(-1)!;
    expect(last.headingPath).toEqual(['Returns']);
    for (const heading of ['## Shipping', '### Abroad', 'Returns\n===']) {
      expect(chunks.some((chunk) => chunk.text.startsWith(heading))).toBe(true);
    }
  });

  it('keeps table rows whole and repeats the header in what is embedded', () => {
    const rows = Array.from(
      { length: 120 },
      (_, index) => `| part ${index} | ${index * 7} | in stock at warehouse ${index % 5} |`,
    );
    const header = '| name | price | place |\n|---|--:|---|';
    const text = `Prices:\n\n${header}\n${rows.join('\n')}\n`;
    const chunks = cut(text);
    expect(chunks.length).toBeGreaterThan(4);
    expectExactCover(text, chunks);
    for (const chunk of chunks.slice(1)) {
      for (const line of chunk.text.split('\n')) expect(rows).toContain(line);
      expect(chunk.embeddedText).toBe(`${header}\n${chunk.text}`);
    }
  });

  it('keeps separated values by rows, and repeats the names of their columns', () => {
    const rows = Array.from(
      { length: 200 },
      (_, index) => `${index},"widget no ${index}",${index}.50,2026-01-${10 + (index % 18)}`,
    );
    const text = `id,name,price,since\n${rows.join('\n')}`;
    const chunks = cut(text);
    expectExactCover(text, chunks);
    for (const chunk of chunks.slice(1)) {
      for (const line of chunk.text.split('\n')) expect(rows).toContain(line);
      expect(chunk.embeddedText.startsWith('id,name,price,since\n')).toBe(true);
    }
  });

  it('keeps code fences whole, headings and blank lines in them included', () => {
    const fence = `\`\`\`sh\n# not a heading\n\n${'run --this --that\n'.repeat(20)}\`\`\``;
    const text = `${prose(7, 8)}\n\n${fence}\n\n${prose(8, 8)}`;
    const chunks = cut(text);
    expectExactCover(text, chunks);
    expect(chunks.filter((chunk) => chunk.text.includes(fence))).toHaveLength(1);
    expect(chunks.flatMap((chunk) => chunk.headingPath)).toEqual([]);
  });

  it('cuts a fence or row only where it is longer than a chunk may be', () => {
    const fence = `\`\`\`\n${Array.from({ length: 300 }, (_, index) => `line ${index} of the log`).join('\n')}\n\`\`\``;
    const chunks = cut(fence);
    expectExactCover(fence, chunks);
    expect(chunks.length).toBeGreaterThan(3);
    for (const chunk of chunks) expect(estimateTokens(chunk.text)).toBeLessThanOrEqual(375);
    for (const chunk of chunks.slice(1)) expect(chunk.text).toMatch(/^line \d+ of the log/);
  });

  it.each([
    ['Chinese', '数据库是按照数据结构来组织数据的仓库。它产生于六十多年前！随着信息技术的发展，数据管理改变了吗？', /[。！？]$/],
    [
      'Japanese',
      'データベースは検索が容易にできるよう整理された情報の集まり。「返品は九十日以内です。」と書いてある。',
      /[。」]$/,
    ],
  ])('cuts %s behind its own sentence marks', (_name, sentences, ending) => {
    const text = Array.from({ length: 60 }, (_, index) => `第${index}回${sentences}`).join('');
    const chunks = cut(text);
    expect(chunks.length).toBeGreaterThan(5);
    expectExactCover(text, chunks);
    for (const chunk of chunks) expect(chunk.text).toMatch(ending);
  });

  it('covers any text exactly, and never cuts a character or a word in two', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '# Head\n',
        '\n\n',
        '\n',
        '| a | b |\n|--|--|\n| 1 | 2 |\n',
        '```\n',
        '- item ',
        '。',
        '. ',
        '? ',
        '👩‍🚀 ',
        'e\u0301',
        ' \u0308',
        'ᄒ\u1161ᆫ',
        '1,2,3\n',
        '\ud800',
        '\u00a0',
      ),
      fc.string({ unit: 'grapheme', maxLength: 30 }),
      fc.constantFrom(...VOCABULARY).map((word) => `${word} `),
      fc.nat({ max: 5000 }).map((seed) => `${prose(seed, 1)} `),
      fc.integer({ min: 1, max: 60 }).map((count) => 'plain words without marks '.repeat(count)),
    );
    const words = new Intl.Segmenter('en', { granularity: 'word' });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join('');
        const chunks = cut(text);
        expectExactCover(text, chunks);
        const boundaries = new Set([...words.segment(text)].map((segment) => segment.index)).add(text.length);
        for (const chunk of chunks) {
          const trailing = SPACE.test(text.charAt(chunk.end)) || SPACE.test(text.charAt(chunk.start - 1));
          if (!trailing) expect([chunk.start, chunk.end].filter((at) => !boundaries.has(at))).toEqual([]);
          expect(/^\p{M}/u.test(chunk.text) && chunk.start > 0).toBe(false);
        }
        expect(cut(text)).toEqual(chunks);
      }),
      { numRuns: 150 },
    );
  });

  it('a one-word edit of a 100-page text changes one chunk, three at most but for one edit in a hundred', () => {
    const text = prose(11, 700);
    const before = new Set(cut(text).map((chunk) => chunk.embeddedText));
    expect(before.size).toBeGreaterThan(150);
    const changes: number[] = [];
    fc.assert(
      fc.property(fc.double({ min: 0, max: 0.99, noNaN: true }), fc.constantFrom('', 'changed', 'two words'), (place, word) => {
        const start = text.indexOf(' ', Math.floor(place * text.length)) + 1;
        const edited = `${text.slice(0, start)}${word}${text.slice(text.indexOf(' ', start))}`;
        changes.push(cut(edited).filter((chunk) => !before.has(chunk.embeddedText)).length);
        return changes.at(-1)! <= 6;
      }),
      { numRuns: 120 },
    );
    const few = (most: number): number => changes.filter((count) => count <= most).length / changes.length;
    expect(few(1)).toBeGreaterThan(0.8);
    expect(few(3)).toBeGreaterThanOrEqual(0.99 - 1 / changes.length);
  });

  it('takes time in proportion to the length, also on one line', () => {
    // Of the processor's time, since others may use the machine.
    const least = (text: string): number => {
      const times = [0, 1, 2].map(() => {
        const before = process.cpuUsage();
        cut(text);
        const { user, system } = process.cpuUsage(before);
        return user + system;
      });
      return Math.min(...times);
    };
    for (const line of ['word after word and no mark at all ', '漢字', 'x', 'A sentence of words. ', '| \n']) {
      const text = line.repeat(Math.ceil(60_000 / line.length));
      // Eight times the text takes 64 times as long where the time grows with the square.
      expect(least(text.repeat(8)) / least(text)).toBeLessThan(32);
    }
  });
});
