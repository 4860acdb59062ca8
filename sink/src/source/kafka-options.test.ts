import { describe, expect, it } from '@jest/globals';
import { consumerKeys } from '../config/keys/consumer-keys.js';
import { FatalError } from '../errors/fatal-error.js';
import { OutageError } from '../errors/outage-error.js';
import { connectorSettings } from '../testing/connector-settings.js';
import { isFenced, kafkaFault } from './kafka-faults.js';
import { FetchedTopicGone, FetchOffsetOutOfRange, logKafkaEntry } from './kafka-log.js';
import { kafkaOptions, producerSettings } from './kafka-options.js';
import { matchTopics } from './topic-match.js';

const options = (changes: Record<string, string>) => kafkaOptions(connectorSettings(changes));

describe('Kafka’s own spelling', () => {
  it('names the group as Kafka Connect does, reads committed records, and starts a new group at the earliest', () => {
    expect(options({ name: 'articles' })).toMatchObject({
      groupId: 'connect-articles',
      reset: 'earliest',
      ssl: undefined,
      sasl: undefined,
      consumer: { readUncommitted: false, sessionTimeout: 15_000 },
    });
  });
  it('takes consumer.override.*', () => {
    expect(
      options({
        'consumer.override.group.id': 'mine',
        'consumer.override.auto.offset.reset': 'latest',
        'consumer.override.session.timeout.ms': '6000',
        'consumer.override.max.partition.fetch.bytes': '2000000',
      }),
    ).toMatchObject({ groupId: 'mine', reset: 'latest', consumer: { sessionTimeout: 6_000, maxBytesPerPartition: 2_000_000 } });
  });
  it('has the defaults that the configuration reference tells', () => {
    const { metadataMaxAge, reset, consumer } = options({});
    const told = Object.fromEntries(Object.values(consumerKeys).map((key) => [key.name, key.default]));
    const of = (name: string): string | undefined => told[`consumer.override.${name}`];
    expect(String(metadataMaxAge)).toBe(of('metadata.max.age.ms'));
    expect(reset).toBe(of('auto.offset.reset'));
    expect(consumer.readUncommitted ? 'read_uncommitted' : 'read_committed').toBe(of('isolation.level'));
    expect(Object.fromEntries(Object.entries(consumer).map(([name, value]) => [name, String(value)]))).toMatchObject({
      sessionTimeout: of('session.timeout.ms'),
      heartbeatInterval: of('heartbeat.interval.ms'),
      rebalanceTimeout: of('max.poll.interval.ms'),
      maxWaitTimeInMs: of('fetch.max.wait.ms'),
      minBytes: of('fetch.min.bytes'),
      maxBytes: of('fetch.max.bytes'),
      maxBytesPerPartition: of('max.partition.fetch.bytes'),
    });
  });
  it('takes user and password out of sasl.jaas.config, quotes and escapes included', () => {
    const module = 'org.apache.kafka.common.security.scram.ScramLoginModule required';
    const sasl = options({
      'security.protocol': 'SASL_SSL',
      'sasl.mechanism': 'SCRAM-SHA-512',
      'sasl.jaas.config': `${module} username="an\\"na" password='p;w d';`,
    });
    expect(sasl.sasl).toEqual({ mechanism: 'scram-sha-512', username: 'an"na', password: 'p;w d' });
    expect(sasl.ssl).toBeDefined();
  });
  it.each([
    [{ 'security.protocol': 'SASL_PLAINTEXT' }, 'sasl.jaas.config'],
    [{ 'security.protocol': 'SSL', 'ssl.truststore.location': '/x.jks' }, 'must be PEM'],
    [{ 'consumer.override.session.timeout.ms': '3000' }, 'heartbeat.interval.ms (3000) must be below session.timeout.ms'],
    [{ 'consumer.override.session.timeout.ms': 'soon' }, 'session.timeout.ms must be a whole number'],
  ])('S9: does not start with %j', (changes, message) => {
    expect(() => options(changes)).toThrow(message);
  });
  it('the dead letter producer takes producer.override.* and nothing of the consumer', () => {
    const { kafka } = connectorSettings({
      'consumer.override.client.id': 'reader',
      'producer.override.client.id': 'writer',
    });
    expect(kafkaOptions({ name: 'x', kafka: producerSettings(kafka) }).clientId).toBe('writer');
  });
});

