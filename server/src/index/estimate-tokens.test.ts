import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import * as tokenizers from '@huggingface/tokenizers';
import { estimateTokens } from './estimate-tokens.js';

const { Tokenizer } = tokenizers as unknown as {
  Tokenizer: new (tokenizer: object, config: object) => { encode(text: string, options: object): { ids: number[] } };
};
const file = fileURLToPath(new URL('../../weights/all-minilm-l6-v2/tokenizer.json', import.meta.url));
const texts: [string, string][] = [
  [
    'English prose',
    'Customers may return a product within ninety days of delivery. The warehouse inspects what comes back, and accounting refunds ' +
      'the purchase price to the card that was charged, usually on the following working day. Shipping costs are not refunded, ' +
      'unless the product was damaged or something else was delivered than what had been ordered.',
  ],
  [
    'technical Markdown',
    '## Restarting a replica\n\n- Run `systemctl restart postgresql@16-main` on the standby (as root).\n- Check `pg_stat_replication`: ' +
      'state must be `streaming`, and `replay_lag` under 5 seconds.\n\n| parameter | default | meaning |\n|---|---|---|\n| `max_wal_size` | 1 GB | checkpoint |\n',
  ],
  [
    'code',
    'export function total(items: readonly Item[]): number {\n  return items.reduce((sum, item) => sum + item.price * item.quantity, 0);\n}\n',
  ],
  [
    'rows',
    Array.from(
      { length: 20 },
      (_, index) => `${1000 + index},widget ${index},${index * 3}.25,2026-01-${10 + index},shipped`,
    ).join('\n'),
  ],
  ['Chinese', '数据库是按照数据结构来组织、存储和管理数据的仓库。它产生于六十多年前，随着信息技术和市场的发展，数据管理改变了。'],
  [
    'Japanese',
    'データベースは、検索や蓄積が容易にできるよう整理された情報の集まり。通常はコンピュータによって実現されたものを指す。',
  ],
];

describe('estimateTokens', () => {
  it.each(texts)("is within 15 %% of the tokenizer's count for %s", async (_name, text) => {
    const tokenizer = new Tokenizer(JSON.parse(await readFile(file, 'utf8')) as object, {});
    const counted = tokenizer.encode(text, { add_special_tokens: false }).ids.length;
    expect(estimateTokens(text) / counted).toBeGreaterThan(0.85);
    expect(estimateTokens(text) / counted).toBeLessThan(1.15);
  });

  it('counts a range as it counts that text alone, and white space as nothing', () => {
    expect(estimateTokens('one two three', 4, 7)).toBe(estimateTokens('two'));
    expect(estimateTokens(' \n\t\u3000')).toBe(0);
  });
});
