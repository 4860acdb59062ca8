import { readFileSync } from 'node:fs';
import { BackendProblem, describeError, ProblemError } from '@ossian/shared';
import { Command } from 'commander';
import { keysCommand } from './cli/keys-command.js';
import { serveCommand } from './cli/serve-command.js';
import { ConfigurationError } from './config/configuration-error.js';
import { describeEnvironment } from './config/environment.js';
import { DatabaseOpenError } from './storage/database-open-error.js';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };

const program = new Command('ossian-server')
  .description('keeps corpora that follow your databases, and answers questions about them with citations')
  .version(version)
  .addHelpText('after', `\n${describeEnvironment()}`)
  .action(() => serveCommand(version));
program.addCommand(keysCommand());

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
  // A worker that was started would keep the process.
  process.exit();
}

/** One clear line for each fault that the user can mend, and exit code 2; anything else is ours, with its stack, and 1. */
function report(error: unknown): number {
  const mendable =
    ConfigurationError.is(error) || DatabaseOpenError.is(error) || ProblemError.is(error) || BackendProblem.is(error);
  const lines = mendable ? error.message.split('\n') : [describeError(error).stack ?? describeError(error).message];
  for (const line of lines) process.stderr.write(`ossian-server: ${line}\n`);
  return mendable ? 2 : 1;
}
