import type { Scene } from '../harness/scene.js';
import type { Report } from './report/report.js';

export type Print = (line: string) => void;

export interface BenchOptions {
  /** Rows or records of one run; for `freshness` the rows of the table whose rows are updated. */
  readonly records: number;
  /** How often each contender runs; they take turns. */
  readonly rounds: number;
  /** Updates that `freshness` measures. */
  readonly updates: number;
}

export interface Controls {
  /** Tells how it goes on, line by line. */
  readonly print: Print;
  /** Aborted, with a BenchError as its reason, when the run is interrupted: what was made is removed then as at any end. */
  readonly signal: AbortSignal;
}

export interface Benchmark {
  readonly name: string;
  /** What is compared with what, in one line. */
  readonly compares: string;
  /** Sizes where nobody says otherwise. */
  readonly standard: BenchOptions;
  /** Sizes of a run of all benchmarks. */
  readonly small: BenchOptions;
  /** @throws BenchError */
  run(scene: Scene, options: BenchOptions, controls: Controls): Promise<Report>;
}
