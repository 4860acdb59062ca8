import type { EventInput, PositionInput } from '@ossian/shared';
import type { MappingSettings } from '../../config/settings.js';
import { RecordError } from '../../errors/record-error.js';
import type { Change } from '../../record/change.js';
import { readableText } from '../../record/text/readable-value.js';
import type { MappedRecord } from '../mapped-record.js';
import { readAcl, readMetadata, readTitle, readUri } from './document-parts.js';
import { RowReader } from './row-reader.js';

type Row = Extract<Change, { kind: 'row' }>;
type Section = { readonly name: string } & ({ readonly text: string } | { readonly state: 'missing' | 'empty' | 'unavailable' });
interface EventFrame {
  readonly id: string;
  readonly position: PositionInput;
}

/**
 * A row becomes an upsert, or a delete where it is blanked (DESIGN 3.1, the last three lines of its table).
 *
 * @throws RecordError (`columns_missing`, `unavailable_value`, `acl_form`) with the row's identity
 */
export function mapRow(row: Row, { id, position }: EventFrame, settings: MappingSettings): MappedRecord {
  const sections = settings.textFields.map((name) => readSection(row, name));
  if (sections.length === 0) throw noTextFields(row);
  if (sections.every((section) => 'state' in section && section.state === 'empty')) {
    return {
      kind: 'event',
      event: { id, op: 'delete', document: row.identity, reason: 'blanked', position },
      missingColumns: [],
    };
  }
  if (sections.every((section) => 'state' in section && section.state !== 'unavailable')) throw columnsMissing(row, sections);
  const reader = new RowReader(row, settings);
  const document = readDocument(row, sections, reader, settings);
  const event: EventInput = { id, op: 'upsert', document, position };
  return { kind: 'event', event, missingColumns: reader.missing };
}

type Document = Extract<EventInput, { op: 'upsert' }>['document'];

function readDocument(row: Row, sections: readonly Section[], reader: RowReader, settings: MappingSettings): Document {
  const texts: { name: string; text: string }[] = [];
  for (const section of sections) {
    if ('text' in section) texts.push({ name: section.name, text: section.text });
    else if (section.state !== 'empty') reader.note(section.name, section.state, 'sections', section.name);
  }
  const title = readTitle(reader, settings);
  const uri = readUri(reader, settings);
  const metadata = readMetadata(reader, settings);
  const acl = readAcl(reader, settings);
  return {
    ...row.identity,
    ...(title === undefined ? {} : { title }),
    ...(uri === undefined ? {} : { uri }),
    sections: texts,
    metadata,
    ...(acl === undefined ? {} : { acl }),
    ...(reader.unchanged.length === 0 ? {} : { unchanged: reader.unchanged }),
    ...(row.movedFrom === undefined ? {} : { moved_from: row.movedFrom }),
  };
}

function readSection(row: Row, name: string): Section {
  const column = row.column(name);
  if (column.state !== 'present') return { name, state: column.state };
  const text = readableText(column.value, column.schema);
  return text.trim() === '' ? { name, state: 'empty' } : { name, text };
}

/** A topic of which nothing is configured, e.g. one in a record file that the connector does not read: no blanked row. */
function noTextFields(row: Row): RecordError {
  return new RecordError(
    'columns_missing',
    'TASK_PUT',
    'No text column is configured for the topic. Nothing was removed: name its columns in ossian.text.fields, or as ossian.topic.<topic>.text.fields.',
    { identity: row.identity },
  );
}

function columnsMissing(row: Row, sections: readonly Section[]): RecordError {
  const missing = sections.filter((section) => 'state' in section && section.state === 'missing').map(({ name }) => name);
  const rest = missing.length < sections.length ? ', and the other text columns are empty' : '';
  return new RecordError(
    'columns_missing',
    'TASK_PUT',
    `The row has no column ${missing.map((name) => `"${name}"`).join(', ')}${rest}. Nothing was removed: name the table's columns in ossian.text.fields (was a column renamed or dropped?).`,
    { identity: row.identity },
  );
}
