const decoder = new TextDecoder('utf-8', { fatal: true });

/** The text of UTF-8 bytes, without a byte order mark; undefined where they are not UTF-8: nothing is replaced silently. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
