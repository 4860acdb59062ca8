import type { EventInput } from '@ossian/shared';
import type { Coordinates } from '../../record/consumed-record.js';
import type { Inspection } from './inspect-record.js';

type Upsert = Extract<EventInput, { op: 'upsert' }>['document'];
const shown = 60;

/** `topic/partition@offset`. */
export function place({ topic, partition, offset }: Coordinates): string {
  return `${topic}/${partition}@${offset}`;
}

/** A record's verdict for people: one line, and under an upsert what the document is made of. */
export function describeInspection(inspection: Inspection): string {
  const at = place(inspection.at);
  if (inspection.verdict === 'ignored') return `${at}  ignored  ${inspection.reason}`;
  if (inspection.verdict === 'stops') return `${at}  STOPS THE TASK  ${inspection.code}: ${inspection.message}`;
  if (inspection.verdict === 'refused') {
    const key = inspection.document ? `  ${inspection.document.key}` : '';
    return `${at}  REFUSED${key}  ${inspection.code}: ${inspection.message}`;
  }
  return [`${at}  ${describeEvent(inspection.event)}`, ...describeParts(inspection.event, inspection.missingColumns)].join('\n');
}

function describeEvent(event: EventInput): string {
  if (event.op === 'clear') return `clear  every document of ${event.document.source}`;
  if (event.op === 'upsert') return `upsert  ${event.document.key}${from(event.document.moved_from)}`;
  if (event.op === 'skip') return `skip  ${event.document.key}`;
  const to = event.document.moved_to === undefined ? '' : `, moved to ${event.document.moved_to}`;
  return `delete  ${event.document.key}  (${event.reason ?? 'deleted'}${to})`;
}

function from(key: string | undefined): string {
  return key === undefined ? '' : `  (moved from ${key})`;
}

function describeParts(event: EventInput, missingColumns: readonly string[]): string[] {
  if (event.op !== 'upsert') return [];
  const document: Upsert = event.document;
  const line = (name: string, value: string): string => `    ${name.padEnd(12)} ${value}`;
  return [
    ...(document.title == null ? [] : [line('title', excerpt(document.title))]),
    ...(document.uri == null ? [] : [line('uri', document.uri)]),
    ...(document.sections ?? []).map(({ name, text }) => line(name, `${text.length} characters  ${excerpt(text)}`)),
    ...Object.entries(document.metadata ?? {}).map(([name, value]) => line(name, excerpt(JSON.stringify(value)))),
    ...(document.acl == null ? [] : [line('readers', document.acl.length === 0 ? 'nobody' : document.acl.join(', '))]),
    ...(document.unchanged ?? []).map((pointer) => line('unchanged', pointer)),
    ...missingColumns.map((name) => line('missing', name)),
  ];
}

function excerpt(text: string): string {
  const oneLine = text.replaceAll(/\s+/g, ' ').trim();
  return oneLine.length <= shown ? oneLine : `${oneLine.slice(0, shown)}…`;
}
