import { type EventResult, sleep } from '@ossian/shared';
import { askBackend } from '../deliver/ask-backend.js';
import { deliverEvents, type DeliveryPorts } from '../deliver/deliver-events.js';
import type { ForeignAnswers } from '../deliver/end-by-verdict.js';
import { DeliveryStopped } from '../deliver/delivery-stopped.js';
import type { OutgoingRecord } from './partition-work.js';
import { settleRecords, type SettlePorts } from './settle-records.js';
import type { RecordEnd, TaskCounts } from './task-counts.js';
import type { WaitBoard } from './wait-board.js';
import type { TaskPorts } from './task-ports.js';

export interface DeliveryHooks {
  readonly counts: TaskCounts;
  readonly waits: WaitBoard;
  readonly now: () => number;
  readonly failed: (error: unknown) => void;
  /** A batch has ended, or a partition is free again. */
  readonly changed: () => void;
}

/** The batches that are under way, and what becomes of their records. */
export class RecordDelivery {
  readonly #ports: TaskPorts;
  readonly #hooks: DeliveryHooks;
  readonly #stop = new AbortController();
  readonly #kill = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #foreign: ForeignAnswers = { since: undefined };
  #asking: Promise<void> | undefined;

  constructor(ports: TaskPorts, hooks: DeliveryHooks) {
    this.#ports = ports;
    this.#hooks = hooks;
  }

  get underWay(): number {
    return this.#running.size;
  }

  /** True until the backend has answered what `ask` asked. */
  get isAsking(): boolean {
    return this.#asking !== undefined;
  }

  /** Asks in the background whether the backend takes what comes; fails the task where it does not. Once at a time. */
  ask(): void {
    if (this.#asking !== undefined || this.#stop.signal.aborted) return;
    const { backend, settings } = this.#ports;
    const { now, waits, failed, changed } = this.#hooks;
    const waiting = (reason: string, attempts: number): void => waits.set('backend', { reason, attempts });
    const ports = { backend, settings: settings.delivery, stop: this.#stop.signal, waiting, foreign: this.#foreign, now };
    this.#asking = askBackend(ports)
      .catch(failed)
      .finally(() => {
        this.#asking = undefined;
        waits.clear('backend');
        changed();
      });
  }

  /** Sends a batch in the background. @param fence ends its waits: its records are not ours any more. */
  begin(batch: readonly OutgoingRecord[], fence: AbortSignal): void {
    const running = this.#deliver(batch, fence).finally(() => {
      this.#running.delete(running);
      this.#hooks.changed();
    });
    this.#running.add(running);
  }

  /** Lets requests that are under way end, none begin, and after the bound (milliseconds) none go on. */
  async drain(bound: number): Promise<void> {
    this.#stop.abort();
    const over = new AbortController();
    const late = sleep(bound, over.signal).then(() => this.#kill.abort());
    await Promise.all([...this.#running, this.#asking]);
    over.abort();
    await late;
  }

  async #deliver(batch: readonly OutgoingRecord[], fence: AbortSignal): Promise<void> {
    const left = new Set(batch);
    const stop = new AbortController();
    const abort = (): void => stop.abort();
    for (const signal of [fence, this.#stop.signal]) {
      if (signal.aborted) abort();
      signal.addEventListener('abort', abort, { once: true });
    }
    const leave = (item: OutgoingRecord): void => {
      if (!left.delete(item)) return;
      item.work.inFlight -= 1;
      if (item.work.inFlight === 0) this.#hooks.changed();
    };
    const end = (item: OutgoingRecord, how: RecordEnd): void => {
      leave(item);
      if (fence.aborted) return;
      item.entry.end();
      this.#hooks.counts.ended(how);
    };
    try {
      await deliverEvents(this.#deliveryPorts(stop.signal, end), batch);
    } catch (error) {
      if (!DeliveryStopped.is(error)) this.#hooks.failed(error);
    } finally {
      for (const signal of [fence, this.#stop.signal]) signal.removeEventListener('abort', abort);
      for (const item of left) leave(item);
      for (const name of new Set(batch.map(({ work }) => work.name))) this.#hooks.waits.clear(name);
    }
  }

  #deliveryPorts(stop: AbortSignal, end: SettlePorts['end']): DeliveryPorts<OutgoingRecord> {
    const { backend, settings } = this.#ports;
    return {
      backend: {
        sendEvents: (events, signal) => {
          this.#hooks.counts.request();
          return backend.sendEvents(events, signal);
        },
        readKeyAgain: () => backend.readKeyAgain(),
      },
      settings: settings.delivery,
      stop,
      kill: this.#kill.signal,
      settle: (items, results) => this.#settle(items, results, stop, end),
      waiting: (wait) => {
        this.#hooks.counts.retry();
        const { topic, partition, offset } = wait.coordinates;
        const { reason, records, attempt } = wait;
        this.#hooks.waits.set(`${topic}-${partition}`, { reason, coordinates: wait.coordinates, records, attempts: attempt });
        // At the first attempts each time, later at every tenth.
        if (attempt < 3 || attempt % 10 === 0) {
          this.#ports.logger.warn({ topic, partition, offset: String(offset), records, attempt, ms: wait.milliseconds }, reason);
        }
      },
      foreign: this.#foreign,
      now: this.#hooks.now,
    };
  }

  async #settle(
    items: readonly OutgoingRecord[],
    results: readonly (EventResult | undefined)[],
    stop: AbortSignal,
    end: SettlePorts['end'],
  ): Promise<void> {
    const { settings, deadLetters, logger, task } = this.#ports;
    const { waits } = this.#hooks;
    for (const { work } of items) waits.clear(work.name);
    const ports: SettlePorts = {
      settings,
      deadLetters,
      logger,
      reporter: { connector: settings.name, task },
      end,
      deliverSkips: (skips) => deliverEvents({ ...this.#deliveryPorts(stop, end), settle: () => Promise.resolve() }, skips),
      waiting: (reason, coordinates, attempts) => {
        const name = `dead letters ${coordinates.topic}-${coordinates.partition}`;
        if (reason === undefined) waits.clear(name);
        else waits.set(name, { reason: `the dead letter queue is away: ${reason}`, coordinates, attempts });
      },
    };
    await settleRecords(ports, items, results, stop);
  }
}
