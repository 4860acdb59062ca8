import { fromByteArray, toByteArray } from 'base64-js';

const form = /^(?:[A-Za-z0-9+/_-]{4})*(?:[A-Za-z0-9+/_-]{2}(?:==)?|[A-Za-z0-9+/_-]{3}=?)?$/;

/** Standard base64 with padding (RFC 4648, 4), as Connect's JsonConverter writes bytes. */
export function bytesToBase64(bytes: Uint8Array): string {
  return fromByteArray(bytes);
}

/** The bytes of base64 text, with or without padding, standard or URL-safe; undefined where the text is not base64. */
export function base64ToBytes(text: string): Uint8Array | undefined {
  if (!form.test(text)) return undefined;
  const bare = text.replace(/=+$/, '');
  return toByteArray(bare + '='.repeat((4 - (bare.length % 4)) % 4));
}
