import { sleep } from '@ossian/shared';
import { Committer } from '../commit/committer.js';

import { matchesTopicPattern } from '../record/topic-pattern.js';
import { sourceName } from '../debezium/row-identity.js';
import { FatalError } from '../errors/fatal-error.js';
import type { PartitionOffset, TopicPartition } from '../source/record-source.js';
import type { PartitionWork } from './partition-work.js';
import { reportProgress } from './progress-reporter.js';
import type { TaskPorts, TaskTimings } from './task-ports.js';
import type { WaitBoard } from './wait-board.js';

/** Milliseconds. */
const lastReportBound = 2_000;

export interface CommitHooks {
  readonly timings: TaskTimings;
  readonly waits: WaitBoard;
  readonly now: () => number;
  readonly failed: (error: unknown) => void;
  /** The backend refused a report. */
  readonly refused: () => void;
  /** Ends reports that are under way. */
  readonly signal: AbortSignal;
}

/** Commits from time to time what has ended, and tells the backend how far that is. */
export class CommitCycle {
  readonly #ports: TaskPorts;
  readonly #hooks: CommitHooks;
  readonly #committer: Committer;
  #works: readonly PartitionWork[] = [];
  #commitAt = 0;
  #progressAt = 0;
  #reported: string | undefined;

  constructor(ports: TaskPorts, hooks: CommitHooks) {
    this.#ports = ports;
    this.#hooks = hooks;
    this.#committer = new Committer((generation, offsets) => ports.source.commit(generation, offsets));
  }

  assign(generation: number, works: readonly PartitionWork[]): void {
    this.#works = works;
    this.#committer.assign(generation, works);
    this.#reported = undefined;
  }

  committed({ topic, partition }: TopicPartition): bigint | undefined {
    return this.#committer.committed(topic, partition);
  }

  /** When the next commit is due; milliseconds since 1970. */
  get dueAt(): number {
    return this.#commitAt;
  }

  commitWhenDue(): void {
    const now = this.#hooks.now();
    if (now < this.#commitAt) return;
    this.#commitAt = now + this.#hooks.timings.commitInterval;
    void this.commit().then(() => this.#reportWhenDue());
  }

  /** Never rejects: what could not be committed is committed next time, and the status says so until then. */
  async commit(): Promise<void> {
    try {
      await this.#committer.commit();
      this.#hooks.waits.clear('commit');
    } catch (error) {
      if (FatalError.is(error)) return this.#hooks.failed(error);
      const reason = error instanceof Error ? error.message : String(error);
      this.#hooks.waits.set('commit', { reason: `offsets cannot be committed: ${reason}` });
      this.#ports.logger.warn({ err: error }, 'offsets could not be committed');
    }
  }

  /** The last report of a run: a service that is away does not hold up the stop. */
  async lastReport(): Promise<void> {
    const over = new AbortController();
    await Promise.race([this.report(), sleep(lastReportBound, over.signal)]);
    over.abort();
  }

  /** Reports what is committed. Topics by whose name nothing is a row are of no source. */
  report(): Promise<void> {
    const { settings, backend, source, logger } = this.#ports;
    const sourceOf = (topic: string): string => sourceName(topic, settings.mapping(topic));
    const committed = this.#committedOffsets().filter(
      ({ topic }) => !matchesTopicPattern(topic, settings.mapping(topic).sideTopics),
    );
    const ports = {
      connector: settings.name,
      sourceOf,
      backend,
      source,
      logger,
      now: this.#hooks.now,
      refused: this.#hooks.refused,
    };
    return reportProgress(ports, committed, this.#hooks.signal);
  }

  /** From time to time, and at once when everything there is has been committed. */
  #reportWhenDue(): void {
    const caughtUp = this.#works.every(({ ledger, end }) => ledger.open === 0 && ledger.committable >= end);
    const state = this.#committedOffsets()
      .map(({ topic, partition, offset }) => `${topic}/${partition}:${offset}`)
      .join();
    const now = this.#hooks.now();
    if (now < this.#progressAt && !(caughtUp && state !== this.#reported)) return;
    this.#progressAt = now + this.#hooks.timings.progressInterval;
    this.#reported = state;
    void this.report();
  }

  #committedOffsets(): PartitionOffset[] {
    return this.#works.flatMap(({ topic, partition }) => {
      const offset = this.#committer.committed(topic, partition);
      return offset === undefined ? [] : [{ topic, partition, offset }];
    });
  }
}
