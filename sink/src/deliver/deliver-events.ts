import { BackendProblem, type EventResult, sleep } from '@ossian/shared';
import type { Coordinates } from '../record/consumed-record.js';
import type { Backend, OutgoingEvent } from './backend.js';
import { DeliveryStopped } from './delivery-stopped.js';
import { failedBy, type ForeignAnswers, unauthorized, type VerdictSettings, waitTime } from './end-by-verdict.js';
import { judgeFault, type Verdict } from './verdict.js';

/** One record on its way: its event, where it has one, and where it stands. */
export interface DeliveryItem {
  readonly coordinates: Coordinates;
  readonly event: OutgoingEvent | undefined;
}

/** What a delivery waits for; it stands in the task's status. */
export interface Wait {
  readonly reason: string;
  readonly coordinates: Coordinates;
  /** How many records wait with it. */
  readonly records: number;
  readonly attempt: number;
  readonly milliseconds: number;
}

export interface DeliveryPorts<Item extends DeliveryItem> {
  readonly backend: Pick<Backend, 'sendEvents' | 'readKeyAgain'>;
  readonly settings: VerdictSettings;
  /** Ends waits, and begins no other request. */
  readonly stop: AbortSignal;
  /** Ends requests that are under way too. */
  readonly kill: AbortSignal;
  /** Called for each stretch that was answered, before the next stretch of the same partition is sent. */
  readonly settle: (items: readonly Item[], results: readonly (EventResult | undefined)[]) => Promise<void>;
  /** Told at each wait; the wait is over when its records are settled. */
  readonly waiting: (wait: Wait) => void;
  readonly foreign: ForeignAnswers;
  readonly now: () => number;
  readonly sleep?: typeof sleep;
  readonly random?: () => number;
}

/**
 * Delivers records until each has been answered. A batch is sent whole. Where the backend refuses the batch itself (400,
 * 413) it is parted, and where it timed out or met a 500 it is parted on the next try: first by partition, so that none
 * waits for another's record, then in halves, down to the single record, which is retried without end.
 *
 * @throws FatalError where the task cannot go on, DeliveryStopped where `stop` or `kill` came first.
 */
export async function deliverEvents<Item extends DeliveryItem>(
  ports: DeliveryPorts<Item>,
  items: readonly Item[],
  firstAttempt = 0,
): Promise<void> {
  let readKeyAgain = false;
  for (let attempt = firstAttempt; ; attempt += 1) {
    const answer = await tryOnce(ports, items);
    if ('results' in answer) return ports.settle(items, answer.results);
    const { verdict } = answer;
    if (verdict.kind === 'fail') throw failedBy(verdict, ports.settings);
    if (verdict.kind === 'unauthorized') {
      if (readKeyAgain || !ports.backend.readKeyAgain()) throw unauthorized(verdict.message, ports.settings);
      readKeyAgain = true;
      continue;
    }
    if (verdict.kind === 'split') {
      return items.length === 1
        ? ports.settle(
            items,
            items.map((item) => rejected(item, verdict)),
          )
        : deliverParts(ports, items, 0);
    }
    await waitFor(ports, verdict, attempt, items);
    if (verdict.halve && items.length > 1) return deliverParts(ports, items, attempt + 1);
  }
}

type Answer = { readonly results: readonly (EventResult | undefined)[] } | { readonly verdict: Verdict };

async function tryOnce<Item extends DeliveryItem>(ports: DeliveryPorts<Item>, items: readonly Item[]): Promise<Answer> {
  if (ports.stop.aborted || ports.kill.aborted) throw new DeliveryStopped();
  const events = items.flatMap(({ event }) => event ?? []);
  try {
    const results = events.length === 0 ? [] : await ports.backend.sendEvents(events, ports.kill);
    ports.foreign.since = undefined;
    let next = 0;
    return { results: items.map(({ event }) => (event === undefined ? undefined : results[next++])) };
  } catch (error) {
    if (ports.kill.aborted) throw new DeliveryStopped();
    const verdict = judgeFault(error, ports.now());
    if (BackendProblem.is(error)) ports.foreign.since = undefined;
    return { verdict };
  }
}

async function deliverParts<Item extends DeliveryItem>(
  ports: DeliveryPorts<Item>,
  items: readonly Item[],
  attempt: number,
): Promise<void> {
  const partitions = byPartition(items);
  if (partitions.length > 1) {
    await Promise.all(partitions.map((part) => deliverEvents(ports, part, attempt)));
    return;
  }
  const middle = Math.ceil(items.length / 2);
  await deliverEvents(ports, items.slice(0, middle), attempt);
  await deliverEvents(ports, items.slice(middle));
}

/** The items of each partition, in their order. */
function byPartition<Item extends DeliveryItem>(items: readonly Item[]): Item[][] {
  const partitions = new Map<string, Item[]>();
  for (const item of items) {
    const name = `${item.coordinates.topic}/${item.coordinates.partition}`;
    const part = partitions.get(name);
    if (part === undefined) partitions.set(name, [item]);
    else part.push(item);
  }
  return [...partitions.values()];
}

async function waitFor<Item extends DeliveryItem>(
  ports: DeliveryPorts<Item>,
  verdict: Verdict & { kind: 'wait' },
  attempt: number,
  items: readonly Item[],
): Promise<void> {
  const { settings, foreign, random } = ports;
  const milliseconds = waitTime(verdict, attempt, settings, { foreign, now: ports.now(), random });
  const first = items[0];
  if (first === undefined) return;
  const { coordinates } = first;
  ports.waiting({ reason: verdict.reason, coordinates, records: items.length, attempt, milliseconds });
  await (ports.sleep ?? sleep)(milliseconds, ports.stop);
}

function rejected(item: DeliveryItem, verdict: Verdict & { kind: 'split' }): EventResult | undefined {
  if (item.event === undefined) return undefined;
  return { id: item.event.id, outcome: 'rejected', error: { code: verdict.code, message: verdict.message } };
}
