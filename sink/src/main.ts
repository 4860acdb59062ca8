import { Command, CommanderError } from 'commander';
import { inspectCommand } from './cli/inspect.js';
import { offsetsCommand } from './cli/offsets.js';
import { runCommand } from './cli/run.js';
import { validateCommand } from './cli/validate.js';
import { exitCodeOf } from './cli/exit-code.js';
import { version } from './cli/version.js';

const help = `
Begin with a connector file (Kafka Connect's .properties or JSON) and what it would send:
  $ ossian-sink validate --config articles.properties
  $ ossian-sink inspect --config articles.properties --records articles.jsonl
  $ ossian-sink run --config articles.properties

Exit codes: 0 done; 1 failed; 2 configuration; 3 a service out of reach.`;

function createProgram(): Command {
  const program = new Command('ossian-sink')
    .description("Delivers Debezium's change topics to an Ossian backend, with Kafka Connect's semantics.")
    .version(version())
    .showHelpAfterError('(ossian-sink COMMAND --help says how)')
    .addHelpText('after', help)
    .exitOverride();
  for (const add of [runCommand, validateCommand, inspectCommand, offsetsCommand]) add(program);
  return program;
}

async function main(): Promise<void> {
  try {
    await createProgram().parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      // Help and version were asked for (0); anything else is a command line that is wrong (2).
      process.exitCode = error.exitCode === 0 ? 0 : 2;
      return;
    }
    process.stderr.write(`ossian-sink: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = exitCodeOf(error);
  }
}

await main();
