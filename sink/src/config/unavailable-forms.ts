import { createHash } from 'node:crypto';
import type { UnavailableForms } from './settings.js';

/**
 * Every form of the placeholder that was seen in Debezium's records: its text, its bytes as base64 (and URL-safe) or hex,
 * the UUID that Java's UUID.nameUUIDFromBytes makes of it (for uuid arrays), and an hstore with it as its one entry.
 *
 * @param setting `ossian.unavailable.value.placeholder`: text, or bytes as `hex:5f5f…`, in Debezium's own spelling.
 */
export function unavailableForms(setting: string): UnavailableForms {
  const buffer = setting.startsWith('hex:') ? Buffer.from(setting.slice(4), 'hex') : Buffer.from(setting, 'utf8');
  const placeholder = buffer.toString('utf8');
  const json = JSON.stringify(placeholder);
  const hex = buffer.toString('hex');
  const texts = new Set([
    placeholder,
    buffer.toString('base64'),
    buffer.toString('base64url'),
    hex,
    hex.toUpperCase(),
    `\\x${hex}`,
    nameUuid(buffer),
    `{${json}:${json}}`,
    `{${json}: ${json}}`,
  ]);
  return { placeholder, bytes: new Uint8Array(buffer), texts, longest: Math.max(...[...texts].map((text) => text.length)) };
}

/** RFC 9562, version 3, without a namespace, as java.util.UUID.nameUUIDFromBytes. */
function nameUuid(bytes: Buffer): string {
  const digest = createHash('md5').update(bytes).digest();
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x30;
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80;
  return digest.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
