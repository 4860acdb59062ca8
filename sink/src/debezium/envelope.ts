import { fieldOf, isValueObject, type Value, type ValueObject } from '../record/sink-record.js';

/** An envelope says so by its shape: `op`, a `source` object, and `before` or `after` (io.debezium.data.Envelope). */
export function isEnvelope(value: ValueObject): boolean {
  return (
    typeof fieldOf(value, 'op') === 'string' &&
    isValueObject(fieldOf(value, 'source')) &&
    (Object.hasOwn(value, 'before') || Object.hasOwn(value, 'after'))
  );
}

/** A struct of an envelope, undefined where it is null or missing. */
export function structOf(value: ValueObject, name: string): ValueObject | undefined {
  const struct: Value | undefined = fieldOf(value, name);
  return isValueObject(struct) ? struct : undefined;
}
