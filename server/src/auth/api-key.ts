import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A new bearer key: 32 random bytes. It is shown once and never stored. */
export function generateKey(): string {
  return `osk_${randomBytes(32).toString('base64url')}`;
}

/** What is stored of a key. A fast hash is enough, since the key itself is random. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** Compares in constant time, whatever the lengths. */
export function sameKey(one: string, other: string): boolean {
  return timingSafeEqual(hashKey(one), hashKey(other));
}
