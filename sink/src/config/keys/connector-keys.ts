import { boolean, integer, oneOf, optionalList, optionalText, requiredText } from '../config-key.js';
import { checkCorpus, checkRegularExpression, checkUrl } from '../checks.js';

const connector = 'The connector';
const backend = 'The backend';
const errors = 'Bad records';
const delivery = 'Delivery';

export const connectorKeys = {
  name: requiredText({
    name: 'name',
    group: connector,
    importance: 'high',
    doc: 'The name of the connector. Its consumer group is `connect-<name>`, and it is part of every event id: keep it.',
  }),
  topics: optionalList({
    name: 'topics',
    group: connector,
    importance: 'high',
    doc: 'The topics to read, separated by commas. Either this or `topics.regex`.',
  }),
  topicsRegex: optionalText(
    {
      name: 'topics.regex',
      group: connector,
      importance: 'high',
      doc: 'A regular expression; topics whose whole name it matches are read.',
    },
    checkRegularExpression,
  ),
  tasksMax: integer(
    { name: 'tasks.max', group: connector, importance: 'medium', default: '1', doc: 'How many tasks share the partitions.' },
    1,
    1000,
  ),
  bootstrapServers: optionalList({
    name: 'bootstrap.servers',
    group: connector,
    importance: 'high',
    doc: "The Kafka brokers, `host:port`, separated by commas. Kafka's own client keys (`security.protocol`, `sasl.*`, `ssl.*`, …) stand beside it.",
  }),
  offsetOutOfRange: oneOf(
    {
      name: 'ossian.offset.out.of.range',
      group: connector,
      importance: 'medium',
      default: 'fail',
      doc: 'What to do when the committed offset is gone from the log: `fail` the task, or go on at the `earliest` or `latest`. Where a new group starts is `consumer.override.auto.offset.reset` (earliest).',
    },
    ['fail', 'earliest', 'latest'],
  ),
  url: requiredText(
    { name: 'ossian.url', group: backend, importance: 'high', doc: 'The address of the backend, e.g. `http://127.0.0.1:8080`.' },
    checkUrl,
  ),
  apiKey: requiredText(
    {
      name: 'ossian.api.key',
      group: backend,
      importance: 'high',
      doc: 'A key of the backend with the scope `ingest`. Better not written here: `${env:OSSIAN_API_KEY}` or `${file:/run/secrets/ossian}`. Never printed.',
    },
    undefined,
    'password',
  ),
  corpus: requiredText(
    { name: 'ossian.corpus', group: backend, importance: 'high', doc: 'The corpus that the documents go to.' },
    checkCorpus,
  ),
  tolerance: oneOf(
    {
      name: 'errors.tolerance',
      group: errors,
      importance: 'high',
      default: 'none',
      doc: 'With `none` the task stops at the first bad record, with nothing committed past it; with `all` it goes to the dead letter queue, or is logged and skipped.',
    },
    ['none', 'all'],
  ),
  deadLetterTopic: optionalText({
    name: 'errors.deadletterqueue.topic.name',
    group: errors,
    importance: 'high',
    doc: 'The topic of the dead letter queue.',
  }),
  deadLetterReplicationFactor: integer(
    {
      name: 'errors.deadletterqueue.topic.replication.factor',
      group: errors,
      importance: 'low',
      default: '3',
      doc: 'How many replicas that topic gets where it does not exist yet.',
    },
    -1,
    32_767,
  ),
  deadLetterContextHeaders: boolean({
    name: 'errors.deadletterqueue.context.headers.enable',
    group: errors,
    importance: 'medium',
    default: 'true',
    doc: "Adds headers that say where a dead letter came from and why it is one (Connect's `__connect.errors.*`; Connect itself has `false`). Sending dead letters again needs them.",
  }),
  logEnable: boolean({
    name: 'errors.log.enable',
    group: errors,
    importance: 'medium',
    default: 'false',
    doc: 'Logs each bad record.',
  }),
  logIncludeMessages: boolean({
    name: 'errors.log.include.messages',
    group: errors,
    importance: 'low',
    default: 'false',
    doc: "Logs the record's coordinates and content too. Without it no content of a record is ever logged.",
  }),
  batchMaxEvents: integer(
    { name: 'batch.max.events', group: delivery, importance: 'medium', default: '500', doc: 'Events in one request, at most.' },
    1,
    10_000,
  ),
  batchMaxBytes: integer(
    {
      name: 'batch.max.bytes',
      group: delivery,
      importance: 'low',
      default: '4194304',
      doc: 'Bytes in one request, at most (a single larger event goes alone).',
    },
    1024,
    33_554_432,
  ),
  linger: integer(
    { name: 'linger.ms', group: delivery, importance: 'low', default: '50', doc: 'How long a batch waits for more.' },
    0,
    60_000,
  ),
  requestTimeout: integer(
    {
      name: 'request.timeout.ms',
      group: delivery,
      importance: 'low',
      default: '30000',
      doc: 'How long an answer of the backend is waited for.',
    },
    100,
    3_600_000,
  ),
  retryBackoff: integer(
    {
      name: 'retry.backoff.ms',
      group: delivery,
      importance: 'low',
      default: '300',
      doc: 'The first wait before a retry; it doubles, at random up to that.',
    },
    1,
    3_600_000,
  ),
  retryBackoffMax: integer(
    {
      name: 'retry.backoff.max.ms',
      group: delivery,
      importance: 'low',
      default: '60000',
      doc: 'The longest wait before a retry, `Retry-After` included.',
    },
    1,
    86_400_000,
  ),
};
