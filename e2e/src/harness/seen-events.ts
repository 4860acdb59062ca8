import type { SeenRequest } from './faulty-proxy.js';

/** Where an event's record lies: its id is connector, topic, partition, offset and timestamp (DESIGN 3.2). */
export function placeOfEvent(id: string): { topic: string; partition: number; offset: bigint } {
  const [, topic = '', partition, offset] = id.split(':').map(decodeURIComponent);
  return { topic, partition: Number(partition), offset: BigInt(offset ?? '') };
}

/** What the backend said of each event, in the order of its answers, whether or not the sink heard it. */
export function outcomesByEvent(requests: readonly SeenRequest[]): Map<string, string[]> {
  const outcomes = new Map<string, string[]>();
  for (const { eventIds, outcomes: said } of requests)
    said.forEach((outcome, index) => {
      const id = eventIds[index] ?? '';
      outcomes.set(id, [...(outcomes.get(id) ?? []), outcome]);
    });
  return outcomes;
}

/** How often the backend gave each outcome. */
export function countOutcomes(requests: readonly SeenRequest[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of requests.flatMap(({ outcomes }) => outcomes)) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** By partition, the offset after the last event that the backend took; without holes, else it is -1. */
export function deliveredUpTo(requests: readonly SeenRequest[]): Map<number, bigint> {
  const offsets = new Map<number, bigint[]>();
  for (const id of outcomesByEvent(requests).keys()) {
    const { partition, offset } = placeOfEvent(id);
    offsets.set(partition, [...(offsets.get(partition) ?? []), offset]);
  }
  const isWhole = (found: readonly bigint[]): boolean => found.every((offset) => offset < BigInt(found.length));
  return new Map([...offsets].map(([partition, found]) => [partition, isWhole(found) ? BigInt(found.length) : -1n]));
}
