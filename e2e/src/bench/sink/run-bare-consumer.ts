import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addressesFromEnvironment, type Scene } from '../../harness/scene.js';
import { BenchError } from '../bench-error.js';
import type { Measurement } from '../run/contender.js';
import type { BareConsumerResult } from './bare-consumer.js';
import type { TopicRun } from './topic-run.js';

const program = fileURLToPath(new URL('./bare-consumer.js', import.meta.url));
const longest = 300_000;

/** Lets the bare consumer read the whole topic in a process of its own. */
export async function runBareConsumer(scene: Scene, { topic, records, round, signal }: TopicRun): Promise<Measurement> {
  const group = `${scene.id}-bare-${round}`;
  const logFile = join(scene.folder, `${group}.log`);
  const args = [program, addressesFromEnvironment().kafka, topic, group, String(records)];
  const consumer = await scene.supervisor.spawn(group, { command: process.execPath, args, cwd: scene.folder, logFile });
  const end = (): void => consumer.signal('SIGKILL');
  const timer = setTimeout(end, longest);
  signal.addEventListener('abort', end);
  const exit = await consumer.exited;
  clearTimeout(timer);
  signal.removeEventListener('abort', end);
  signal.throwIfAborted();
  const output = readFileSync(logFile, 'utf8');
  if (exit.code !== 0) throw new BenchError(`the bare consumer failed (${exit.signal ?? `exit code ${exit.code}`}): ${output}`);
  await scene.kafka.deleteGroup(group);
  const result = JSON.parse(output) as BareConsumerResult;
  if (result.records !== records) throw new BenchError(`the bare consumer read ${result.records} records of ${records}`);
  return { rows: records, seconds: result.seconds, cpu: { client: result.cpuSeconds } };
}
