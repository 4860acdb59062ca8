import { type Event, type EventError, eventSchema, type EventResult } from '@ossian/shared';
import { sha256 } from '../corpus/content-hash.js';
import { readPosition } from '../corpus/position.js';
import type { IngestEvent } from './ingest-event.js';
import { readParts } from './read-parts.js';
import { isStorable, storableText } from './storable-text.js';

export type ReadEvent =
  { readonly event: IngestEvent; readonly rejected?: never } | { readonly event?: never; readonly rejected: EventResult };

/** Reads one event of a request by itself, so that a bad one fails alone: `rejected` with a code, what to do, and the field. */
export function readEvent(sent: unknown, index: number): ReadEvent {
  const id = idOf(sent);
  const reject = (error: EventError): ReadEvent => ({ rejected: { id, outcome: 'rejected', error } });
  const parsed = eventSchema.safeParse(sent);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const field = issue?.path.join('.') ?? '';
    return reject(invalid(field, issue?.message ?? 'not an event'));
  }
  const event = parsed.data;
  const unstorable = identifiers(event).find(([, text]) => !isStorable(text));
  if (unstorable) return reject(invalid(unstorable[0], 'an identifier has a NUL or a lone surrogate: percent-encode it'));
  const read = ingestEvent(event, index);
  return 'error' in read ? reject(read.error) : { event: read.event };
}

export function invalid(field: string, message: string): EventError {
  return { code: 'invalid_event', message: field === '' ? message : `${field}: ${message}`, ...(field === '' ? {} : { field }) };
}

function idOf(sent: unknown): string {
  const id = typeof sent === 'object' && sent !== null && 'id' in sent ? sent.id : undefined;
  return typeof id === 'string' ? id : '';
}

/** Replacing a character in one of these could make two identities one. */
function identifiers(event: Event): [string, string][] {
  const document: Record<string, unknown> = event.document;
  const named: [string, unknown][] = [
    ['id', event.id],
    ...['source', 'key', 'moved_from', 'moved_to'].map((name): [string, unknown] => [`document.${name}`, document[name]]),
    ['position.topic', event.position?.topic],
  ];
  return named.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
}

function ingestEvent(event: Event, index: number): { event: IngestEvent } | { error: EventError } {
  const common = {
    index,
    id: event.id,
    source: event.document.source,
    sentPosition: event.position,
    position: event.position === undefined ? null : readPosition(event.position),
  };
  if (event.op === 'clear') {
    const position = readPosition(event.position);
    return { event: { ...common, op: 'clear', position, reason: null, contentHash: hashEvent(event, null) } };
  }
  const { key } = event.document;
  const contentHash = (parts: unknown): string => hashEvent(event, parts);
  switch (event.op) {
    case 'upsert': {
      const read = readParts(event.document);
      if ('error' in read) return read;
      const movedFrom = otherKey(event.document.moved_from, key);
      const hash = contentHash([read.parts, event.document.unchanged, movedFrom]);
      const blank = read.parts.sections.length === 0 && !read.unchanged.some((part) => part.kind === 'section');
      const reason = blank ? 'blanked' : null;
      return { event: { ...common, op: 'upsert', key, reason, contentHash: hash, ...read, movedFrom, blank } };
    }
    case 'delete': {
      const movedTo = otherKey(event.document.moved_to, key);
      const reason = event.reason ?? 'deleted';
      return { event: { ...common, op: 'delete', key, reason, contentHash: contentHash(movedTo), movedTo } };
    }
    case 'skip': {
      const reason = event.reason === undefined ? null : storableText(event.reason);
      return { event: { ...common, op: 'skip', key, reason, contentHash: contentHash(null) } };
    }
  }
}

/** A row that "moves" to its own key has not moved. */
function otherKey(key: string | undefined, own: string): string | null {
  return key === undefined || key === own ? null : key;
}

function hashEvent(event: Event, content: unknown): string {
  const document = event.document;
  return sha256([event.op, document.source, 'key' in document ? document.key : null, event.position ?? null, content]);
}
