import { parseArgs } from 'node:util';
import { BackendProblem } from '@ossian/shared';
import { ProcessError } from '../processes/process-error.js';
import { StackError } from '../stack/index.js';
import { BenchError } from './bench-error.js';
import type { BenchOptions } from './benchmark.js';
import { freshnessBenchmark } from './freshness/bench-freshness.js';
import { ingestBenchmark } from './ingest/bench-ingest.js';
import { type Planned, runBenchmarks } from './run-benchmarks.js';
import { sinkBenchmark } from './sink/bench-sink.js';

const benchmarks = [sinkBenchmark, ingestBenchmark, freshnessBenchmark];
const smallRun = 'about 5 minutes on 2 busy cores, less on a quiet machine';

const usage = `Usage: npm run bench [-- NAME] [OPTIONS]

Measures Ossian against what it is built on, both in the same run on this machine, and prints the ratio beside the absolute figures.
${benchmarks.map(({ name, compares }) => `  ${name.padEnd(11)}${compares}`).join('\n')}
Without a name all three run with small sizes (${smallRun}).

  --records N   rows or records of one run (${benchmarks.map(({ name, standard }) => `${name} ${standard.records}`).join(', ')})
  --rounds N    how often each contender runs (sink and ingest ${sinkBenchmark.standard.rounds})
  --updates N   updates that freshness measures (${freshnessBenchmark.standard.updates})
  --help        this text

It starts the stack (Kafka, Debezium, two Postgres) by itself and stops it; where OSSIAN_TEST_KAFKA and its like are set, it uses that one
and leaves it running. The table goes to standard output, progress to standard error.
`;

class UsageError extends Error {
  override readonly name = 'UsageError';
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      records: { type: 'string' },
      rounds: { type: 'string' },
      updates: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const progress = (line: string): void => void process.stderr.write(`${line}\n`);
  if (values.help) return print(usage);
  const sizes = readSizes(values);
  const planned = plan(positionals, sizes);
  if (positionals.length === 0) progress(`all benchmarks, with small sizes: ${smallRun}`);
  await runBenchmarks(planned, { print, progress });
}

function plan(names: readonly string[], sizes: Partial<BenchOptions>): Planned[] {
  if (names.length === 0) return benchmarks.map((benchmark) => ({ benchmark, options: { ...benchmark.small, ...sizes } }));
  return names.map((name) => {
    const benchmark = benchmarks.find((candidate) => candidate.name === name);
    if (benchmark === undefined) throw new UsageError(`there is no benchmark called "${name}"`);
    return { benchmark, options: { ...benchmark.standard, ...sizes } };
  });
}

function readSizes(values: Readonly<Record<string, string | boolean | undefined>>): Partial<BenchOptions> {
  const given = ['records', 'rounds', 'updates'].flatMap((name) => {
    const text = values[name];
    if (typeof text !== 'string') return [];
    if (!/^[1-9]\d{0,6}$/.test(text)) throw new UsageError(`--${name} is a number from 1 to 9999999, not "${text}"`);
    return [[name, Number(text)] as const];
  });
  return Object.fromEntries(given);
}

try {
  await main();
} catch (error) {
  const isUsage =
    error instanceof UsageError ||
    (error instanceof TypeError && String((error as { code?: string }).code).startsWith('ERR_PARSE_ARGS'));
  const known = [BenchError, StackError, ProcessError, BackendProblem].some((kind) => kind.is(error));
  if (!isUsage && !known) throw error;
  process.stderr.write(`bench: ${(error as Error).message}\n${isUsage ? `\n${usage}` : ''}`);
  process.exitCode = isUsage ? 2 : 1;
}
// The wait for an interruption keeps the process alive.
process.exit();
