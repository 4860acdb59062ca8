import { bytesToBase64 } from '../base64.js';
import { ExactNumber, fieldOf, isValueArray, type Value } from '../sink-record.js';

/** Compact JSON text with every number as its exact text and bytes as base64. `sorted` orders names, for keys. */
export function jsonText(value: Value, options: { sorted?: boolean } = {}): string {
  if (value instanceof ExactNumber) return value.text;
  if (value instanceof Uint8Array) return JSON.stringify(bytesToBase64(value));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (isValueArray(value)) return `[${value.map((item) => jsonText(item, options)).join(',')}]`;
  const object = value;
  const names = Object.keys(object);
  if (options.sorted) names.sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${jsonText(fieldOf(object, name) ?? null, options)}`).join(',')}}`;
}
