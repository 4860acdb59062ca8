import type { MetadataValue } from '@ossian/shared';
import type { MappingSettings } from '../../config/settings.js';
import { isValueArray, isValueObject, type Value } from '../../record/sink-record.js';
import { jsonText } from '../../record/text/json-text.js';
import { readableText, readableValue, scalarText } from '../../record/text/readable-value.js';
import { templateParts } from './uri-template.js';
import type { RowReader } from './row-reader.js';

/** The title: text, or null where the column is null, blank, missing or not configured; undefined where it stays unchanged. */
export function readTitle(reader: RowReader, { titleField }: MappingSettings): string | null | undefined {
  if (titleField === undefined) return null;
  const column = reader.read(titleField, 'title');
  if (reader.isUnchanged('title')) return undefined;
  const text = column ? readableText(column.value, column.schema) : '';
  return text.trim() === '' ? null : text;
}

/** The template with each `${column}` percent-encoded; null where a column has no value, for half an address leads nowhere. */
export function readUri(reader: RowReader, { uriTemplate }: MappingSettings): string | null | undefined {
  if (uriTemplate === undefined) return null;
  let complete = true;
  const parts = templateParts(uriTemplate).map((part) => {
    if (typeof part === 'string') return part;
    const column = reader.read(part.column, 'uri');
    const text = column ? readableText(column.value, column.schema) : '';
    complete &&= text !== '';
    // A lone surrogate is U+FFFD, as the backend stores it, so that the address stays one.
    return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd'));
  });
  if (reader.isUnchanged('uri')) return undefined;
  return complete ? parts.join('') : null;
}

/** A missing column is left out; numbers are exact text, and what is nested is JSON text. */
export function readMetadata(reader: RowReader, { metadataFields }: MappingSettings): Record<string, MetadataValue> {
  const entries: [string, MetadataValue][] = [];
  for (const name of metadataFields) {
    const column = reader.read(name, 'metadata', name);
    if (!column) continue;
    const value = readableValue(column.value, column.schema);
    entries.push([name, isValueArray(value) ? value.map(metadataScalar) : metadataScalar(value)]);
  }
  return Object.fromEntries(entries);
}

function metadataScalar(value: Value): string | boolean | null {
  if (value === null || typeof value === 'boolean') return value;
  return scalarText(value) ?? jsonText(value);
}

/** Reader groups: an array of text, or one group. Null, empty or missing is nobody (`[]`), never everybody (null). */
export function readAcl(reader: RowReader, { aclField }: MappingSettings): string[] | null | undefined {
  if (aclField === undefined) return null;
  const column = reader.read(aclField, 'acl');
  if (reader.isUnchanged('acl')) return undefined;
  if (!column) return [];
  const value = readableValue(column.value, column.schema);
  const groups = isValueArray(value) ? value : [value];
  if (groups.some((group) => isValueArray(group) || isValueObject(group))) {
    throw reader.badColumn('acl_form', `Column "${aclField}" (ossian.acl.field) is neither a text array nor one group.`);
  }
  return groups.map((group) => scalarText(group) ?? '').filter((group) => group.trim() !== '');
}
