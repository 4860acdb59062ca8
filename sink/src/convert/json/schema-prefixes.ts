import type { Value, ValueSchema } from '../../record/sink-record.js';
import { JsonFault, parseJson } from './parse-json.js';

export interface ConvertedJson {
  readonly value: Value;
  readonly schema?: ValueSchema;
}
interface SchemaPrefix {
  /** `{"schema":{…},"payload":` */
  readonly prefix: string;
  readonly schema: ValueSchema;
}
const separator = ',"payload":';
const start = '{"schema":';
const remembered = 16;

/**
 * Schemas by the text they stand in. With schemas each record repeats its schema, often longer than its row: comparing the
 * text with one seen before is much cheaper than reading it again.
 */
export class SchemaPrefixes {
  readonly #known: SchemaPrefix[] = [];

  /** The payload of a text whose schema is known; undefined where it has to be read whole. */
  read(text: string): ConvertedJson | undefined {
    const index = this.#known.findIndex((known) => text.startsWith(known.prefix));
    const known = this.#known[index];
    // The last character closes the pair; what is before it is the payload, and if it is not, the text is an odd one.
    if (!known || !text.endsWith('}')) return undefined;
    if (index > 0) this.#known.unshift(...this.#known.splice(index, 1));
    try {
      return { value: parseJson(text.slice(known.prefix.length, -1)), schema: known.schema };
    } catch (error) {
      if (JsonFault.is(error)) return undefined;
      throw error;
    }
  }

  /** The prefix is taken only where it is complete with any value put after it, so that what follows is the payload. */
  learn(text: string, schema: ValueSchema): void {
    if (!text.startsWith(start)) return;
    let at = text.indexOf(separator);
    while (at !== -1) {
      const prefix = text.slice(0, at + separator.length);
      if (isComplete(prefix)) {
        this.#known.unshift({ prefix, schema });
        this.#known.length = Math.min(this.#known.length, remembered);
        return;
      }
      at = text.indexOf(separator, at + 1);
    }
  }
}

function isComplete(prefix: string): boolean {
  try {
    parseJson(`${prefix}null}`);
    return true;
  } catch (error) {
    if (JsonFault.is(error)) return false;
    throw error;
  }
}
