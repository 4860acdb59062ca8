import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { ProcessError } from '../processes/process-error.js';
import { untilInterrupted } from '../processes/until-interrupted.js';
import { missingRequirements } from './check.js';
import { defaultParts, type Part, parsePart, parts } from './part.js';
import { StackError } from './stack-error.js';
import type { Stack } from './stack.js';
import { startStack } from './start-stack.js';

const usage = `Usage:
  stack check                     say whether this machine can run the default parts, and what is missing
  stack start [PART…]             start, print addresses, run until Ctrl-C
  stack run [PART…] -- COMMAND…   start, run the command with the addresses in its environment, stop

Parts: ${parts.join(', ')} (default: ${defaultParts.join(', ')})
Downloads are kept in OSSIAN_STACK_CACHE (default ~/.cache/ossian-stack).
`;

const progress = (line: string): void => void process.stderr.write(`stack: ${line}\n`);

function check(): number {
  const missing = missingRequirements();
  for (const line of missing) progress(line);
  return missing.length === 0 ? 0 : 1;
}

async function start(wanted: readonly Part[]): Promise<number> {
  const stack = await startStack({ parts: wanted, progress });
  progress(`logs are in ${stack.runFolder}/log`);
  for (const [name, value] of Object.entries(stack.environment())) process.stdout.write(`export ${name}=${value}\n`);
  progress('running; Ctrl-C stops it');
  await untilInterrupted();
  await stopTelling(stack);
  return 0;
}

async function run(wanted: readonly Part[], command: readonly string[]): Promise<number> {
  const stack = await startStack({ parts: wanted, progress });
  try {
    return await runIn(stack, command);
  } finally {
    await stopTelling(stack);
  }
}

function runIn(stack: Stack, [command = '', ...args]: readonly string[]): Promise<number> {
  const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...stack.environment() } });
  const release = child.pid === undefined ? () => undefined : stack.adopt(child.pid);
  // Ctrl-C reaches the command too, from the terminal: we wait for it and then stop the stack.
  const forward = (signal: NodeJS.Signals): void => void (signal === 'SIGINT' || child.kill(signal));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, forward);
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new StackError(`"${command}" could not be started: ${error.message}`)));
    child.once('exit', (code, signal) => {
      release();
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

async function stopTelling(stack: Stack): Promise<void> {
  progress('stopping');
  await stack.stop();
  progress('stopped');
}

async function main([verb, ...rest]: readonly string[]): Promise<number> {
  const dashes = rest.indexOf('--');
  const named = (dashes === -1 ? rest : rest.slice(0, dashes)).map(parsePart);
  const wanted = named.length === 0 ? defaultParts : named;
  const command = dashes === -1 ? [] : rest.slice(dashes + 1);
  if (verb === 'check' && rest.length === 0) return check();
  if (verb === 'start' && dashes === -1) return start(wanted);
  if (verb === 'run' && command.length > 0) return run(wanted, command);
  process.stderr.write(usage);
  return 2;
}

/** The command line of the stack; sets the exit code. */
export async function runStackCommand(args: readonly string[]): Promise<void> {
  try {
    process.exitCode = await main(args);
  } catch (error) {
    if (!StackError.is(error) && !ProcessError.is(error)) throw error;
    process.stderr.write(`stack: ${error.message}\n`);
    process.exitCode = 1;
  }
}
