import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Supervisor } from '../processes/supervisor-client.js';
import { defaultParts, type Part, withNeeded } from './part.js';
import type { Progress } from './run-command.js';
import { Stack } from './stack.js';

const dataFolders = ['kafka', 'source-postgres', 'backend-postgres', 'programs'];

export interface StackOptions {
  parts?: readonly Part[];
  /** Data, settings and logs of this stack. Default: a temporary folder, which goes when the stack goes. */
  runFolder?: string;
  progress?: Progress;
}

/**
 * Starts the parts (and those that they need) without Docker and waits until all are ready. They end with `stop()`, and
 * also when this process ends in any way.
 *
 * @throws StackError where something is missing on this machine, ProcessError (with the log's end) where a part does not start.
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const wanted = withNeeded(options.parts ?? defaultParts);
  const runFolder = options.runFolder ?? mkdtempSync(join(tmpdir(), 'ossian-stack-'));
  mkdirSync(join(runFolder, 'log'), { recursive: true });
  chmodSync(runFolder, 0o755); // Postgres may run as another user
  const supervisor = await Supervisor.start();
  const temporary = options.runFolder === undefined;
  if (temporary) supervisor.removeAtEnd(runFolder);
  const stack = new Stack({ supervisor, runFolder, progress: options.progress ?? (() => undefined) });
  try {
    await stack.startParts(wanted);
    return stack;
  } catch (error) {
    // The error names log files: they stay.
    supervisor.keepAtEnd(runFolder);
    if (temporary) for (const name of dataFolders) supervisor.removeAtEnd(join(runFolder, name));
    await supervisor.close();
    throw error;
  }
}
