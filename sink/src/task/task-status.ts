import type { FatalError } from '../errors/fatal-error.js';
import type { TaskCountsView } from './task-counts.js';
import type { TaskState } from './task-state.js';
import type { WaitView } from './wait-board.js';

export interface PartitionStatus {
  readonly topic: string;
  readonly partition: number;
  /** The next offset to be read after a restart. */
  readonly committed: bigint | undefined;
  /** The offset after the last record received. */
  readonly position: bigint;
  /** The log's end as it was last seen. */
  readonly end: bigint;
  /** Offsets between what has ended and the log's end. */
  readonly lag: bigint;
}

/** The truth about a task: RUNNING means progress, or caught up, or a wait whose reasons are in `waits`. */
export interface TaskStatus {
  readonly id: number;
  readonly state: TaskState;
  /** Why it failed, or what it waits for; undefined where it does neither. */
  readonly trace: string | undefined;
  readonly error: FatalError | undefined;
  readonly waits: readonly WaitView[];
  readonly counts: TaskCountsView;
  readonly partitions: readonly PartitionStatus[];
}
