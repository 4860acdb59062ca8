import type { ValueSchema } from '../../record/sink-record.js';
import { JsonFault, parseJson } from './parse-json.js';

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

  find(text: string): SchemaPrefix | undefined {
    const index = this.#known.findIndex((known) => text.startsWith(known.prefix));
    const known = this.#known[index];
    if (known && index > 0) {
      this.#known.splice(index, 1);
      this.#known.unshift(known);
    }
    return known;
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
