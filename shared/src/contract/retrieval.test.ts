import { describe, expect, it } from '@jest/globals';
import { filterSchema } from './retrieval.js';

const entries = (count: number, condition: unknown): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, condition]));

describe('filterSchema', () => {
  it.each([
    ['100 values', entries(100, 'a')],
    ['50 ranges', entries(50, { $gte: '1', $lt: '2' })],
    ['1,000 members', { team: { $in: Array.from({ length: 1000 }, (_, index) => `team ${index}`) } }],
  ])('takes %s', (_title, filter) => {
    expect(filterSchema.safeParse(filter).success).toBe(true);
  });
  // A statement with ten thousands of conditions ends an embedded database, and with it the server.
  it.each([
    ['101 values', entries(101, 'a'), 'a filter may have at most 100 conditions'],
    ['51 ranges', entries(51, { $gte: '1', $lt: '2' }), 'a filter may have at most 100 conditions'],
    ['101 empty conditions', entries(101, {}), 'a filter may have at most 100 conditions'],
    [
      '1,001 members in two lists',
      entries(2, { $in: Array.from({ length: 501 }, () => 'a') }),
      'a filter may name at most 1000 values with $in',
    ],
  ])('refuses %s, and says why', (_title, filter, message) => {
    expect(filterSchema.safeParse(filter).error?.issues[0]?.message).toBe(message);
  });
});
