import type { TopicRecord } from './kafka-client.js';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const control = /[\u0000-\u0008\u000b\u000e-\u001f]/;

function decode(bytes: Buffer): string | undefined {
  try {
    const text = utf8.decode(bytes);
    return control.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

function put(name: string, bytes: Buffer | null): Record<string, string | null> {
  const text = bytes === null ? null : decode(bytes);
  return text === undefined ? { [name]: null, [`${name}_b64`]: bytes?.toString('base64') ?? '' } : { [name]: text };
}

/** A record as one line of JSON, in the form that `kcat -C -J` prints; bytes that are not text go as base64 under key_b64 and payload_b64. */
export function kcatLine(record: TopicRecord): string {
  return JSON.stringify({
    topic: record.topic,
    partition: record.partition,
    offset: Number(record.offset),
    tstype: 'create',
    ts: Number(record.timestamp),
    headers: record.headers.flatMap(([name, value]) => [name, value === null ? null : value.toString('utf8')]),
    ...put('key', record.key),
    ...put('payload', record.value),
  });
}
