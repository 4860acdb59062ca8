/** One reading of a whole topic. */
export interface TopicRun {
  readonly topic: string;
  /** How many records it holds. */
  readonly records: number;
  /** Counted from 1; every round has a consumer group of its own. */
  readonly round: number;
  readonly signal: AbortSignal;
}
