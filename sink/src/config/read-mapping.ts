import type { ConfigKey } from './config-key.js';
import type { Configuration } from './configuration.js';
import { splitTopicKey, topicPrefix } from './declared-keys.js';
import { mappingKeys } from './keys/mapping-keys.js';
import type { MappingSettings } from './settings.js';
import { unavailableForms } from './unavailable-forms.js';

/** The mapping of each topic that has keys of its own, and the connector's for all others. */
export interface Mappings {
  readonly connector: MappingSettings;
  readonly byTopic: ReadonlyMap<string, MappingSettings>;
}

export function readMappings(configuration: Configuration, connectorName: string): Mappings {
  const topics = new Map<string, Map<string, string>>();
  for (const key of configuration.entries.keys()) {
    const split = key.startsWith(topicPrefix) ? splitTopicKey(key) : undefined;
    if (!split) continue;
    const names = topics.get(split.topic) ?? new Map<string, string>();
    topics.set(split.topic, names.set(split.name, key));
  }
  return {
    connector: readMapping(configuration, connectorName, new Map()),
    byTopic: new Map([...topics].map(([topic, names]) => [topic, readMapping(configuration, connectorName, names)])),
  };
}

/** `ownNames`: where a topic's own value stands, by the connector's key. */
function readMapping(
  configuration: Configuration,
  connectorName: string,
  ownNames: ReadonlyMap<string, string>,
): MappingSettings {
  const get = <T>(key: ConfigKey<T>): T => configuration.get(key, ownNames.get(key.name) ?? key.name);
  return Object.freeze({
    connectorName,
    source: get(mappingKeys.source),
    textFields: get(mappingKeys.textFields) ?? [],
    titleField: get(mappingKeys.titleField),
    uriTemplate: get(mappingKeys.uriTemplate),
    metadataFields: get(mappingKeys.metadataFields),
    aclField: get(mappingKeys.aclField),
    keyFields: get(mappingKeys.keyFields),
    recordFormat: get(mappingKeys.recordFormat),
    sideTopics: get(mappingKeys.sideTopics),
    unavailable: unavailableForms(get(mappingKeys.unavailablePlaceholder)),
    unavailablePolicy: get(mappingKeys.unavailablePolicy),
    truncatePolicy: get(mappingKeys.truncatePolicy),
  });
}
