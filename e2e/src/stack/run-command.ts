import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { finished } from 'node:stream/promises';
import { ProcessError } from '../processes/process-error.js';

/** Says in one line what is being done; a caller prints it, or not. */
export type Progress = (line: string) => void;

export interface CommandOptions {
  /** What the command does, for messages: "downloading Kafka". */
  doing: string;
  logFile: string;
  progress?: Progress;
  env?: NodeJS.ProcessEnv;
  uid?: number;
  gid?: number;
}

/** Runs a command that ends by itself, its output in the log file; a reminder goes to `progress` every five seconds. */
export async function runCommand(command: string, args: readonly string[], options: CommandOptions): Promise<void> {
  mkdirSync(dirname(options.logFile), { recursive: true });
  const log = createWriteStream(options.logFile, { flags: 'a' });
  const { uid, gid } = options;
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: options.env ?? process.env,
    ...(uid === undefined ? {} : { uid }),
    ...(gid === undefined ? {} : { gid }),
  });
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  const started = Date.now();
  const reminder = setInterval(() => {
    options.progress?.(`still ${options.doing} (${Math.round((Date.now() - started) / 1000)} s)`);
  }, 5000);
  try {
    const how = await new Promise<string | undefined>((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('close', (code, signal) => resolve(code === 0 ? undefined : (signal ?? `exit code ${code}`)));
    });
    log.end();
    await finished(log);
    if (how !== undefined) throw new ProcessError(`${options.doing} failed: ${command} ${how}`, [options.logFile]);
  } finally {
    clearInterval(reminder);
    process.off('exit', end);
  }
}
