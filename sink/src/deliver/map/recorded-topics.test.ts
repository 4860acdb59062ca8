import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { MappingSettings } from '../../config/settings.js';
import { RecordError } from '../../errors/record-error.js';
import type { ConsumedRecord } from '../../record/consumed-record.js';
import { mapRecord, recordedTopic } from '../../testing/records.js';

/** The verdict in a form that a hand-written table can hold. */
function verdictOf(record: ConsumedRecord, settings: Partial<MappingSettings>): string {
  try {
    const mapped = mapRecord(record, settings);
    if (mapped.kind === 'ignored') return `ignored ${mapped.reason}`;
    const { event } = mapped;
    if (event.op === 'clear') return `clear ${event.document.source}`;
    if (event.op === 'skip') return 'skip';
    if (event.op === 'delete') {
      return `${event.reason} ${event.document.key}${event.document.moved_to ? ` -> ${event.document.moved_to}` : ''}`;
    }
    const from = event.document.moved_from ? ` <- ${event.document.moved_from}` : '';
    const unchanged = (event.document.unchanged ?? []).map((pointer) => ` =${pointer}`).join('');
    const missing = mapped.missingColumns.map((name) => ` ?${name}`).join('');
    return `upsert ${event.document.key}${from}${unchanged}${missing}`;
  } catch (error) {
    if (!RecordError.is(error)) throw error;
    return `refused ${error.code}${error.identity ? ` ${error.identity.key}` : ''}`;
  }
}

/** Steps of `_steps.jsonl`, and by hand what each must become. "d " marks an envelope's delete, "t " its tombstone. */
type Step = readonly [label: string, ...verdicts: string[]];
const large = 'id=9007199254740993';
const documents: readonly Step[] = [
  ['', 'upsert id=1', 'upsert id=2', 'blanked id=3'],
  ['update title only: every other column toasted', 'refused unavailable_value id=1'],
  ['update small jsonb, rest toasted', 'refused unavailable_value id=1'],
  ['body to null', 'blanked id=1'],
  ['body to empty string', 'blanked id=1'],
  ['body big again', 'upsert id=1'],
  ['update of a small row', 'upsert id=2'],
  ['no-op update', 'blanked id=3'],
  ['id above 2^53: insert', `upsert ${large}`],
  ['id above 2^53: update', `upsert ${large}`],
  ['id above 2^53: delete', `d deleted ${large}`, `t tombstone ${large}`],
  ['insert then delete', 'blanked id=5'],
  ['delete', 'd deleted id=5', 't tombstone id=5'],
  ['primary key change, small row', 'd deleted id=2 -> id=20', 't tombstone id=2 -> id=20', 'upsert id=20 <- id=2'],
  [
    'primary key change, toasted row',
    'd deleted id=1 -> id=10',
    't tombstone id=1 -> id=10',
    'upsert id=10 <- id=1 =/sections/body',
  ],
  ['one transaction over three tables', 'upsert id=6'],
  ['rolled back'],
  ['add column'],
  ['update after add column', 'blanked id=3'],
  ['added column with a default set to null', 'blanked id=3'],
  ['body is literally the placeholder text', 'refused unavailable_value id=8'],
  ['odd characters', 'upsert id=8'],
  ['same row twice in one transaction', 'upsert id=8', 'upsert id=8'],
  ['delete and insert again in one transaction', 'd deleted id=8', 't tombstone id=8', 'blanked id=8'],
  ['signal: incremental snapshot of documents', 'blanked id=3', 'upsert id=6', 'blanked id=8', 'upsert id=10', 'upsert id=20'],
  ['replica identity full'],
  ['full: update title of toasted row', 'upsert id=10'],
  ['full: no-op update', 'blanked id=3'],
  ['full: delete of toasted row', 'd deleted id=10', 't tombstone id=10'],
];
const ticket = (tenant: number, number: number): string =>
  `tenant=${[8, 4, 4, 4, 12].map((length, index) => (index === 2 ? '4' : index === 3 ? '8' : '').padEnd(length, String(tenant))).join('-')}&ticket_no=${number}`;
