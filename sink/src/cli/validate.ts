import type { Command } from 'commander';
import { ConfigurationError } from '../config/configuration-error.js';
import { loadConnectors } from '../config/load-connector.js';
import type { ConnectorSettings } from '../config/settings.js';
import { FatalError } from '../errors/fatal-error.js';
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
        checkKafka(settings);
        process.stdout.write(`${describeConfiguration(settings)}\n`);
      }
    });
}

/** Values of Kafka's own keys are read where the client is made; here only to say beforehand what is wrong with them. */
function checkKafka(settings: ConnectorSettings): void {
  try {
    kafkaOptions(settings);
  } catch (error) {
    if (!FatalError.is(error)) throw error;
    throw new ConfigurationError(`Connector "${settings.name}"`, [{ key: undefined, message: error.message }]);
  }
}

/** What `validate` prints for a connector that may start. */
export function describeConfiguration({ name, warnings, advice, effective }: ConnectorSettings): string {
  const width = Math.max(...effective.map((entry) => entry.name.length));
  return [
    `Connector "${name}" may start.`,
    ...warnings.map((warning) => `Warning: ${warning}`),
    ...advice.map((note) => `Note: ${note}`),
    '',
    ...effective.map(({ name: key, value, isDefault }) =>
      `  ${key.padEnd(width)}  ${value}${isDefault ? '  (default)' : ''}`.trimEnd(),
    ),
  ].join('\n');
}
