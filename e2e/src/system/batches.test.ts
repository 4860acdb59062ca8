import { expect } from '@jest/globals';
import type { EventInput, EventResult, PositionInput } from '@ossian/shared';
import type { Corpus } from '../harness/index.js';
import { recordLine } from '../harness/record-lines.js';
import { localTest, localTestOnEachStorage } from '../harness/local-test.js';
import type { ServerProcess } from '../harness/server-process.js';

const position = (offset: number, partition = 0): PositionInput => ({
  topic: 'articles',
  partition,
  offset: String(offset),
  timestamp: String(1_764_550_000_000 + offset),
  source_position: String(1000 + offset),
  source_timestamp: String(1_764_550_000_000 + offset),
});
const upsert = (offset: number, key: string, text: string): EventInput => ({
  id: `event-${offset}`,
  op: 'upsert',
  document: { source: 'articles', key, sections: [{ name: 'body', text }] },
  position: position(offset),
});
const remove = (offset: number, key: string): EventInput => ({
  id: `event-${offset}`,
  op: 'delete',
  document: { source: 'articles', key },
  position: position(offset),
});
const outcomes = (results: readonly EventResult[]): string[] => results.map(({ outcome }) => outcome);

async function texts(corpus: Corpus): Promise<Record<string, string | undefined>> {
  const documents = await corpus.documents('articles');
  return Object.fromEntries(documents.map(({ key, sections }) => [key, sections?.[0]?.text]));
}
async function eventIds(server: ServerProcess, query: string): Promise<string[]> {
  const page = await server.client.request<{ events: { id: string }[] }>('GET', `v1/corpora/docs/events?limit=200${query}`);
  return page.events.map(({ id }) => id);
}

localTestOnEachStorage(
  '15, V1: a delete does not trip over the event log, which still tells of the document',
  async (scene, storage) => {
    const server = await scene.server({ storage });
    const corpus = await server.corpus('docs');
    const [made] = await server.client.sendEvents('docs', [upsert(1, 'id=1', 'First life.'), upsert(2, 'id=2', 'It stays.')]);
    await corpus.embedded();
    expect(outcomes(await server.client.sendEvents('docs', [remove(3, 'id=1')]))).toEqual(['applied']);
    expect(await texts(corpus)).toEqual({ 'id=2': 'It stays.' });
    expect(await eventIds(server, `&document_id=${made?.document_id}`)).toEqual(['event-3', 'event-1']);
    // In one batch, too; and a document that returns has its old id.
    const results = await server.client.sendEvents('docs', [
      upsert(4, 'id=1', 'Second life.'),
      remove(5, 'id=1'),
      upsert(6, 'id=1', 'Third life.'),
    ]);
    expect(outcomes(results)).toEqual(['applied', 'applied', 'applied']);
    expect(results[2]?.document_id).toBe(made?.document_id);
    await server.client.request('DELETE', `v1/corpora/docs/documents/${made?.document_id}`);
    expect(await texts(corpus)).toEqual({ 'id=2': 'It stays.' });
    await server.client.request('DELETE', 'v1/corpora/docs/sources/articles');
    expect(await corpus.statistics()).toMatchObject({ documents: 0, chunks: 0, events: 0 });
  },
);

/** 4,000 characters that pass validation; no compression makes them fit into a row of a Postgres index (2,704 bytes: SQLSTATE 54000). */
const unindexableKey = (): string => Array.from({ length: 4000 }, () => Math.floor(Math.random() * 36).toString(36)).join('');

localTestOnEachStorage(
  '15, V2: an event that passes validation and fails in the database fails alone, in the middle of a batch',
  async (scene, storage) => {
    const server = await scene.server({ storage });
    const corpus = await server.corpus('docs');
    const events = Array.from({ length: 21 }, (_, index) => upsert(index + 1, `id=${index + 1}`, `Text ${index + 1}.`));
    for (const place of [7, 12]) events[place] = upsert(100 + place, unindexableKey(), 'Its key is too long for an index.');
    const results = await server.client.sendEvents('docs', events);
    results.forEach((result, index) => {
      expect(result.id).toBe(events[index]?.id);
      expect(result.outcome).toBe([7, 12].includes(index) ? 'rejected' : 'applied');
    });
    expect(results[7]?.error).toMatchObject({
      code: 'not_storable',
      message: expect.stringMatching(/cannot store this event: .*; change the row/) as unknown,
    });
    const wanted = events.filter((_, index) => ![7, 12].includes(index));
    expect(Object.keys(await texts(corpus)).sort()).toEqual(
      wanted.map(({ document }) => ('key' in document ? document.key : '')).sort(),
    );
    expect(await corpus.statistics()).toMatchObject({ documents: 19, chunks: 19, events: 19 });
    // The ids of those that were rejected are not kept.
    expect(outcomes(await server.client.sendEvents('docs', events)).sort()).toEqual([
      ...Array.from({ length: 19 }, () => 'duplicate'),
      'rejected',
      'rejected',
    ]);
  },
);

