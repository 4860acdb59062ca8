import type { Corpus } from '../harness/corpus.js';

/** What a delivery came to. */
export interface DeliverySummary {
  readonly records: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly ignored: number;
  readonly deadLettered: number;
}

/** Where the demo's story takes place: recorded topics, or a live database. */
export interface DemoStage {
  readonly corpus: Corpus;
  /** Lines that say where everything is. */
  readonly places: readonly string[];
  deliverSnapshot(): Promise<DeliverySummary>;
  deliverChanges(): Promise<DeliverySummary>;
  /** Everything again, from the first record. */
  replay(): Promise<DeliverySummary>;
}
