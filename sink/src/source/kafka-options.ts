import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import type { ConnectorSettings, KafkaSettings } from '../config/settings.js';
import { FatalError } from '../errors/fatal-error.js';

/** What the client needs, read from Kafka's own spelling. Times in milliseconds, sizes in bytes. */
export interface KafkaOptions {
  readonly brokers: string[];
  readonly clientId: string;
  readonly groupId: string;
  readonly ssl: ConnectionOptions | undefined;
  readonly sasl: SaslOptions | undefined;
  readonly connectionTimeout: number;
  readonly requestTimeout: number;
  readonly metadataMaxAge: number;
  readonly reset: 'earliest' | 'latest' | 'none';
  readonly consumer: {
    readonly sessionTimeout: number;
    readonly rebalanceTimeout: number;
    readonly heartbeatInterval: number;
    readonly minBytes: number;
    readonly maxBytes: number;
    readonly maxBytesPerPartition: number;
    readonly maxWaitTimeInMs: number;
    readonly readUncommitted: boolean;
    readonly rackId: string;
  };
}
type SaslMechanism = 'plain' | 'scram-sha-256' | 'scram-sha-512';
export type SaslOptions = {
  [Mechanism in SaslMechanism]: { readonly mechanism: Mechanism; readonly username: string; readonly password: string };
}[SaslMechanism];

/** The consumer group of a connector, in Kafka Connect's form. */
export function groupIdOf(settings: Pick<ConnectorSettings, 'name' | 'kafka'>): string {
  return settings.kafka.consumer['group.id'] ?? `connect-${settings.name}`;
}

/** @throws FatalError (`kafka_configuration`) that names the key and what it takes. */
export function kafkaOptions(settings: Pick<ConnectorSettings, 'name' | 'kafka'>): KafkaOptions {
  const { kafka } = settings;
  const of = (name: string): string | undefined => kafka.consumer[name] ?? kafka.client[name];
  const number = (name: string, fallback: number): number => wholeNumber(name, of(name), fallback);
  const protocol = (of('security.protocol') ?? 'PLAINTEXT').toUpperCase();
  if (!['PLAINTEXT', 'SSL', 'SASL_PLAINTEXT', 'SASL_SSL'].includes(protocol)) {
    throw fault('security.protocol', `is ${protocol}; it takes PLAINTEXT, SSL, SASL_PLAINTEXT or SASL_SSL`);
  }
  return {
    brokers: [...kafka.bootstrapServers],
    clientId: of('client.id') ?? `connector-consumer-${settings.name}-0`,
    groupId: groupIdOf(settings),
    ssl: protocol.endsWith('SSL') ? sslOptions(of) : undefined,
    sasl: protocol.startsWith('SASL') ? saslOptions(of) : undefined,
    connectionTimeout: number('socket.connection.setup.timeout.ms', 10_000),
    requestTimeout: number('request.timeout.ms', 30_000),
    metadataMaxAge: number('metadata.max.age.ms', 30_000),
    reset: oneOf('auto.offset.reset', of('auto.offset.reset'), ['earliest', 'latest', 'none'], 'earliest'),
    consumer: {
      ...groupTimes(number),
      minBytes: number('fetch.min.bytes', 1),
      maxBytes: number('fetch.max.bytes', 10_485_760),
      maxBytesPerPartition: number('max.partition.fetch.bytes', 1_048_576),
      // Short, because a fetch that waits is waited for at a pause's end and at the stop.
      maxWaitTimeInMs: number('fetch.max.wait.ms', 200),
      readUncommitted:
        oneOf('isolation.level', of('isolation.level'), ['read_committed', 'read_uncommitted'], 'read_committed') ===
        'read_uncommitted',
      rackId: of('client.rack') ?? '',
    },
  };
}

