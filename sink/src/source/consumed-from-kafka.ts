import type { ConsumedRecord, RecordHeader } from '../record/consumed-record.js';
import type { KafkaMessage } from './kafka-client.js';

/** A message as KafkaJS gives it, as a record: bytes stay bytes, a repeated header becomes as many headers. */
export function consumedFromKafka(topic: string, partition: number, message: KafkaMessage): ConsumedRecord {
  return {
    topic,
    partition,
    offset: BigInt(message.offset),
    timestamp: BigInt(message.timestamp),
    key: message.key,
    value: message.value,
    headers: headersOf(message.headers),
  };
}

function headersOf(headers: KafkaMessage['headers']): RecordHeader[] {
  if (headers === undefined) return [];
  const list: RecordHeader[] = [];
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    // A header that was sent twice arrives as an array of values.
    for (const one of Array.isArray(value) ? value : [value]) list.push({ name, value: bytesOf(one) });
  }
  return list;
}

function bytesOf(value: Buffer | string | null | undefined): Uint8Array | null {
  if (value == null) return null;
  return typeof value === 'string' ? Buffer.from(value, 'utf8') : value;
}
