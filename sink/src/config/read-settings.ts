import { compileTopicsRegex } from './checks.js';
import type { Configuration, Purpose } from './configuration.js';
import { findContradictions } from './contradictions.js';
import { effectiveConfiguration } from './effective-configuration.js';
import { connectorKeys } from './keys/connector-keys.js';
import { mappingKeys } from './keys/mapping-keys.js';
import { readConverter } from './read-converter.js';
import { readDelivery } from './read-delivery.js';
import { readKafka } from './read-kafka.js';
import { type Mappings, readMappings } from './read-mapping.js';
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
  const delivery = readDelivery(configuration, purpose !== 'inspect', readApiKey);
  const mappings = readMappings(configuration, name);
  const sourceShared = configuration.get(mappingKeys.sourceShared);
  readTransforms(configuration);
  findContradictions({ topics, topicsRegex, tolerance, delivery, mappings, sourceShared }, configuration);
  return Object.freeze({
    name,
    topics: topicsRegex === undefined ? { list: topics ?? [] } : { regex: topicsRegex },
    readsTopic: topicTest(topics, topicsRegex),
    tasksMax: configuration.get(connectorKeys.tasksMax),
    kafka: readKafka(configuration, purpose === 'run'),
    keyConverter: readConverter('key', configuration),
    valueConverter: readConverter('value', configuration),
    delivery,
    tolerance,
    offsetOutOfRange: configuration.get(connectorKeys.offsetOutOfRange),
    mapping: (topic: string): MappingSettings => mappings.byTopic.get(topic) ?? mappings.connector,
    warnings: Object.freeze([...configuration.warnings, ...adviceOn(mappings)]),
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

/** What is allowed and may yet surprise. */
function adviceOn({ connector, byTopic }: Mappings): string[] {
  const all = [connector, ...byTopic.values()];
  const advice: string[] = [];
  if (all.some(({ recordFormat, truncatePolicy }) => recordFormat === 'flat' && truncatePolicy !== 'ignore')) {
    advice.push(
      'ossian.truncate.policy has no effect on flattened records: ExtractNewRecordState drops truncates (and Debezium skips them unless its skipped.operations is none). Have the topic written as envelopes, or clear the source yourself after a TRUNCATE.',
    );
  }
  if (all.some(({ recordFormat }) => recordFormat === 'flat')) {
    advice.push(
      'Flattened records carry no position of the source unless Debezium adds it: set add.headers=op,source.ts_ms,source.lsn,source.sequence (MySQL: source.file,source.pos) on ExtractNewRecordState. A flattened delete is a bare tombstone, and only headers survive on it. Without them, events of one key on several partitions are ordered by timestamps alone.',
    );
  }
  return advice;
}
