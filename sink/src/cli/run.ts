import { createLogger, type Logger, onShutdownSignal } from '@ossian/shared';
import type { Command } from 'commander';
import { loadConnectors } from '../config/load-connector.js';
import type { ConnectorSettings } from '../config/settings.js';
import { type RecordsInput, runConnector, type RunningConnector } from '../worker/run-connector.js';
import { logLevel } from './log-level.js';
import { readWorker, serveStatus } from './run/serve-status.js';
import { describeProgress, describeSummary, type RunSummary, summarize } from './run/run-summary.js';

interface RunOptions {
  readonly config: string[];
  readonly records?: string[];
  readonly deadLetters?: string;
  readonly worker?: string;
  readonly json?: boolean;
}

/** Milliseconds between two lines of progress. */
const progressInterval = 5_000;

/** `run`: delivers until it is stopped or every task has failed; with `--records` until the files' end. */
export function runCommand(program: Command): void {
  program
    .command('run')
    .description('deliver records to the backend: from Kafka until it is stopped, or from record files')
    .requiredOption('--config <files...>', 'connectors, .properties or JSON files')
    .option('--records <files...>', 'record files, JSON Lines as "kcat -C -J" prints them: deliver these and exit')
    .option('--dead-letters <file>', 'with --records: where dead letters are appended (default: NAME.dead-letters.jsonl)')
    .option(
      '--worker <file>',
      'where the status is served: a file with listeners=http://HOST:PORT (default http://127.0.0.1:8083)',
    )
    .option('--json', 'print the summary as JSON, one line for each connector')
    .addHelpText('after', help)
    .action(async (options: RunOptions) => {
      const purpose = options.records === undefined ? 'run' : 'records';
      const settings = loadConnectors(options.config, { purpose });
      const logger = createLogger('ossian-sink', logLevel());
      for (const { name, warnings } of settings) for (const warning of warnings) logger.warn({ connector: name }, warning);
      const summaries = await runAll(settings, options, logger);
      for (const summary of summaries) {
        process.stdout.write(`${options.json === true ? JSON.stringify(summary) : describeSummary(summary)}\n`);
      }
      process.exitCode = exitCode(summaries, options.records !== undefined);
    });
}

const help = `
Examples:
  $ ossian-sink run --config articles.properties
  $ ossian-sink run --config articles.properties --records articles.jsonl

While it runs from Kafka, GET /connectors/NAME/status and /health say how it is, on Connect's own paths.
It stops at SIGTERM or Ctrl-C: what is under way is ended and committed first. Logs go to stderr (OSSIAN_LOG_LEVEL).
Exit codes: 0 done; 1 every task failed, or with --records a record was dead-lettered or a task failed; 2 configuration.`;

/** 1: every task FAILED; over record files: any, or a record was dead-lettered. */
export function exitCode(summaries: readonly RunSummary[], overFiles: boolean): number {
  const failed = summaries.filter(({ state }) => state === 'FAILED').length;
  if (overFiles) return failed > 0 || summaries.some(({ dead_lettered: letters }) => letters > 0) ? 1 : 0;
  return failed > 0 && failed === summaries.length ? 1 : 0;
}

async function runAll(settings: readonly ConnectorSettings[], options: RunOptions, logger: Logger): Promise<RunSummary[]> {
  const began = Date.now();
  const worker = options.records === undefined ? readWorker(options.worker) : undefined;
  const connectors = settings.map((one) => runConnector(one, { logger, records: recordsOf(one, options) }));
  const release = onShutdownSignal((signal) => {
    logger.info({ signal }, 'stopping: what is under way is ended first');
    for (const connector of connectors) connector.stop();
    return Promise.resolve();
  }, logger);
  const status = worker === undefined ? undefined : await serveStatus(worker, connectors, logger);
  const show = progressWriter();
  const progress = setInterval(() => connectors.forEach((connector) => show(connector)), progressInterval);
  try {
    return await Promise.all(connectors.map(async ({ name, ended }) => summarize(name, await ended, Date.now() - began)));
  } finally {
    clearInterval(progress);
    await status?.close();
    release();
  }
}

function recordsOf({ name }: ConnectorSettings, options: RunOptions): RecordsInput | undefined {
  if (options.records === undefined) return undefined;
  return { paths: options.records, deadLetters: options.deadLetters ?? `${name}.dead-letters.jsonl` };
}

/** Writes a line on stderr for each connector where something has changed since the last. */
function progressWriter(): (connector: RunningConnector) => void {
  const shown = new Map<string, string>();
  return (connector) => {
    const line = describeProgress(connector.name, connector.status());
    if (shown.get(connector.name) === line) return;
    shown.set(connector.name, line);
    process.stderr.write(`${line}\n`);
  };
}
