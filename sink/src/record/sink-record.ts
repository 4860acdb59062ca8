import type { Coordinates } from './consumed-record.js';

/** A number of the wire with its exact text: it never becomes a JavaScript number. */
export class ExactNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toString(): string {
    return this.text;
  }
}

/** A decoded value of any converter, in one form for all of them. */
export type Value = null | string | boolean | ExactNumber | Uint8Array | readonly Value[] | ValueObject;
export interface ValueObject {
  readonly [field: string]: Value;
}

/**
 * Connect's schema of a value, as far as the converter knows one. `type` is Connect's (int8 … int64, float, double,
 * boolean, string, bytes, array, map, struct); `name` is the logical type, e.g. org.apache.kafka.connect.data.Decimal.
 */
export interface ValueSchema {
  readonly type: string;
  readonly name?: string;
  readonly optional?: boolean;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly fields?: ReadonlyMap<string, ValueSchema>;
  readonly items?: ValueSchema;
  readonly keys?: ValueSchema;
  readonly values?: ValueSchema;
}

export interface SinkHeader {
  readonly name: string;
  /** Decoded as JSON where it is JSON, else as the text, else the bytes. */
  readonly value: Value;
}

/** A decoded record. */
export interface SinkRecord {
  readonly coordinates: Coordinates;
  readonly key: Value;
  readonly keySchema?: ValueSchema;
  readonly value: Value;
  readonly valueSchema?: ValueSchema;
  readonly headers: readonly SinkHeader[];
}

export function isValueObject(value: Value | undefined): value is ValueObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Uint8Array) &&
    !(value instanceof ExactNumber)
  );
}

/** `Array.isArray` does not narrow a readonly array out of a union; this does. */
export function isValueArray(value: Value | undefined): value is readonly Value[] {
  return Array.isArray(value);
}

/** The field of an object, undefined where it is missing: `constructor` or `__proto__` may be columns too. */
export function fieldOf(row: ValueObject, name: string): Value | undefined {
  return Object.hasOwn(row, name) ? row[name] : undefined;
}
