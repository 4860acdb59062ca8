import { describe, expect, it } from '@jest/globals';
import type { SeenRequest } from './faulty-proxy.js';
import { countOutcomes, deliveredUpTo, outcomesByEvent, placeOfEvent } from './seen-events.js';

const id = (partition: number, offset: number): string => `sink:a%3Ab.c:${partition}:${offset}:1764550000000`;
function request(eventIds: string[], outcomes: string[], status = 200): SeenRequest {
  return { method: 'POST', path: '/v1/corpora/c/events', at: 0, fault: undefined, status, eventIds, outcomes };
}
const requests = [
  request([id(0, 0), id(1, 0)], ['applied', 'rejected']),
  request([id(0, 1)], [], 503),
  request([id(0, 0), id(0, 1)], ['duplicate', 'applied']),
  request([id(1, 2)], ['stale']),
];

describe('what a proxy has seen of events', () => {
  it('gives the place that an id names', () => {
    expect(placeOfEvent(id(3, 17))).toEqual({ topic: 'a:b.c', partition: 3, offset: 17n });
  });
  it('gives the outcomes, by event and counted', () => {
    expect(Object.fromEntries(outcomesByEvent(requests))).toEqual({
      [id(0, 0)]: ['applied', 'duplicate'],
      [id(1, 0)]: ['rejected'],
      [id(0, 1)]: ['applied'],
      [id(1, 2)]: ['stale'],
    });
    expect(countOutcomes(requests)).toEqual({ applied: 2, rejected: 1, duplicate: 1, stale: 1 });
  });
  it('gives how far each partition came, and -1 where something is left out', () => {
    expect(deliveredUpTo(requests)).toEqual(
      new Map([
        [0, 2n],
        [1, -1n],
      ]),
    );
  });
});
