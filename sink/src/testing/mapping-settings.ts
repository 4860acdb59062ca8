import type { MappingSettings } from '../config/settings.js';
import { unavailableForms } from '../config/unavailable-forms.js';

const unavailable = unavailableForms('__debezium_unavailable_value');

/** Mapping settings for tests: the defaults of a connector `ossian` with the text column `body`. */
export function mappingSettings(changes: Partial<MappingSettings> = {}): MappingSettings {
  return {
    connectorName: 'ossian',
    source: '${topic}',
    textFields: ['body'],
    titleField: undefined,
    uriTemplate: undefined,
    metadataFields: [],
    aclField: undefined,
    keyFields: undefined,
    recordFormat: 'auto',
    sideTopics: ['__debezium-heartbeat.*'],
    unavailable,
    unavailablePolicy: 'refuse',
    truncatePolicy: 'clear',
    ...changes,
  };
}