describe('faults of the client', () => {
  const fault = (type: string) => Object.assign(new Error(`the broker says ${type}`), { type });
  it.each(['TOPIC_AUTHORIZATION_FAILED', 'GROUP_AUTHORIZATION_FAILED', 'SASL_AUTHENTICATION_FAILED'])(
    'S6: %s ends the task',
    (type) => {
      expect(FatalError.is(kafkaFault(new Error('outer', { cause: fault(type) }), ['b:9092']))).toBe(true);
    },
  );
  it('S9: a session that the broker does not take ends the task, and names the key', () => {
    const ended = kafkaFault(fault('INVALID_SESSION_TIMEOUT'), ['b:9092']);
    expect(FatalError.is(ended)).toBe(true);
    expect(ended.message).toContain('consumer.override.session.timeout.ms');
  });
  it.each(['LEADER_NOT_AVAILABLE', 'NOT_COORDINATOR_FOR_GROUP', ''])(
    'S5: %s is an outage, in one line with the broker',
    (type) => {
      const outage = kafkaFault(fault(type), ['b:9092', 'c:9092']);
      expect(OutageError.is(outage)).toBe(true);
      expect(outage.message).toMatch(/^Kafka at b:9092,c:9092 cannot be reached: the broker says/);
    },
  );
  it.each(['ILLEGAL_GENERATION', 'UNKNOWN_MEMBER_ID', 'REBALANCE_IN_PROGRESS'])('S1: %s fences a commit', (type) => {
    expect(isFenced(new Error('outer', { cause: fault(type) }))).toBe(true);
    expect(isFenced(fault('NOT_COORDINATOR_FOR_GROUP'))).toBe(false);
  });
});

describe('the client’s log', () => {
  const logger = { warn: () => undefined, debug: () => undefined } as unknown as Parameters<typeof logKafkaEntry>[0];
  it('S1: stops the client where it is about to move an offset by itself', () => {
    const message = 'Offset out of range, resetting to default offset';
    const entry = { namespace: 'ConsumerGroup', label: 'ERROR', log: { message, topic: 't', partition: 1 } };
    expect(() => logKafkaEntry(logger, entry)).toThrow(FetchOffsetOutOfRange);
  });
  it('S1: stops the client where a topic that it reads is gone', () => {
    const log = { message: 'Response Fetch(key: 1, version: 11)', error: 'This server does not host this topic-partition' };
    expect(() => logKafkaEntry(logger, { namespace: 'Connection', label: 'ERROR', log })).toThrow(FetchedTopicGone);
    const metadata = { ...log, message: 'Response Metadata(key: 3, version: 6)' };
    expect(() => logKafkaEntry(logger, { namespace: 'Connection', label: 'ERROR', log: metadata })).not.toThrow();
  });
  it('S10: keeps only what is known to hold no content', () => {
    const written: unknown[] = [];
    const warn = (...words: unknown[]) => void written.push(words);
    const log = { message: 'no', topic: 't', payload: 'secret', stack: 'secret' };
    logKafkaEntry({ ...logger, warn } as typeof logger, { namespace: 'n', label: 'ERROR', log });
    expect(JSON.stringify(written)).toBe('[[{"kafka":"n","topic":"t"},"no"]]');
  });
});

describe('the topics that are read', () => {
  it('are those of the list that exist; what is missing is said', () => {
    const settings = connectorSettings({ topics: 'a,b' });
    expect(matchTopics(settings, ['c', 'b', 'a'])).toEqual({ topics: ['a', 'b'], missing: undefined });
    expect(matchTopics(settings, ['a'])).toEqual({ topics: ['a'], missing: 'the broker has no topic b yet' });
  });
  it('are those whose whole name the regex matches, and none of Kafka’s own', () => {
    const settings = connectorSettings({ 'topics.regex': '(app|__).*' });
    expect(matchTopics(settings, ['app.a', 'my.app.b', '__consumer_offsets', '__debezium-heartbeat.app']).topics).toEqual([
      '__debezium-heartbeat.app',
      'app.a',
    ]);
  });
});
