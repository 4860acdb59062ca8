import { describe, expect, it } from '@jest/globals';
import type { EventInput } from '@ossian/shared';
import { followDelete, precedingDelete } from './follow-delete.js';

const at = { topic: 't', partition: 0, timestamp: '1764550000000' };
const deleted: EventInput = {
  id: 'c:t:0:7:1',
  op: 'delete',
  document: { source: 't', key: 'id=1' },
  reason: 'deleted',
  position: { ...at, offset: '7', source_position: '29233952', source_timestamp: '1764549999123', snapshot: false },
};
const tombstone: EventInput = {
  id: 'c:t:0:8:1',
  op: 'delete',
  document: { source: 't', key: 'id=1' },
  reason: 'tombstone',
  position: { ...at, offset: '8', snapshot: false },
};

describe('followDelete', () => {
  it('gives a tombstone the source position of the delete right before it, and nothing else of it', () => {
    expect(followDelete(tombstone, precedingDelete(deleted))).toEqual({
      ...tombstone,
      position: { ...at, offset: '8', source_position: '29233952', source_timestamp: '1764549999123', snapshot: false },
    });
  });
  it.each<[string, EventInput, EventInput]>([
    ['the tombstone of another key', { ...tombstone, document: { source: 't', key: 'id=2' } }, deleted],
    ['the tombstone of another source', { ...tombstone, document: { source: 'u', key: 'id=1' } }, deleted],
    ['a second delete', { ...deleted, id: 'again', position: { ...at, offset: '8' } }, deleted],
    ['a tombstone with a position of its own', { ...tombstone, position: { ...at, offset: '8', source_position: '5' } }, deleted],
    ['a tombstone behind a tombstone', tombstone, tombstone],
    [
      'a tombstone behind a row',
      tombstone,
      { id: 'r', op: 'upsert', document: { source: 't', key: 'id=1' }, position: { ...at, offset: '7', source_position: '3' } },
    ],
  ])('leaves %s as it is', (_title, event, before) => {
    expect(followDelete(event, precedingDelete(before))).toBe(event);
  });
});
