import type { Command } from 'commander';
import { loadConnectors } from '../config/load-connector.js';
import type { ConnectorSettings } from '../config/settings.js';
import { kafkaOptions } from '../source/kafka-options.js';

interface ValidateOptions {
  readonly config: string[];
}

/** `validate`: every fault of the configuration at once (exit code 2), else warnings and what holds, without secrets. */
export function validateCommand(program: Command): void {
  program
    .command('validate')
    .description('check a configuration and show what holds after defaults')
    .requiredOption('--config <files...>', 'connectors, .properties or JSON files')
    .action((options: ValidateOptions) => {
      for (const settings of loadConnectors(options.config)) {
        kafkaOptions(settings);
        process.stdout.write(`${describeConfiguration(settings)}\n`);
      }
    });
}

/** What `validate` prints for a connector that may start. */
export function describeConfiguration({ name, warnings, effective }: ConnectorSettings): string {
  const width = Math.max(...effective.map((entry) => entry.name.length));
  return [
    `Connector "${name}" may start.`,
    ...warnings.map((warning) => `Note: ${warning}`),
    '',
    ...effective.map(({ name: key, value, isDefault }) =>
      `  ${key.padEnd(width)}  ${value}${isDefault ? '  (default)' : ''}`.trimEnd(),
    ),
  ].join('\n');
}
