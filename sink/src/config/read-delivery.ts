import type { Configuration } from './configuration.js';
import { connectorKeys } from './keys/connector-keys.js';
import { concealing, hidden } from './secrets.js';
import type { DeliverySettings } from './settings.js';

/** How events reach the backend. Where no backend is needed its address, key and corpus may be missing, and are empty. */
export function readDelivery(
  configuration: Configuration,
  needsBackend: boolean,
  readApiKey: () => string | undefined,
): DeliverySettings {
  const backend = (key: typeof connectorKeys.url): string =>
    needsBackend || configuration.has(key) ? configuration.get(key) : '';
  const settings = {
    url: backend(connectorKeys.url),
    apiKey: backend(connectorKeys.apiKey),
    corpus: backend(connectorKeys.corpus),
    batchMaxEvents: configuration.get(connectorKeys.batchMaxEvents),
    batchMaxBytes: configuration.get(connectorKeys.batchMaxBytes),
    linger: configuration.get(connectorKeys.linger),
    requestTimeout: configuration.get(connectorKeys.requestTimeout),
    retryBackoff: configuration.get(connectorKeys.retryBackoff),
    retryBackoffMax: configuration.get(connectorKeys.retryBackoffMax),
  };
  return concealing({ ...settings, readApiKey }, { ...settings, apiKey: hidden });
}
