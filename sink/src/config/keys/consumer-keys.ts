import { integer, oneOf } from '../config-key.js';

const group = "Kafka's consumer";
const highest = 2_147_483_647;

function milliseconds(name: string, fallback: string, doc: string, minimum = 1) {
  return integer({ name: `consumer.override.${name}`, group, importance: 'low', default: fallback, doc }, minimum, highest);
}
function bytes(name: string, fallback: string, doc: string) {
  return integer({ name: `consumer.override.${name}`, group, importance: 'low', default: fallback, doc }, 1, highest);
}

/**
 * Kafka's own consumer keys that are acted on, with the defaults that hold here; some are not Kafka's. They are read by the
 * Kafka client's side in Kafka's spelling (source/kafka-options.ts), which a test holds to the same defaults.
 */
export const consumerKeys = {
  reset: oneOf(
    {
      name: 'consumer.override.auto.offset.reset',
      group,
      importance: 'medium',
      default: 'earliest',
      doc: 'Where a group that has committed nothing starts (Kafka itself has `latest`). Where a committed offset is gone: `ossian.offset.out.of.range`.',
    },
    ['earliest', 'latest', 'none'],
  ),
  isolation: oneOf(
    {
      name: 'consumer.override.isolation.level',
      group,
      importance: 'low',
      default: 'read_committed',
      doc: 'Whether records of open and aborted transactions are read (Kafka itself has `read_uncommitted`).',
    },
    ['read_committed', 'read_uncommitted'],
  ),
  sessionTimeout: milliseconds(
    'session.timeout.ms',
    '15000',
    "How long the partitions of a sink that was killed are read by nobody (Kafka itself has 45000). Not below the broker's `group.min.session.timeout.ms` (6000).",
  ),
  heartbeatInterval: milliseconds(
    'heartbeat.interval.ms',
    '3000',
    'Time between two heartbeats: a third of the session, at most.',
  ),
  rebalanceTimeout: milliseconds('max.poll.interval.ms', '60000', 'How long a rebalance waits for a member to join it again.'),
  metadataMaxAge: milliseconds(
    'metadata.max.age.ms',
    '30000',
    'How soon new partitions, and new topics that `topics.regex` matches, are found (Kafka itself has 300000).',
  ),
  maxWait: milliseconds(
    'fetch.max.wait.ms',
    '200',
    'How long a fetch waits for records; a stop waits for it (Kafka itself has 500).',
    0,
  ),
  minBytes: bytes('fetch.min.bytes', '1', 'Bytes that a fetch waits for.'),
  maxBytes: bytes('fetch.max.bytes', '10485760', 'Bytes in one fetch (Kafka itself has 52428800); a larger record still comes.'),
  maxBytesPerPartition: bytes(
    'max.partition.fetch.bytes',
    '1048576',
    'Bytes of one partition in one fetch; a larger record still comes.',
  ),
};
