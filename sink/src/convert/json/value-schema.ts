import { ExactNumber, fieldOf, isValueArray, isValueObject, type Value, type ValueSchema } from '../../record/sink-record.js';

const types = new Set([
  'int8',
  'int16',
  'int32',
  'int64',
  'float',
  'double',
  'boolean',
  'string',
  'bytes',
  'array',
  'map',
  'struct',
]);

/**
 * Reads a schema as Connect's JsonConverter writes it (org.apache.kafka.connect.json.JsonConverter#asJsonSchema).
 *
 * @returns undefined where the value is no such schema.
 */
export function readValueSchema(value: Value | undefined): ValueSchema | undefined {
  if (!isValueObject(value)) return undefined;
  const type = fieldOf(value, 'type');
  if (typeof type !== 'string' || !types.has(type)) return undefined;
  const name = fieldOf(value, 'name');
  const parameters = fieldOf(value, 'parameters');
  const items = readValueSchema(fieldOf(value, 'items'));
  const keys = readValueSchema(fieldOf(value, 'keys'));
  const values = readValueSchema(fieldOf(value, 'values'));
  return {
    type,
    optional: fieldOf(value, 'optional') === true,
    ...(typeof name === 'string' ? { name } : {}),
    ...(isValueObject(parameters) ? { parameters: readParameters(parameters) } : {}),
    ...(type === 'struct' ? { fields: readFields(fieldOf(value, 'fields')) } : {}),
    ...(items ? { items } : {}),
    ...(keys ? { keys } : {}),
    ...(values ? { values } : {}),
  };
}

function readParameters(value: Value): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (const [name, parameter] of Object.entries(value ?? {}) as [string, Value][]) {
    if (typeof parameter === 'string') parameters[name] = parameter;
    else if (parameter instanceof ExactNumber) parameters[name] = parameter.text;
  }
  return parameters;
}

function readFields(value: Value | undefined): ReadonlyMap<string, ValueSchema> {
  const fields = new Map<string, ValueSchema>();
  for (const field of isValueArray(value) ? value : []) {
    const name = isValueObject(field) ? fieldOf(field, 'field') : undefined;
    const schema = readValueSchema(field);
    if (typeof name === 'string' && schema) fields.set(name, schema);
  }
  return fields;
}
