/**
 * Keys that Kafka Connect or a known converter defines and this sink does not need. A file that has them works; one warning
 * lists them. (org.apache.kafka.connect.runtime.ConnectorConfig, SinkConnectorConfig, WorkerConfig, DistributedConfig;
 * JsonConverterConfig; Confluent's AbstractKafkaSchemaSerDeConfig and AvroDataConfig.)
 */
const exact = new Set([
  'connector.class',
  'connector.plugin.version',
  'tasks.max.enforce',
  'config.action.reload',
  'initial_state',
  'errors.retry.timeout',
  'errors.retry.delay.max.ms',
  'config.providers',
  'group.id',
  'client.id',
  'plugin.path',
  'plugin.discovery',
  'listeners',
  'rest.advertised.host.name',
  'rest.advertised.port',
  'rest.advertised.listener',
  'rest.extension.classes',
  'admin.listeners',
  'access.control.allow.origin',
  'access.control.allow.methods',
  'connector.client.config.override.policy',
  'exactly.once.source.support',
  'header.converter',
  'header.converter.plugin.version',
  'internal.key.converter',
  'internal.value.converter',
  'metrics.sample.window.ms',
  'metrics.num.samples',
  'metrics.recording.level',
  'metric.reporters',
  'task.shutdown.graceful.timeout.ms',
  'offset.flush.interval.ms',
  'offset.flush.timeout.ms',
  'offset.storage.file.filename',
  'scheduled.rebalance.max.delay.ms',
  'topic.creation.enable',
  'topic.tracking.enable',
  'topic.tracking.allow.reset',
]);
const prefixes = [
  'config.providers.',
  'config.storage.',
  'offset.storage.',
  'status.storage.',
  'header.converter.',
  'internal.key.converter.',
  'internal.value.converter.',
  'admin.override.',
  'admin.',
  'consumer.',
  'producer.',
  'topic.creation.',
  'connect.',
];
const converterOptions = new Set([
  'plugin.version',
  'schemas.cache.size',
  'schemas.cache.config',
  'decimal.format',
  'replace.null.with.default',
  'schema.content',
  'encoding',
  'converter.encoding',
  'enhanced.avro.schema.support',
  'connect.meta.data',
  'schema.registry.url',
  'schema.registry.ssl.truststore.location',
  'schema.registry.ssl.truststore.password',
  'basic.auth.credentials.source',
  'basic.auth.user.info',
  'bearer.auth.token',
  'auto.register.schemas',
  'use.latest.version',
  'key.subject.name.strategy',
  'value.subject.name.strategy',
]);

/** Known names of Connect, for telling near misses. */
export const connectKnownNames: readonly string[] = [...exact];

export function isKnownToConnect(key: string): boolean {
  if (exact.has(key)) return true;
  const converter = /^(?:key|value)\.converter\.(.+)$/.exec(key)?.[1];
  if (converter !== undefined) return converterOptions.has(converter);
  if (key.startsWith('consumer.override.') || key.startsWith('producer.override.')) return false;
  return prefixes.some((prefix) => key.startsWith(prefix));
}
