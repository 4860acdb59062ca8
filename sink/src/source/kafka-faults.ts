import { FatalError } from '../errors/fatal-error.js';
import { OutageError } from '../errors/outage-error.js';

/** KafkaJS's error types that no waiting mends: somebody must change credentials or access rights. */
const refused = new Set([
  'TOPIC_AUTHORIZATION_FAILED',
  'GROUP_AUTHORIZATION_FAILED',
  'CLUSTER_AUTHORIZATION_FAILED',
  'SASL_AUTHENTICATION_FAILED',
  'UNSUPPORTED_SASL_MECHANISM',
  'ILLEGAL_SASL_STATE',
]);

/** What the broker will not take as it is configured. */
const misconfigured = new Set(['INVALID_SESSION_TIMEOUT', 'INCONSISTENT_GROUP_PROTOCOL', 'INVALID_GROUP_ID']);

/** The group has moved on: what was asked belongs to an older generation. */
const fenced = new Set(['ILLEGAL_GENERATION', 'UNKNOWN_MEMBER_ID', 'REBALANCE_IN_PROGRESS', 'FENCED_INSTANCE_ID']);

export function isFenced(error: unknown): boolean {
  return causes(error).some((cause) => fenced.has(typeOf(cause)));
}

/** What a fault of the Kafka client means for us: an outage to wait for, or the end of the task; in one line. */
export function kafkaFault(error: unknown, brokers: readonly string[]): OutageError | FatalError {
  if (FatalError.is(error) || OutageError.is(error)) return error;
  const chain = causes(error);
  const message = oneLine(chain.at(-1));
  const where = brokers.join(',');
  if (chain.some((cause) => refused.has(typeOf(cause)) || nameOf(cause) === 'KafkaJSSASLAuthenticationError')) {
    return new FatalError('kafka_refused', `Kafka at ${where} refuses us: ${message}; correct sasl.* or the access rights`, {
      cause: error,
    });
  }
  if (chain.some((cause) => misconfigured.has(typeOf(cause)))) {
    const remedy = 'correct consumer.override.session.timeout.ms or group.id';
    return new FatalError('kafka_configuration', `Kafka at ${where} does not take the consumer: ${message}; ${remedy}`, {
      cause: error,
    });
  }
  return new OutageError(`Kafka at ${where} cannot be reached: ${message}`, { cause: error });
}

/** The error and what caused it, outermost first. */
function causes(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let next = error; next instanceof Error && !chain.includes(next); next = next.cause) chain.push(next);
  return chain.length === 0 ? [error] : chain;
}

function typeOf(error: unknown): string {
  return error instanceof Error && 'type' in error && typeof error.type === 'string' ? error.type : '';
}
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}
function oneLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').trim();
}
