import type { RecordHeader } from '../record/consumed-record.js';
import type { SinkHeader } from '../record/sink-record.js';
import { decodeText } from './decode-text.js';
import { JsonConverter } from './json/convert-json.js';
import { JsonFault } from './json/parse-json.js';

const json = new JsonConverter(true);
const mayBeJson = /^\s*[{["\-0-9tfn]/;

/**
 * Decodes a header: JSON where it is JSON (Connect's SimpleHeaderConverter and JsonConverter both write it), else the text,
 * else the bytes. Never fails: a header that nobody asks for must not stop a record.
 */
export function convertHeader(header: RecordHeader): SinkHeader {
  if (header.value === null) return { name: header.name, value: null };
  const text = decodeText(header.value);
  if (text === undefined) return { name: header.name, value: header.value };
  if (!mayBeJson.test(text)) return { name: header.name, value: text };
  try {
    return { name: header.name, value: json.convert(text).value };
  } catch (error) {
    if (JsonFault.is(error)) return { name: header.name, value: text };
    throw error;
  }
}
