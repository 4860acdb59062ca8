import type { RecordHeader } from '../record/consumed-record.js';
import type { SinkHeader } from '../record/sink-record.js';
import { decodeText } from './decode-text.js';
import { JsonConverter } from './json/convert-json.js';
import { JsonFault } from './json/parse-json.js';

const json = new JsonConverter(true);
/** Most headers are plain text, ids that begin with a digit among them: finding out by a thrown fault would cost more than the row. */
const mayBeJson = /^\s*(?:[{["]|(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)\s*$)/;

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
