import { fieldOf, isValueObject } from '../../record/sink-record.js';
import { parseJson } from './parse-json.js';
import { type ConvertedJson, SchemaPrefixes } from './schema-prefixes.js';
import { readValueSchema } from './value-schema.js';

/**
 * Decodes JSON as Kafka Connect's JsonConverter writes it, with a schema beside the value (`{"schema":…,"payload":…}`) or
 * without. Which one it is, is seen in each text, whatever `schemas.enable` says: a file that says the wrong thing works.
 * Only a null schema (schemaless, written with schemas enabled) is taken as one on the setting's word, since a row may
 * have two columns of these names.
 *
 * @throws JsonFault where the text is not JSON.
 */
export class JsonConverter {
  readonly #schemasEnable: boolean;
  readonly #prefixes = new SchemaPrefixes();
  constructor(schemasEnable: boolean) {
    this.#schemasEnable = schemasEnable;
  }

  convert(text: string): ConvertedJson {
    const known = this.#prefixes.read(text);
    if (known) return known;
    const whole = parseJson(text);
    if (!isValueObject(whole)) return { value: whole };
    const payload = fieldOf(whole, 'payload');
    const schemaValue = fieldOf(whole, 'schema');
    if (payload === undefined || schemaValue === undefined || Object.keys(whole).length !== 2) return { value: whole };
    const schema = readValueSchema(schemaValue);
    if (schema) {
      this.#prefixes.learn(text, schema);
      return { value: payload, schema };
    }
    return { value: schemaValue === null && this.#schemasEnable ? payload : whole };
  }
}
