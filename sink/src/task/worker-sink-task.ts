import { FatalError } from '../errors/fatal-error.js';
import type { PartitionOffset, SourceListener } from '../source/record-source.js';
import { type Assignment, openAssignment } from './assignment.js';
import { assembleBatch } from './assemble-batch.js';
import { CommitCycle } from './commit-cycle.js';
import { FetchControl } from './fetch-control.js';
import { prepareSome } from './prepare-some.js';
import { RecordDelivery } from './record-delivery.js';
import { TaskCounts } from './task-counts.js';
import { nextTaskState, type TaskEvent, type TaskState } from './task-state.js';
import type { TaskPorts, TaskTimings } from './task-ports.js';
import type { TaskStatus } from './task-status.js';
import { WaitBoard, waitLine } from './wait-board.js';
import { Wake } from './wake.js';

const defaultTimings: TaskTimings = { commitInterval: 1_000, progressInterval: 10_000, stopBound: 10_000 };

/** How many batches may be under way at once, over all partitions. */
const batchesInFlight = 4;

/**
 * Kafka Connect's WorkerSinkTask: source → convert → transform → deliver → commit, until it is stopped, its source ends, or
 * it fails. The source fetches and keeps the group's membership by itself, so that nothing in this loop endangers it.
 */
export class WorkerSinkTask {
  readonly #ports: TaskPorts;
  readonly #timings: TaskTimings;
  readonly #now: () => number;
  readonly #counts = new TaskCounts();
  readonly #waits: WaitBoard;
  readonly #wake = new Wake();
  readonly #fetch: FetchControl;
  readonly #delivery: RecordDelivery;
  readonly #commits: CommitCycle;
  readonly #stopSource = new AbortController();
  #state: TaskState = 'UNASSIGNED';
  #failure: FatalError | undefined;
  #assignment: Assignment = openAssignment(-1, [], undefined);
  #sourceEnded = false;
  #stopping = false;