function groupTimes(number: (name: string, fallback: number) => number) {
  // A third of Kafka's 45 seconds: so long nobody reads a killed sink's partitions, and heartbeats never wait for work.
  const sessionTimeout = number('session.timeout.ms', 15_000);
  const heartbeatInterval = number('heartbeat.interval.ms', 3_000);
  // KafkaJS says so too, but at every start of a consumer, as if the broker were away.
  if (heartbeatInterval >= sessionTimeout) {
    const what = `(${heartbeatInterval}) must be below session.timeout.ms (${sessionTimeout}): a third of it, at most`;
    throw fault('heartbeat.interval.ms', what);
  }
  return { sessionTimeout, heartbeatInterval, rebalanceTimeout: number('max.poll.interval.ms', 60_000) };
}

/** The same client for the dead letter queue: `producer.override.*` over the shared keys. */
export function producerSettings(kafka: KafkaSettings): KafkaSettings {
  return { ...kafka, consumer: {}, client: { ...kafka.client, ...kafka.producer } };
}

type Lookup = (name: string) => string | undefined;

function fault(key: string, what: string): FatalError {
  return new FatalError('kafka_configuration', `${key} ${what}`);
}

function wholeNumber(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  if (!/^\d{1,15}$/.test(text.trim())) throw fault(name, 'is not a whole number');
  return Number(text);
}

function oneOf<T extends string>(name: string, text: string | undefined, values: readonly T[], fallback: T): T {
  if (text === undefined) return fallback;
  const value = values.find((candidate) => candidate === text.toLowerCase());
  if (value === undefined) throw fault(name, `is ${text}; it takes ${values.join(', ')}`);
  return value;
}

function sslOptions(of: Lookup): ConnectionOptions {
  for (const store of ['truststore', 'keystore']) {
    if (of(`ssl.${store}.location`) !== undefined && (of(`ssl.${store}.type`) ?? 'JKS').toUpperCase() !== 'PEM') {
      throw fault(
        `ssl.${store}.type`,
        `must be PEM: Java's own store formats cannot be read here (convert with keytool and openssl)`,
      );
    }
  }
  const keystore = pem(of, 'ssl.keystore.location');
  const ca = of('ssl.truststore.certificates') ?? pem(of, 'ssl.truststore.location') ?? pem(of, 'ssl.ca.location');
  const cert = of('ssl.keystore.certificate.chain') ?? keystore ?? pem(of, 'ssl.certificate.location');
  const key = of('ssl.keystore.key') ?? keystore ?? pem(of, 'ssl.key.location');
  const passphrase = of('ssl.key.password');
  const verifiesName = (of('ssl.endpoint.identification.algorithm') ?? 'https') !== '';
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(passphrase === undefined ? {} : { passphrase }),
    ...(verifiesName ? {} : { checkServerIdentity: () => undefined }),
  };
}

function pem(of: Lookup, key: string): string | undefined {
  const path = of(key);
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw fault(key, `cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function saslOptions(of: Lookup): SaslOptions {
  const mechanism = oneOf('sasl.mechanism', of('sasl.mechanism') ?? of('sasl.mechanisms'), saslMechanisms, 'plain');
  const jaas = of('sasl.jaas.config') ?? '';
  const username = jaasValue(jaas, 'username') ?? of('sasl.username');
  const password = jaasValue(jaas, 'password') ?? of('sasl.password');
  if (username === undefined || password === undefined) {
    throw fault('sasl.jaas.config', 'needs username="…" and password="…"');
  }
  return { mechanism, username, password };
}

const saslMechanisms = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;

/** JAAS: `org.apache.kafka.common.security.plain.PlainLoginModule required username="…" password="…";` */
function jaasValue(jaas: string, name: string): string | undefined {
  const match = new RegExp(`\\b${name}\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|'((?:[^'\\\\]|\\\\.)*)'|([^\\s;]+))`).exec(jaas);
  return (match?.[1] ?? match?.[2] ?? match?.[3])?.replace(/\\(.)/g, '$1');
}
