import { bytesToBase64 } from '../base64.js';
import { ExactNumber, fieldOf, isValueArray, isValueObject, type Value, type ValueSchema } from '../sink-record.js';
import { jsonText } from './json-text.js';
import { logicalTypes } from './logical-types.js';

/**
 * A value with every logical type in it turned into text that a person would read, so far as there is a schema; without one
 * an ambiguous value (base64 of a decimal, a count of microseconds) stays as it arrived. Numbers keep their exact text.
 */
export function readableValue(value: Value, schema: ValueSchema | undefined): Value {
  if (value === null || schema === undefined) return value;
  const text = schema.name === undefined ? undefined : logicalTypes.get(schema.name)?.(value, schema);
  if (text !== undefined) return text;
  if (isValueArray(value)) return schema.items ? value.map((item) => readableValue(item, schema.items)) : value;
  if (!isValueObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value).map((name) => [
      name,
      readableValue(fieldOf(value, name) ?? null, schema.fields?.get(name) ?? schema.values),
    ]),
  );
}

/** A value as text: numbers exact, the elements of a plain array one a line, anything else that is nested as JSON. */
export function readableText(value: Value, schema: ValueSchema | undefined): string {
  const readable = readableValue(value, schema);
  if (readable === null) return '';
  if (isValueArray(readable) && readable.every((item) => scalarText(item) !== undefined)) {
    return readable.map((item) => scalarText(item) ?? '').join('\n');
  }
  return scalarText(readable) ?? jsonText(readable);
}

/** The text of a value that is not nested; undefined for arrays and objects. A null within an array is an empty line. */
export function scalarText(value: Value): string | undefined {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (value instanceof ExactNumber) return value.text;
  return value instanceof Uint8Array ? bytesToBase64(value) : undefined;
}
