import { describe, expect, it } from '@jest/globals';
import { eventSchema, positionSchema } from './event.js';

describe('eventSchema', () => {
  it('keeps integers past 2^53 as text', () => {
    const position = { topic: 't', partition: 0, offset: '9007199254740993', timestamp: '1764550000000' };
    expect(positionSchema.parse(position).offset).toBe('9007199254740993');
    expect(positionSchema.safeParse({ ...position, offset: 9007199254740992 }).success).toBe(false);
  });
  it.each([
    ['an event without key', { id: '1', op: 'upsert', document: { source: 's' } }],
    ['a number in metadata', { id: '1', op: 'upsert', document: { source: 's', key: 'k', metadata: { price: 9.5 } } }],
    ['a clear without position', { id: '1', op: 'clear', document: { source: 's' } }],
    ['an unknown unchanged part', { id: '1', op: 'upsert', document: { source: 's', key: 'k', unchanged: ['/key'] } }],
    ['an unknown op', { id: '1', op: 'replace', document: { source: 's', key: 'k' } }],
  ])('refuses %s', (_title, event) => {
    expect(eventSchema.safeParse(event).success).toBe(false);
  });
});