const tickets: readonly Step[] = [
  ['', `upsert ${ticket(1, 1)}`, `upsert ${ticket(1, 2)}`],
  ['one transaction over three tables', `upsert ${ticket(2, 1)}`, `upsert ${ticket(1, 1)}`],
  [
    'composite key: one part changed',
    `d deleted ${ticket(1, 2)} -> ${ticket(1, 20)}`,
    `t tombstone ${ticket(1, 2)} -> ${ticket(1, 20)}`,
    `upsert ${ticket(1, 20)} <- ${ticket(1, 2)}`,
  ],
  ['drop column'],
  ['update after drop column', `upsert ${ticket(2, 1)} ?description`],
  [
    'signal: blocking snapshot of tickets',
    `upsert ${ticket(1, 1)} ?description`,
    `upsert ${ticket(1, 20)} ?description`,
    `upsert ${ticket(2, 1)} ?description`,
  ],
  ['full: update ticket', `upsert ${ticket(2, 1)} ?description`],
  ['full: delete ticket', `d deleted ${ticket(2, 1)}`, `t tombstone ${ticket(2, 1)}`],
  ['truncate two tables', 'clear app.public.tickets'],
  ['insert after truncate', `upsert ${ticket(1, 99)} ?description`],
];
const notes: readonly Step[] = [
  ['', 'refused no_identity'],
  ['one transaction over three tables', 'refused no_identity'],
  ['no primary key, default identity: update (Postgres refuses)'],
  ['full: update note without key', 'refused no_identity'],
  ['full: delete note without key', 'd refused no_identity', 't ignored empty'],
  ['truncate two tables', 'clear app.public.notes'],
];
/** The same with `ossian.key.fields=note,at`: the table has no key, so it must be named. */
const namedNotes: readonly Step[] = [
  ['', 'upsert at=1767323045678901&note=first%20note'],
  ['one transaction over three tables', 'upsert at=1767323045678901&note=in%20a%20transaction'],
  ['full: update note without key', 'refused key_changed at=1767323045678901&note=changed'],
  ['full: delete note without key', 'd deleted at=1767323045678901&note=in%20a%20transaction', 't ignored empty'],
  ['truncate two tables', 'clear app.public.notes'],
];
const kinds: readonly Step[] = [
  ['', 'upsert id=1'],
  ['kinds: update with nulls', 'upsert id=1'],
  ['column with a default set to null (JsonConverter replaces it)', 'upsert id=1'],
  ['kinds: special values', 'blanked id=2'],
];
const signals: readonly Step[] = [
  ['signal: log', 'ignored signal'],
  ['signal: incremental snapshot of documents', ...Array<string>(9).fill('ignored signal')],
  ['signal: blocking snapshot of tickets', 'ignored signal'],
];
const messages: readonly Step[] = [
  ['logical message, transactional', 'ignored message'],
  ['logical message, not transactional', 'ignored message'],
];
const envelopes = ['json-envelope', 'json-schema-envelope', 'json-envelope-eos'];
const topics: readonly (readonly [string, readonly Step[], Partial<MappingSettings>])[] = [
  ['app.public.documents', documents, { textFields: ['body'], titleField: 'title' }],
  ['app.public.tickets', tickets, { textFields: ['subject', 'description'] }],
  ['app.public.kinds', kinds, { textFields: ['j'] }],
  ['app.public.dbz_signal', signals, {}],
  ['app.message', messages, {}],
];

function expected(steps: readonly Step[], folder: string): string[] {
  const all = steps.flatMap(([, ...verdicts]) => verdicts);
  if (envelopes.includes(folder)) return all.map((verdict) => verdict.replace(/^[dt] /, ''));
  const dropped = folder === 'flat-rewrite' ? 't ' : 'd ';
  return all
    .filter((verdict) => !verdict.startsWith(dropped) && !verdict.startsWith('clear'))
    .map((verdict) => verdict.replace(/^[dt] /, ''));
}

describe.each([...envelopes, 'flat-rewrite', 'flat-tombstone'])('the recorded topics of %s', (folder) => {
  it.each(topics)('%s: every record ends as the table says', (topic, steps, settings) => {
    const records = recordedTopic(folder, topic);
    expect(records.map((record) => verdictOf(record, settings))).toEqual(expected(steps, folder));
  });

  it('notes: a table without a key has no identity', () => {
    const records = recordedTopic(folder, 'app.public.notes');
    expect(records.map((record) => verdictOf(record, { textFields: ['note'] }))).toEqual(expected(notes, folder));
  });

  it.each([
    ['app.transaction', 'transaction'],
    ['app.notifications', 'notification'],
    ['__debezium-heartbeat.app', 'heartbeat'],
  ])('%s holds no rows', (topic, kind) => {
    const records = recordedTopic(folder, topic);
    expect(records.length).toBeGreaterThan(4);
    // No topic is named: it is the shape that tells.
    expect(new Set(records.map((record) => verdictOf(record, { sideTopics: [] })))).toEqual(new Set([`ignored ${kind}`]));
  });
});

describe('recorded topics', () => {
  it('covers every recorded step', () => {
    const path = new URL('../../../fixtures/debezium/json-envelope/_steps.jsonl', import.meta.url);
    const labels = readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { label: string }).label);
    const covered = new Set([documents, tickets, notes, kinds, signals, messages].flat().map(([label]) => label));
    expect(labels.filter((label) => !covered.has(label))).toEqual([]);
  });

  it.each(envelopes)('a table without a key is identified by the columns that are named (%s)', (folder) => {
    const records = recordedTopic(folder, 'app.public.notes');
    const settings = { textFields: ['note'], keyFields: ['note', 'at'] };
    expect(records.map((record) => verdictOf(record, settings))).toEqual(expected(namedNotes, folder));
  });

  it('a second snapshot in one topic gives the rows again', () => {
    const records = recordedTopic('json-envelope-resnapshot', 'app.public.documents');
    expect(records.map((record) => verdictOf(record, {}))).toEqual([
      'upsert id=1',
      'upsert id=2',
      ...Array<string>(5).fill('upsert id=1'),
      'deleted id=2',
      'tombstone id=2',
      'upsert id=3',
      'upsert id=3',
      'upsert id=1',
      'upsert id=1',
    ]);
  });
});
