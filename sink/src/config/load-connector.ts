import { type Environment, hasReference, resolveReferences } from './resolve-references.js';
import { checkNames } from './check-names.js';
import { Configuration, type Purpose } from './configuration.js';
import { ConfigurationError, type ConfigurationFault } from './configuration-error.js';
import { type ConfigurationFile, openConfigurationFile, readConfigurationFile } from './configuration-file.js';
import { hidden } from './secrets.js';
import { readSettings } from './read-settings.js';
import type { ConnectorSettings } from './settings.js';

export interface LoadOptions {
  /** Where `${env:…}` is looked up; by default the process's own. */
  readonly environment?: Environment;
  /**
   * `run` (default) needs everything; `records` (delivery from files) no brokers; `offsets` no backend; `inspect` neither
   * brokers nor backend. What is not needed may be missing, or refer to a secret that is not there.
   */
  readonly purpose?: Purpose;
}

/**
 * A connector's settings: typed, checked and frozen, with secrets concealed wherever they are printed.
 *
 * @param source the path of a `.properties` or JSON file, or its text with the path it came from
 * @throws ConfigurationError with every fault at once
 */
export function loadConnector(source: string | ConfigurationFile, options: LoadOptions = {}): ConnectorSettings {
  const file = typeof source === 'string' ? openConfigurationFile(source) : source;
  if (!('path' in file)) throw new ConfigurationError('The configuration', [file]);
  const { environment = process.env, purpose = 'run' } = options;
  const { entries, faults, readable } = readConfigurationFile(file);
  if (!readable) throw new ConfigurationError(file.path, faults);
  const configuration = resolveEntries(entries, faults, environment, purpose);
  checkNames(configuration);
  const settings = readSettings(configuration, { purpose, readApiKey: () => rereadApiKey(file.path, entries, environment) });
  if (configuration.faults.length > 0) throw new ConfigurationError(file.path, withoutSecrets(configuration));
  return settings;
}

/** Some faults quote what was written: never what came from the environment or a file, whatever key it was put into. */
function withoutSecrets({ faults, entries, fromReference }: Configuration): ConfigurationFault[] {
  const values = [...fromReference].flatMap((key) => (entries.get(key) ?? '').split(',').map((item) => item.trim()));
  // Shorter ones are no secrets, and would be found within words.
  const secrets = values.filter((value) => value.length >= 6).sort((one, other) => other.length - one.length);
  return faults.map(({ key, message }) => ({
    key,
    message: secrets.reduce((text, secret) => text.replaceAll(secret, () => hidden), message),
  }));
}

/** Loads several connectors; the faults of all files are told at once, and two connectors of one name are one. */
export function loadConnectors(sources: readonly (string | ConfigurationFile)[], options: LoadOptions = {}): ConnectorSettings[] {
  const faults: ConfigurationFault[] = [];
  const loaded = new Map<string, ConnectorSettings>();
  for (const source of sources) {
    const path = typeof source === 'string' ? source : source.path;
    try {
      const settings = loadConnector(source, options);
      if (loaded.has(settings.name))
        faults.push({ key: 'name', message: `${path}: another file has the name "${settings.name}" too.` });
      loaded.set(settings.name, settings);
    } catch (error) {
      if (!ConfigurationError.is(error)) throw error;
      faults.push(
        ...error.faults.map(({ key, message }) => ({ key, message: sources.length > 1 ? `${path}: ${message}` : message })),
      );
    }
  }
  if (faults.length > 0) throw new ConfigurationError(sources.length > 1 ? 'The configuration' : pathOf(sources[0]), faults);
  return [...loaded.values()];
}

function pathOf(source: string | ConfigurationFile | undefined): string {
  return typeof source === 'object' ? source.path : (source ?? 'The configuration');
}

function resolveEntries(
  entries: ReadonlyMap<string, string>,
  fileFaults: readonly ConfigurationFault[],
  environment: Environment,
  purpose: Purpose,
): Configuration {
  const resolved = new Map<string, string>();
  const faults = [...fileFaults];
  const fromReference = new Set<string>();
  const unresolved = new Set<string>();
  for (const [key, text] of entries) {
    if (hasReference(text)) fromReference.add(key);
    const resolution = resolveReferences(text, environment);
    if ('text' in resolution) resolved.set(key, resolution.text);
    else {
      unresolved.add(key);
      if (!canDoWithout(key, purpose)) faults.push({ key, message: `${key} ${resolution.fault}.` });
    }
  }
  return new Configuration(resolved, faults, { fromReference, unresolved });
}

const backendKeys = ['ossian.url', 'ossian.api.key', 'ossian.corpus'];
const brokerKeys = /^(?:bootstrap\.servers|security\.|sasl\.|ssl\.|consumer\.override\.|producer\.override\.|client\.)/;

function canDoWithout(key: string, purpose: Purpose): boolean {
  if (backendKeys.includes(key)) return purpose === 'inspect' || purpose === 'offsets';
  return brokerKeys.test(key) && (purpose === 'inspect' || purpose === 'records');
}

/** Reads the key again, as its file or variable now has it; undefined where it cannot be had. */
function rereadApiKey(path: string, entries: ReadonlyMap<string, string>, environment: Environment): string | undefined {
  const written = entries.get('ossian.api.key');
  const file = written !== undefined && hasReference(written) ? undefined : openConfigurationFile(path);
  const text = file && 'path' in file ? readConfigurationFile(file).entries.get('ossian.api.key') : written;
  const resolution = text === undefined ? undefined : resolveReferences(text, environment);
  return resolution && 'text' in resolution ? resolution.text.trim() : undefined;
}
