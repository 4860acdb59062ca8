import type { MetadataValue } from '@ossian/shared';

/** With the `u` flag a surrogate in a class is a lone one. */
const unstorable = /[\0\uD800-\uDFFF]/gu;

/** NUL and lone surrogates, which Postgres cannot store, as U+FFFD. */
export function storableText(text: string): string {
  return text.replace(unstorable, '\uFFFD');
}

export function isStorable(text: string): boolean {
  return text.search(unstorable) === -1;
}

export function storableMetadata(metadata: Readonly<Record<string, MetadataValue>>): Record<string, MetadataValue> {
  const storable = (value: string | boolean | null): string | boolean | null =>
    typeof value === 'string' ? storableText(value) : value;
  return Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => [
      storableText(name),
      Array.isArray(value) ? value.map(storable) : storable(value),
    ]),
  );
}
