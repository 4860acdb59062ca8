import { bytesToBase64 } from '../record/base64.js';
import { percentEncode } from '../record/percent-encoding.js';
import { ExactNumber, fieldOf, isValueObject, type Value, type ValueObject } from '../record/sink-record.js';
import { jsonText } from '../record/text/json-text.js';

/**
 * A key as text: its fields sorted by name (UTF-16 code units), `name=value` joined with `&`, both percent-encoded; a bare
 * key is `key=value`; a null is the name without `=`. Values are the wire's primitives, so that a row has the same key under
 * every converter: numbers as their exact text, bytes as base64, and a struct or array within a key as JSON text.
 */
export function keyText(key: Value): string {
  if (!isValueObject(key)) return fieldText('key', key);
  return Object.keys(key)
    .sort()
    .map((name) => fieldText(name, fieldOf(key, name) ?? null))
    .join('&');
}

function fieldText(name: string, value: Value): string {
  return value === null ? percentEncode(name) : `${percentEncode(name)}=${percentEncode(primitiveText(value))}`;
}

function primitiveText(value: Exclude<Value, null>): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (value instanceof ExactNumber) return value.text;
  return value instanceof Uint8Array ? bytesToBase64(value) : jsonText(value, { sorted: true });
}

/** True where two keys have the same fields with the same JSON types; bytes count as the base64 text they are in JSON. */
export function haveSameShape(one: Value, other: Value): boolean {
  if (!isValueObject(one) || !isValueObject(other)) return jsonType(one) === jsonType(other);
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => {
      const mine = fieldOf(one, name);
      const theirs = fieldOf(other, name);
      return mine !== undefined && theirs !== undefined && haveSameShape(mine, theirs);
    })
  );
}

function jsonType(value: Value): string {
  if (value === null) return 'null';
  if (value instanceof ExactNumber) return 'number';
  if (value instanceof Uint8Array) return 'string';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Those fields of a row or key, undefined where one is missing or null. */
export function pickFields(row: ValueObject | undefined, names: readonly string[]): ValueObject | undefined {
  if (!row) return undefined;
  const picked: Record<string, Value> = Object.create(null) as Record<string, Value>;
  for (const name of names) {
    const value = fieldOf(row, name) ?? null;
    if (value === null) return undefined;
    picked[name] = value;
  }
  return picked;
}
