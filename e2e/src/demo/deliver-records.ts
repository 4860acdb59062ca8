import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { DeliverySummary } from './demo-stage.js';
import { DemoError } from './demo-error.js';

const program = fileURLToPath(new URL('../../../sink/bin/ossian-sink.js', import.meta.url));

/** The part of the summary of `ossian-sink run --json` that is shown. */
interface RunSummary {
  state: string;
  error: string | null;
  consumed: number;
  ignored: number;
  dead_lettered: number;
  outcomes: Record<string, number>;
}

/** Delivers record files through the whole sink; dead letters are appended to a file. */
export async function deliverRecords(
  configFile: string,
  records: readonly string[],
  deadLetters: string,
): Promise<DeliverySummary> {
  const args = [program, 'run', '--config', configFile, '--records', ...records, '--dead-letters', deadLetters, '--json'];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, OSSIAN_LOG_LEVEL: 'error' },
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (bytes: Buffer) => (output += bytes.toString()));
  child.stderr.on('data', (bytes: Buffer) => (errors += bytes.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  // 1 is also a dead letter among the records, which this demo has on purpose.
  const summary = code === 0 || code === 1 ? lastObject(output) : undefined;
  if (summary === undefined || summary.state === 'FAILED')
    throw new DemoError(`the sink ended with exit code ${code}: ${summary?.error ?? errors.trim()}`);
  const { consumed, ignored, dead_lettered: deadLettered, outcomes } = summary;
  return { records: consumed, ignored, deadLettered, outcomes };
}

function lastObject(output: string): RunSummary | undefined {
  const line = output.trim().split('\n').at(-1) ?? '';
  return line.startsWith('{') ? (JSON.parse(line) as RunSummary) : undefined;
}