  constructor(ports: TaskPorts) {
    this.#ports = ports;
    this.#timings = { ...defaultTimings, ...ports.timings };
    this.#now = ports.now ?? Date.now;
    this.#waits = new WaitBoard(this.#now);
    this.#fetch = new FetchControl(ports.source);
    this.#commits = new CommitCycle(ports, {
      timings: this.#timings,
      waits: this.#waits,
      now: this.#now,
      failed: (error) => this.#fail(error),
      refused: () => this.#delivery.ask(),
      signal: this.#stopSource.signal,
    });
    this.#delivery = new RecordDelivery(ports, {
      counts: this.#counts,
      waits: this.#waits,
      now: this.#now,
      failed: (error) => this.#fail(error),
      changed: () => this.#wake.now(),
    });
  }

  /** Runs to the end: STOPPED, or FAILED with the reason in the status. Never rejects. */
  async run(): Promise<TaskStatus> {
    this.#apply('start');
    this.#delivery.ask();
    const source = this.#runSource();
    while (!this.#isOver()) {
      if (this.#state === 'RUNNING') {
        prepareSome(this.#assignment.works, this.#ports.settings, this.#preparation);
        this.#deliverBatches();
      }
      this.#fetch.balance(this.#assignment.works);
      this.#commits.commitWhenDue();
      await this.#wake.wait(this.#nextDeadline());
    }
    await this.#finish();
    this.#stopSource.abort();
    await source;
    return this.status();
  }

  /** Stops fetching, ends what is under way within a bound, commits, and leaves the group. `run` resolves then. */
  stop(): void {
    this.#stopping = true;
    this.#wake.now();
  }
  pause(): void {
    this.#apply('pause');
    this.#fetch.pauseAll(this.#assignment.works);
  }
  resume(): void {
    this.#apply('resume');
    this.#fetch.resumeAll(this.#assignment.works);
    this.#wake.now();
  }

  status(): TaskStatus {
    const waits = this.#waits.view();
    const trace = this.#failure?.message ?? (waits.length === 0 ? undefined : waits.map(waitLine).join('\n'));
    return {
      id: this.#ports.task,
      state: this.#state,
      trace,
      error: this.#failure,
      waits,
      counts: this.#counts.view(),
      partitions: this.#assignment.works.map((work) => ({
        topic: work.topic,
        partition: work.partition,
        committed: this.#commits.committed(work),
        position: work.ledger.position,
        end: work.end,
        lag: work.end > work.ledger.committable ? work.end - work.ledger.committable : 0n,
      })),
    };
  }

  async #runSource(): Promise<void> {
    try {
      await this.#ports.source.run(this.#listener, this.#stopSource.signal);
    } catch (error) {
      this.#fail(error);
    }
    this.#sourceEnded = true;
    this.#wake.now();
  }

  readonly #listener: SourceListener = {
    assigned: (generation, partitions) => this.#assign(generation, partitions),
    // The last moment at which this generation's commits count. What it could not commit is received again.
    rebalancing: () => void this.#commits.commit(),
    revoked: () => this.#assign(-1, []),
    received: (received) => {
      const work = this.#assignment.work(received);
      if (work === undefined || this.#assignment.stop.aborted) return;
      this.#counts.received(received.records.length);
      work.receive(received);
      this.#wake.now();
    },
    waiting: (reason) => {
      if (reason === undefined) this.#waits.clear('source');
      else this.#waits.set('source', { reason });
    },
  };

  #assign(generation: number, partitions: readonly PartitionOffset[]): void {
    const before = this.#assignment;
    this.#giveBack();
    this.#assignment = openAssignment(generation, partitions, before);
    if (partitions.length > 0) this.#ports.logger.info({ generation, partitions: partitions.length }, 'partitions assigned');
    this.#commits.assign(generation, this.#assignment.works);
    this.#fetch.assigned();
    if (this.#state === 'PAUSED') this.#fetch.pauseAll(this.#assignment.works);
    this.#wake.now();
  }

  /** Fences what is under way: it can end nothing any more, and its records are received again by their next owner. */
  #giveBack(): void {
    if (this.#assignment.stop.aborted) return; // once: at its end a source revokes what the task has given back already
    this.#assignment.fence();
    this.#counts.givenBack(this.#assignment.works.reduce((total, work) => total + work.ledger.unended, 0));
    for (const work of this.#assignment.works) this.#waits.clear(work.name);
  }

  readonly #preparation = {
    now: (): number => this.#now(),
    ended: (...end: Parameters<TaskCounts['ended']>): void => this.#counts.ended(...end),
    missingColumns: (columns: readonly string[]): void => this.#counts.missingColumns(columns),
    failed: (error: unknown): void => this.#fail(error),
    more: (): void => this.#wake.now(),
  };

  #deliverBatches(): void {
    const { works } = this.#assignment;
    while (this.#delivery.underWay < batchesInFlight && this.#failure === undefined) {
      const isLast = this.#sourceEnded && works.every(({ incoming }) => incoming.size === 0);
      const batch = assembleBatch(works, this.#ports.settings.delivery, this.#now(), isLast);
      if (batch.length === 0) return;
      this.#delivery.begin(batch, this.#assignment.stop);
    }
  }

  #isOver(): boolean {
    if (this.#failure !== undefined || this.#stopping) return true;
    if (!this.#sourceEnded || this.#delivery.isAsking) return false;
    return this.#delivery.underWay === 0 && this.#assignment.works.every(({ empty }) => empty);
  }

  #nextDeadline(): number {
    const now = this.#now();
    const linger = this.#ports.settings.delivery.linger;
    const due = this.#assignment.works
      .filter(({ busy, outgoing }) => !busy && outgoing.size > 0)
      .map(({ outgoing }) => (outgoing.peek()?.readyAt ?? now) + linger);
    return Math.max(1, Math.min(...due, this.#commits.dueAt) - now);
  }

  async #finish(): Promise<void> {
    this.#fetch.pauseAll(this.#assignment.works);
    await this.#delivery.drain(this.#timings.stopBound);
    await this.#commits.commit();
    if (this.#failure === undefined) await this.#commits.lastReport();
    this.#giveBack();
    this.#waits.clearAll();
    await this.#ports.deadLetters?.close();
    this.#apply(this.#failure === undefined ? 'stop' : 'fail');
  }

  #fail(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = FatalError.is(error)
      ? error
      : new FatalError('defect', `unexpected: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    this.#ports.logger.error({ err: this.#failure, code: this.#failure.code }, 'the task has failed');
    this.#apply('fail');
    this.#wake.now();
  }

  #apply(event: TaskEvent): void {
    this.#state = nextTaskState(this.#state, event);
  }
}
