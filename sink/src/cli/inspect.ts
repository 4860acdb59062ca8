import type { Command } from 'commander';
import { loadConnector } from '../config/load-connector.js';
import type { ConnectorSettings } from '../config/settings.js';
import type { ConsumedRecord } from '../record/consumed-record.js';
import { readRecordFiles } from '../source/record-file.js';
import { describeInspection } from './inspect/describe-inspection.js';
import { type Inspection, inspectRecord } from './inspect/inspect-record.js';
import { InspectionSummary } from './inspect/inspection-summary.js';
import { printLines } from './inspect/print-lines.js';

interface InspectOptions {
  readonly config: string;
  readonly records: string[];
  readonly json?: boolean;
}

/** `inspect`: says record by record what the sink would send, and why it would not; needs neither Kafka nor a backend. */
export function inspectCommand(program: Command): void {
  program
    .command('inspect')
    .description('show what becomes of recorded records, without Kafka and without a backend')
    .requiredOption('--config <file>', 'the connector, a .properties or JSON file')
    .requiredOption('--records <files...>', 'record files, JSON Lines as "kcat -C -J" prints them')
    .option('--json', 'print JSON Lines: one object for each record, then the summary')
    .addHelpText('after', help)
    .action(async (options: InspectOptions) => {
      const settings = loadConnector(options.config, { purpose: 'inspect' });
      await printLines(inspectLines(readRecordFiles(options.records), settings, options.json === true), process.stdout);
    });
}

const help = `
Example:
  $ kcat -b localhost:9092 -t shop.public.articles -C -e -J > articles.jsonl
  $ ossian-sink inspect --config articles.properties --records articles.jsonl

Nothing is sent. It shows the content of the records; the address and key of the backend may be missing.`;

/** The lines that `inspect` prints, the summary last. */
export async function* inspectLines(
  records: AsyncIterable<ConsumedRecord>,
  settings: ConnectorSettings,
  json: boolean,
): AsyncIterable<string> {
  const summary = new InspectionSummary();
  if (!json) for (const warning of settings.warnings) yield `Warning: ${warning}`;
  for await (const record of records) {
    const inspection = inspectRecord(record, settings);
    summary.add(inspection);
    yield json ? JSON.stringify(asJson(inspection)) : describeInspection(inspection);
  }
  yield json ? JSON.stringify({ summary }) : `\n${String(summary)}`;
}

function asJson({ at, ...rest }: Inspection): Record<string, unknown> {
  return { topic: at.topic, partition: at.partition, offset: String(at.offset), ...rest };
}
