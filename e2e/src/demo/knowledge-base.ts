import { fileURLToPath } from 'node:url';
import type { SinkConfig } from '../harness/sink-process.js';

/** The recorded knowledge base's own topic prefix. */
export const recordedPrefix = 'fernhill';
export const tables = ['articles', 'tickets', 'announcements'] as const;

/** A file of the recording: the statements (.sql) and what Debezium wrote of them (.jsonl), before and after the changes. */
export function recordingFile(name: `${'before' | 'after'}.${'sql' | 'jsonl'}`): string {
  return fileURLToPath(new URL(`../../recordings/knowledge-base/${name}`, import.meta.url));
}

/** How the three tables become documents, in the keys of a connector file. */
export function mappingConfig(prefix: string): SinkConfig {
  const of = (table: (typeof tables)[number], keys: Record<string, string>): [string, string][] =>
    Object.entries(keys).map(([key, value]) => [`ossian.topic.${prefix}.public.${table}.${key}`, value]);
  return Object.fromEntries([
    ['topics', tables.map((table) => `${prefix}.public.${table}`).join(',')],
    ['ossian.text.fields', 'body'],
    ['ossian.title.field', 'title'],
    ...of('articles', { 'metadata.fields': 'category,product,updated_at' }),
    ...of('tickets', { 'text.fields': 'description,resolution', 'title.field': 'subject', 'metadata.fields': 'status,product' }),
    ...of('announcements', { 'title.field': 'headline' }),
    ['errors.tolerance', 'all'],
  ]);
}

/** What the demo asks once the snapshot is in. */
export const questions = [
  'How long are audit logs kept?',
  'How fast does support respond on the Business plan?',
  'What does the Relay Mini protect?',
  'What does error R-215 mean?',
  'Who holds the key that encrypts my backups?',
] as const;

/** What nothing in the knowledge base answers. */
export const unanswerable = 'What is the capital of Mongolia?';

/** What it asks again after the changes, with what became of it. */
export const changedQuestions = [
  [questions[0], 'the article was updated: 180 days became 90'],
  [questions[1], 'updated too: 4 hours became 2'],
  [questions[2], 'the article and the ticket about it were deleted'],
  ['Is there a discount for schools?', 'the article was blanked, its row is still there; the ticket remains'],
  [
    'How fast does a loan appliance come to Germany?',
    'the key changed from id=38 to id=138, and Debezium did not send the long body again',
  ],
  [
    'What does a tape bridge cost, and which LTO formats does it read?',
    'the update left out the long body: it was dead-lettered, and the document says that it is behind its row',
  ],
] as const;
