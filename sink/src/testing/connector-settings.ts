import { loadConnector } from '../config/load-connector.js';
import type { ConnectorSettings } from '../config/settings.js';

/** A connector's settings for tests, read by the real loader from a file's text: changes are keys as a file has them. */
export function connectorSettings(changes: Readonly<Record<string, string>> = {}): ConnectorSettings {
  const entries: Record<string, string> = {
    name: 'test',
    topics: 't',
    'bootstrap.servers': '127.0.0.1:1',
    'value.converter.schemas.enable': 'false',
    'key.converter.schemas.enable': 'false',
    'key.converter': 'org.apache.kafka.connect.json.JsonConverter',
    'value.converter': 'org.apache.kafka.connect.json.JsonConverter',
    'ossian.url': 'http://127.0.0.1:1',
    'ossian.api.key': 'test-key',
    'ossian.corpus': 'kb',
    'ossian.text.fields': 'body',
    'linger.ms': '5',
    'retry.backoff.ms': '5',
    'retry.backoff.max.ms': '200',
    ...changes,
  };
  if (changes['topics.regex'] !== undefined) delete entries['topics'];
  const text = Object.entries(entries)
    .map(([key, value]) => `${key}=${value.replaceAll('\\', '\\\\')}\n`)
    .join('');
  return loadConnector({ path: 'test.properties', text });
}
