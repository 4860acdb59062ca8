import type { RecordSource } from '../source/record-source.js';
import type { PartitionWork } from './partition-work.js';
import { type PauseReason, PauseReasons } from './pause-reasons.js';

/** Bytes of fetched records that a task holds before they are prepared, over all its partitions. */
const bufferBytes = 16 * 1024 * 1024;

/** Pauses and resumes partitions: by the operator, and where more is fetched than is delivered. */
export class FetchControl {
  readonly #source: Pick<RecordSource, 'pause' | 'resume'>;
  readonly #reasons = new PauseReasons();

  constructor(source: Pick<RecordSource, 'pause' | 'resume'>) {
    this.#source = source;
  }

  /** After a new assignment nothing is paused. */
  assigned(): void {
    this.#reasons.clear();
  }
  pauseAll(works: readonly PartitionWork[]): void {
    for (const work of works) this.#add(work, 'operator');
  }
  resumeAll(works: readonly PartitionWork[]): void {
    for (const work of works) this.#remove(work, 'operator');
  }

  /** Each partition has its share of the buffer, so that one that is held up does not hold up the others. */
  balance(works: readonly PartitionWork[]): void {
    const share = bufferBytes / Math.max(1, works.length);
    for (const work of works) {
      if (work.incomingBytes > share) this.#add(work, 'buffer');
      else if (work.incomingBytes < share / 2) this.#remove(work, 'buffer');
    }
  }

  #add(work: PartitionWork, reason: PauseReason): void {
    if (this.#reasons.add(work.name, reason)) this.#source.pause(work);
  }
  #remove(work: PartitionWork, reason: PauseReason): void {
    if (this.#reasons.remove(work.name, reason)) this.#source.resume(work);
  }
}
