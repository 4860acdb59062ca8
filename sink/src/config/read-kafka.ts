import type { Configuration } from './configuration.js';
import { consumerKeys } from './keys/consumer-keys.js';
import { connectorKeys } from './keys/connector-keys.js';
import { kafkaClientKeys } from './keys/kafka-client-keys.js';
import { concealSecrets, concealing } from './secrets.js';
import type { KafkaSettings } from './settings.js';

/** Kafka's own client settings, in its spelling, without prefixes; secrets are concealed where they are printed. */
export function readKafka(configuration: Configuration, required: boolean): KafkaSettings {
  const bootstrapServers = configuration.get(connectorKeys.bootstrapServers);
  if (required && bootstrapServers === undefined) {
    configuration.fault(
      'bootstrap.servers',
      'bootstrap.servers is missing: name the Kafka brokers, host:port, separated by commas.',
    );
  }
  // Read for their faults; the client's side takes them in Kafka's spelling.
  for (const key of Object.values(consumerKeys)) configuration.get<unknown>(key);
  const withPrefix = (prefix: string): Record<string, string> =>
    Object.fromEntries(
      [...configuration.entries]
        .filter(([key]) => key.startsWith(prefix))
        .map(([key, value]) => [key.slice(prefix.length), value]),
    );
  const client = [...configuration.entries].filter(([key]) => kafkaClientKeys.client.includes(key));
  const settings = {
    bootstrapServers: Object.freeze([...(bootstrapServers ?? [])]),
    client: concealSecrets(Object.fromEntries(client)),
    consumer: concealSecrets(withPrefix('consumer.override.')),
    producer: concealSecrets(withPrefix('producer.override.')),
  };
  return concealing({ ...settings }, settings);
}
