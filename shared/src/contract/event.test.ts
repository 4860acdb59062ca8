import { describe, expect, it } from '@jest/globals';
import { eventSchema, positionSchema } from './event.js';

const upsertOf = (parts: object): object => ({ id: '1', op: 'upsert', document: { source: 's', key: 'k', ...parts } });

describe('eventSchema', () => {
  it('keeps integers past 2^53 as text', () => {
    const position = { topic: 't', partition: 0, offset: '9007199254740993', timestamp: '1764550000000' };
    expect(positionSchema.parse(position).offset).toBe('9007199254740993');
    expect(positionSchema.safeParse({ ...position, offset: 9007199254740992 }).success).toBe(false);
  });
  it('takes 5,000 sections and as many unchanged parts', () => {
    const sections = Array.from({ length: 5000 }, (_, index) => ({ name: `s${index}`, text: 'b' }));
    const unchanged = sections.map(({ name }) => `/metadata/${name}`);
    expect(eventSchema.safeParse(upsertOf({ sections, unchanged })).success).toBe(true);
  });
  it.each([
    ['an event without key', { id: '1', op: 'upsert', document: { source: 's' } }],
    ['a number in metadata', { id: '1', op: 'upsert', document: { source: 's', key: 'k', metadata: { price: 9.5 } } }],
    ['a clear without position', { id: '1', op: 'clear', document: { source: 's' } }],
    ['an unknown unchanged part', { id: '1', op: 'upsert', document: { source: 's', key: 'k', unchanged: ['/key'] } }],
    ['5,001 sections', upsertOf({ sections: Array.from({ length: 5001 }, () => ({ name: 'a', text: 'b' })) })],
    ['5,001 unchanged parts', upsertOf({ unchanged: Array.from({ length: 5001 }, () => '/title') })],
    ['an unknown op', { id: '1', op: 'replace', document: { source: 's', key: 'k' } }],
  ])('refuses %s', (_title, event) => {
    expect(eventSchema.safeParse(event).success).toBe(false);
  });
});