localTest(
  '15, V2: a row that the database cannot take is dead-lettered alone by the sink, and its neighbours arrive',
  async (scene) => {
    const server = await scene.server();
    const corpus = await server.corpus('docs');
    const key = unindexableKey();
    const rows = ['a', 'b', key, 'c'].map((id, index) => recordLine(index, { id }, { id, title: 'T', body: `Text ${index}.` }));
    const config = scene.sinkConfig(server, 'docs', { 'errors.tolerance': 'all', 'errors.deadletterqueue.topic.name': 'dlq' });
    const delivered = await scene.deliver({ config, records: rows });
    expect(JSON.parse(delivered.stdout)).toMatchObject({ delivered: 3, dead_lettered: 1 });
    expect((await corpus.documents()).map((document) => document.key).sort()).toEqual(['id=a', 'id=b', 'id=c']);
  },
);

localTestOnEachStorage(
  '15: the same key several times in one batch ends as the last event says, and every event is accounted for',
  async (scene, storage) => {
    const server = await scene.server({ storage });
    const corpus = await server.corpus('docs');
    const events = [
      upsert(1, 'id=1', 'One.'),
      upsert(2, 'id=2', 'Two.'),
      upsert(3, 'id=1', 'One, changed.'),
      remove(4, 'id=2'),
      upsert(5, 'id=1', 'One, changed.'),
      upsert(3, 'id=1', 'One, changed.'), // redelivered within the batch
      upsert(6, 'id=2', 'Two, again.'),
      remove(7, 'id=1'),
      upsert(8, 'id=1', 'One at last.'),
      { ...upsert(2, 'id=1', 'Older than what is there.'), id: 'late' },
    ];
    const results = await server.client.sendEvents('docs', events);
    const expected = [
      'applied',
      'applied',
      'applied',
      'applied',
      'unchanged',
      'duplicate',
      'applied',
      'applied',
      'applied',
      'stale',
    ];
    expect(outcomes(results)).toEqual(expected);
    expect(await texts(corpus)).toEqual({ 'id=1': 'One at last.', 'id=2': 'Two, again.' });
    expect(await corpus.statistics()).toMatchObject({ documents: 2, chunks: 2, events: 9 });
    await corpus.embedded();
    for (const gone of ['One, changed.', 'Older than']) expect(await corpus.placesOf(gone, gone)).toEqual([]);
  },
);

localTest(
  '15, V3: two servers on one database, with overlapping batches in opposite orders, lose nothing and end at the last position',
  async (scene) => {
    const { url } = await scene.database();
    const first = await scene.server({ databaseUrl: url });
    const second = await scene.server({ databaseUrl: url });
    const corpus = await first.corpus('docs');
    const keys = Array.from({ length: 30 }, (_, index) => `id=${index}`);
    // Each server has versions of its own of every key, in batches whose keys run up on one server and down on the other.
    const batchOf = (server: number, round: number): EventInput[] => {
      const version = round * 2 + server;
      const events = keys.map((key, index) => upsert(version * 100 + index, key, `Version ${version} of ${key}.`));
      return server === 0 ? events : events.reverse();
    };
    const rounds = 12;
    const run = async (server: ServerProcess, which: number): Promise<string[]> => {
      const all: string[] = [];
      // Two batches under way at a time on each server.
      for (let round = 0; round < rounds; round += 2) {
        const sent = [round, round + 1].map((number) => server.client.sendEvents('docs', batchOf(which, number)));
        all.push(...(await Promise.all(sent)).flatMap(outcomes));
      }
      return all;
    };
    const seen = (await Promise.all([run(first, 0), run(second, 1)])).flat();
    expect(seen.filter((outcome) => outcome !== 'applied' && outcome !== 'stale')).toEqual([]);
    const last = rounds * 2 - 1;
    expect(await texts(corpus)).toEqual(Object.fromEntries(keys.map((key) => [key, `Version ${last} of ${key}.`])));
    expect(await corpus.statistics()).toMatchObject({ documents: 30, chunks: 30, events: 30 * rounds * 2 });
    for (const server of [first, second]) expect(server.logs().filter(({ level = 0 }) => level >= 50)).toEqual([]);
  },
  { postgres: true },
);
