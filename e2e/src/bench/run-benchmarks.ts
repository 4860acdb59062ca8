import { untilInterrupted } from '../processes/until-interrupted.js';
import { Scene } from '../harness/scene.js';
import { missingRequirements, startStack } from '../stack/index.js';
import { BenchError } from './bench-error.js';
import type { BenchOptions, Benchmark, Print } from './benchmark.js';
import { describeLoad, describeMachine } from './report/describe-machine.js';
import { printReport } from './report/print-report.js';

export interface Planned {
  readonly benchmark: Benchmark;
  readonly options: BenchOptions;
}
interface Printers {
  /** What was measured. */
  readonly print: Print;
  /** How it goes on. */
  readonly progress: Print;
}

/**
 * Runs the benchmarks one after the other on the stack that OSSIAN_TEST_* name, else on one of its own, and prints a report of each.
 *
 * @throws BenchError where it was interrupted; what it has made is removed first.
 */
export async function runBenchmarks(planned: readonly Planned[], printers: Printers): Promise<void> {
  const stop = await startOwnStack(printers.progress);
  const interruption = new AbortController();
  void untilInterrupted().then(() => {
    printers.progress('interrupted: removing what was made');
    interruption.abort(new BenchError('interrupted'));
  });
  try {
    for (const plan of planned) await runOne(plan, interruption.signal, printers);
  } finally {
    await stop();
  }
}

async function runOne({ benchmark, options }: Planned, signal: AbortSignal, { print, progress }: Printers): Promise<void> {
  const scene = await Scene.open();
  try {
    const machine = await describeMachine(scene);
    const [before, started] = [describeLoad(), performance.now()];
    const tell = (line: string): void => progress(`${benchmark.name}: ${line}`);
    signal.throwIfAborted();
    const report = await benchmark.run(scene, options, { print: tell, signal });
    const seconds = Math.round((performance.now() - started) / 1000);
    const load = `load      ${before} at the start, ${describeLoad()} at the end; the whole run took ${seconds} s`;
    printReport(report, [...machine, load], print);
  } finally {
    await scene.close();
  }
}

/** @returns what stops it; nothing where a stack is given. */
async function startOwnStack(progress: Print): Promise<() => Promise<void>> {
  if (process.env['OSSIAN_TEST_KAFKA'] !== undefined) return () => Promise.resolve();
  const missing = missingRequirements();
  if (missing.length > 0) throw new BenchError(`the stack cannot run here:\n  ${missing.join('\n  ')}`);
  const stack = await startStack({ progress: (line) => progress(`stack: ${line}`) });
  Object.assign(process.env, stack.environment());
  return () => stack.stop();
}
