import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { cleanEnvironment } from './clean-environment.js';
import { serverProgram } from './server-process.js';

export const sinkProgram = fileURLToPath(new URL('../../../sink/bin/ossian-sink.js', import.meta.url));
const programs = {
  server: serverProgram,
  sink: sinkProgram,
  demo: fileURLToPath(new URL('../../bin/demo.js', import.meta.url)),
};

export interface ProgramResult {
  /** Null where it was killed, as it is after a minute. */
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs `ossian-sink`, `ossian-server` or the demo until it ends by itself. */
export async function runProgram(
  name: keyof typeof programs,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  milliseconds = 60_000,
): Promise<ProgramResult> {
  const child = spawn(process.execPath, [programs[name], ...args], {
    env: { ...cleanEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: milliseconds,
    killSignal: 'SIGKILL',
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (bytes: Buffer) => (output.stdout += bytes.toString()));
  child.stderr.on('data', (bytes: Buffer) => (output.stderr += bytes.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { code, ...output };
}
