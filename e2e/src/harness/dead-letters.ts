import type { KafkaClient, TopicRecord } from '../stack/index.js';
import type { SinkConfig } from './sink-process.js';

/** Bad records go to this topic, and the task goes on. */
export const deadLetterConfig = (topic: string): SinkConfig => ({
  'errors.tolerance': 'all',
  'errors.deadletterqueue.topic.name': topic,
  'errors.deadletterqueue.topic.replication.factor': '1',
});

/** A record of the dead letter queue. Its headers are text, by name; one that came twice has its last value. */
export interface DeadLetter extends Omit<TopicRecord, 'headers'> {
  headers: Readonly<Record<string, string | null>>;
}

/** All dead letters of a topic, in its order. */
export async function readDeadLetters(kafka: KafkaClient, topic: string): Promise<DeadLetter[]> {
  const records = await kafka.consumeAll([topic]);
  return records.map((record) => ({
    ...record,
    headers: Object.fromEntries(record.headers.map(([name, value]) => [name, value?.toString('utf8') ?? null])),
  }));
}
