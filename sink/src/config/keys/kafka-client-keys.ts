/** Kafka's own client keys (ConsumerConfig, ProducerConfig, SaslConfigs, SslConfigs of Kafka 4), in its spelling. */
const common = `bootstrap.servers client.dns.lookup client.id connections.max.idle.ms default.api.timeout.ms
 metadata.max.age.ms metadata.recovery.strategy metadata.recovery.rebootstrap.trigger.ms metric.reporters
 metrics.num.samples metrics.recording.level metrics.sample.window.ms enable.metrics.push
 receive.buffer.bytes send.buffer.bytes reconnect.backoff.ms reconnect.backoff.max.ms request.timeout.ms
 retries retry.backoff.ms retry.backoff.max.ms security.protocol security.providers socket.connection.setup.timeout.ms
 socket.connection.setup.timeout.max.ms interceptor.classes`;
const sasl = `sasl.mechanism sasl.jaas.config sasl.client.callback.handler.class sasl.login.class
 sasl.login.callback.handler.class sasl.login.connect.timeout.ms sasl.login.read.timeout.ms
 sasl.login.refresh.buffer.seconds sasl.login.refresh.min.period.seconds sasl.login.refresh.window.factor
 sasl.login.refresh.window.jitter sasl.login.retry.backoff.ms sasl.login.retry.backoff.max.ms
 sasl.kerberos.service.name sasl.kerberos.kinit.cmd sasl.kerberos.min.time.before.relogin
 sasl.kerberos.ticket.renew.jitter sasl.kerberos.ticket.renew.window.factor
 sasl.oauthbearer.token.endpoint.url sasl.oauthbearer.jwks.endpoint.url sasl.oauthbearer.scope.claim.name
 sasl.oauthbearer.sub.claim.name sasl.oauthbearer.expected.audience sasl.oauthbearer.expected.issuer
 sasl.oauthbearer.clock.skew.seconds sasl.oauthbearer.client.credentials.client.id
 sasl.oauthbearer.client.credentials.client.secret sasl.oauthbearer.scope`;
const ssl = `ssl.protocol ssl.provider ssl.enabled.protocols ssl.cipher.suites ssl.endpoint.identification.algorithm
 ssl.engine.factory.class ssl.key.password ssl.keymanager.algorithm ssl.keystore.certificate.chain ssl.keystore.key
 ssl.keystore.location ssl.keystore.password ssl.keystore.type ssl.secure.random.implementation
 ssl.trustmanager.algorithm ssl.truststore.certificates ssl.truststore.location ssl.truststore.password
 ssl.truststore.type`;
const consumer = `allow.auto.create.topics auto.commit.interval.ms auto.offset.reset check.crcs client.rack
 enable.auto.commit exclude.internal.topics fetch.max.bytes fetch.max.wait.ms fetch.min.bytes group.id
 group.instance.id group.protocol group.remote.assignor heartbeat.interval.ms isolation.level key.deserializer
 max.partition.fetch.bytes max.poll.interval.ms max.poll.records partition.assignment.strategy session.timeout.ms
 value.deserializer`;
const producer = `acks batch.size buffer.memory compression.type compression.gzip.level compression.lz4.level
 compression.zstd.level delivery.timeout.ms enable.idempotence key.serializer linger.ms max.block.ms
 max.in.flight.requests.per.connection max.request.size metadata.max.idle.ms partitioner.class
 partitioner.adaptive.partitioning.enable partitioner.availability.timeout.ms partitioner.ignore.keys
 transaction.timeout.ms transactional.id value.serializer`;
/** librdkafka's spelling of the same, which other clients' files have. */
const librdkafka = 'sasl.mechanisms sasl.username sasl.password ssl.ca.location ssl.certificate.location ssl.key.location';
const names = (...texts: readonly string[]): readonly string[] => texts.join(' ').split(/\s+/);

export const kafkaClientKeys = {
  /** What may stand in a connector by itself: how the brokers are reached. */
  client: names(sasl, ssl, librdkafka, 'security.protocol client.id client.dns.lookup'),
  consumer: names(common, sasl, ssl, librdkafka, consumer),
  producer: names(common, sasl, ssl, librdkafka, producer),
};

/** Those of them that the client here acts on (source/kafka-options.ts); of the others a warning says that they do nothing. */
export const kafkaKeysInUse: ReadonlySet<string> = new Set(
  names(
    librdkafka,
    `auto.offset.reset client.id client.rack fetch.max.bytes fetch.max.wait.ms fetch.min.bytes group.id
 heartbeat.interval.ms isolation.level max.partition.fetch.bytes max.poll.interval.ms metadata.max.age.ms
 request.timeout.ms sasl.jaas.config sasl.mechanism security.protocol session.timeout.ms
 socket.connection.setup.timeout.ms ssl.endpoint.identification.algorithm ssl.key.password
 ssl.keystore.certificate.chain ssl.keystore.key ssl.keystore.location ssl.keystore.type ssl.truststore.certificates
 ssl.truststore.location ssl.truststore.type`,
  ),
);
