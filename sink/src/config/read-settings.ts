import { compileTopicsRegex } from './checks.js';
import type { Configuration, Purpose } from './configuration.js';
import { findContradictions } from './contradictions.js';
import { effectiveConfiguration } from './effective-configuration.js';
import { connectorKeys } from './keys/connector-keys.js';
import { mappingKeys } from './keys/mapping-keys.js';
import { adviceOn, warningsOf } from './mapping-advice.js';
import { readConverter } from './read-converter.js';
import { readDelivery } from './read-delivery.js';
import { readKafka } from './read-kafka.js';
import { readMappings } from './read-mapping.js';
import { readTransforms } from './read-transforms.js';
import type { ConnectorSettings, MappingSettings, ToleranceSettings } from './settings.js';

interface ReadOptions {
  readonly purpose: Purpose;
  readonly readApiKey: () => string | undefined;
}

/** Reads every key and looks for contradictions; what is wrong is noted in the configuration. */
export function readSettings(configuration: Configuration, { purpose, readApiKey }: ReadOptions): ConnectorSettings {
  const name = configuration.get(connectorKeys.name);
  const topics = configuration.get(connectorKeys.topics);
  const topicsRegex = configuration.get(connectorKeys.topicsRegex);
  const tolerance = readTolerance(configuration);
  const delivery = readDelivery(configuration, purpose === 'run' || purpose === 'records', readApiKey);
  const mappings = readMappings(configuration, name);
  const sourceShared = configuration.get(mappingKeys.sourceShared);
  readTransforms(configuration);
  findContradictions({ topics, topicsRegex, tolerance, delivery, mappings, sourceShared }, configuration);
  return Object.freeze({
    name,
    topics: topicsRegex === undefined ? { list: topics ?? [] } : { regex: topicsRegex },
    readsTopic: topicTest(topics, topicsRegex),
    tasksMax: configuration.get(connectorKeys.tasksMax),
    kafka: readKafka(configuration, purpose === 'run' || purpose === 'offsets'),
    keyConverter: readConverter('key', configuration),
    valueConverter: readConverter('value', configuration),
    delivery,
    tolerance,
    offsetOutOfRange: configuration.get(connectorKeys.offsetOutOfRange),
    mapping: (topic: string): MappingSettings => mappings.byTopic.get(topic) ?? mappings.connector,
    warnings: Object.freeze([...configuration.warnings, ...warningsOf(mappings)]),
    advice: Object.freeze(adviceOn(mappings)),
    effective: effectiveConfiguration(configuration),
  });
}

function topicTest(topics: readonly string[] | undefined, regex: string | undefined): (topic: string) => boolean {
  const expression = regex === undefined ? undefined : compileTopicsRegex(regex);
  return (topic) => topics?.includes(topic) === true || expression?.test(topic) === true;
}

function readTolerance(configuration: Configuration): ToleranceSettings {
  return Object.freeze({
    tolerance: configuration.get(connectorKeys.tolerance),
    logEnable: configuration.get(connectorKeys.logEnable),
    logIncludeMessages: configuration.get(connectorKeys.logIncludeMessages),
    deadLetterTopic: configuration.get(connectorKeys.deadLetterTopic),
    deadLetterReplicationFactor: configuration.get(connectorKeys.deadLetterReplicationFactor),
    deadLetterContextHeaders: configuration.get(connectorKeys.deadLetterContextHeaders),
  });
}
