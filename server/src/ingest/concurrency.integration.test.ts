import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger, type EventInput } from '@ossian/shared';
import type { Database } from '../storage/database.js';
import { openDatabase } from '../storage/open-database.js';
import { createTestPostgres, expectsPostgres } from '../testing/test-databases.js';
import { applyEvents } from './apply-events.js';
import { createIngest, type Ingest } from './testing/database-backend.js';
import { EventBuilder } from './testing/event-builder.js';

const logger = createLogger('test', 'silent');

(expectsPostgres ? describe : describe.skip)('two servers on one Postgres', () => {
  let databases: Database[] = [];
  let drop: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    const fresh = await createTestPostgres();
    drop = fresh.drop;
    for (let server = 0; server < 2; server++) databases.push(await openDatabase({ databaseUrl: fresh.url, logger }));
  });
  afterAll(async () => {
    await Promise.all(databases.map((database) => database.close()));
    databases = [];
    await drop?.();
  });

  let conflicts = 0;
  const countingLogger = Object.assign(Object.create(logger) as typeof logger, { debug: () => void conflicts++ });

  /** Both servers write into one corpus. */
  async function servers(): Promise<{
    ingest: Ingest;
    apply: (server: number, events: readonly EventInput[]) => Promise<string[]>;
  }> {
    const ingest = await createIngest(databases[0]!);
    const apply = async (server: number, events: readonly EventInput[]): Promise<string[]> => {
      const results = await applyEvents(
        { ...ingest.dependencies, database: databases[server]!, logger: countingLogger },
        ingest.corpus,
        events,
      );
      return results.map((result) => result.outcome);
    };
    return { ingest, apply };
  }

  it('V3: overlapping batches in opposite orders: each event is applied once, and none waits for the other in a circle', async () => {
    const { ingest, apply } = await servers();
    conflicts = 0;
    const build = new EventBuilder();
    // The source is known: its making would put the two in order.
    await apply(0, [build.delete('id=0')]);
    for (let round = 0; round < 10; round++) {
      // New keys in every other round, and then the same ones again.
      const keys = Math.floor(round / 2);
      const events = Array.from({ length: 400 }, (_, n) => build.upsert(`id=${keys}-${n % 200}`, `round ${round} version ${n}`));
      const outcomes = await Promise.all([apply(0, events), apply(1, [...events].reverse())]);
      // Whoever comes second knows every id; the order within the first decides what is stale.
      expect(outcomes.map((list) => list.filter((outcome) => outcome === 'duplicate').length).sort((a, b) => a - b)).toEqual([
        0, 400,
      ]);
    }
    expect(conflicts).toBe(0);
    const rows = await ingest.query('SELECT count(*)::int AS count FROM events WHERE corpus_id = $1', [ingest.corpus.id]);
    expect(rows).toEqual([{ count: 4001 }]);
    const texts = await ingest.query(
      `SELECT DISTINCT chunk.text FROM chunks AS chunk JOIN documents AS document ON document.id = chunk.document_id
       WHERE document.corpus_id = $1 AND document.key LIKE 'id=%-3' ORDER BY 1`,
      [ingest.corpus.id],
    );
    expect(texts.map((row) => row['text'])).toEqual([1, 3, 5, 7, 9].map((round) => `round ${round} version 203`));
  });

  it('V3: new keys that two servers make at once are one document each', async () => {
    const { ingest, apply } = await servers();
    for (let round = 0; round < 10; round++) {
      const build = new EventBuilder();
      const make = (server: number): EventInput[] =>
        Array.from({ length: 30 }, (_, n) =>
          build.upsert(`id=${round}-${server === 0 ? n : 29 - n}`, `by ${server}`, {}, { position: { partition: server } }),
        );
      const [first, second] = [make(0), make(1)];
      await Promise.all([apply(0, first), apply(1, second)]);
    }
    const rows = await ingest.query(
      'SELECT count(*)::int AS all, count(*) FILTER (WHERE live)::int AS live FROM documents WHERE corpus_id = $1',
      [ingest.corpus.id],
    );
    expect(rows).toEqual([{ all: 300, live: 300 }]);
  });

  /** The first server, which does all its work and then waits before it commits. */
  function waitingServer(): { database: Database; ready: Promise<void>; commit: () => void } {
    let isReady = (): void => undefined;
    let commit = (): void => undefined;
    const ready = new Promise<void>((resolve) => (isReady = resolve));
    const gate = new Promise<void>((resolve) => (commit = resolve));
    const [first] = databases;
    const database: Database = {
      ...first!,
      pool: first!.pool,
      transaction: (work) =>
        first!.transaction(async (transaction) => {
          const result = await work(transaction);
          isReady();
          await gate;
          return result;
        }),
    };
    return { database, ready, commit: () => commit() };
  }

  it.each(['clear', 'newer version', 'delete half'])(
    'V3: a %s waits for what another server has not committed, and then sees it',
    async (what) => {
      const { ingest, apply } = await servers();
      const build = new EventBuilder();
      // The source is known: it is not its making that they wait for.
      await apply(0, [build.delete('id=0'), ...(what === 'delete half' ? [build.upsert('id=1', 'stored')] : [])]);
      const position = { source_position: '5000' };
      const create = build.upsert('id=2', null, { moved_from: 'id=1', unchanged: ['/sections/body'] }, { position });
      const uncommitted = what === 'delete half' ? create : build.upsert('id=1', 'old');
      const second = {
        clear: build.clear(),
        'newer version': build.upsert('id=1', 'new'),
        'delete half': build.delete('id=1', 'id=2', { position }),
      }[what]!;
      const server = waitingServer();
      const first = applyEvents({ ...ingest.dependencies, database: server.database }, ingest.corpus, [uncommitted]);
      await server.ready;
      const other = apply(1, [second]);
      await new Promise((resolve) => setTimeout(resolve, 150));
      server.commit();
      await Promise.all([first, other]);
      const live = await ingest.query(
        `SELECT key, sections -> 0 ->> 'text' AS text FROM documents WHERE corpus_id = $1 AND live`,
        [ingest.corpus.id],
      );
      const expected = {
        clear: [],
        'newer version': [{ key: 'id=1', text: 'new' }],
        'delete half': [{ key: 'id=2', text: 'stored' }],
      }[what];
      expect(live).toEqual(expected);
    },
  );

  it('V3: a clear and events of the same source at once: what is before it is gone, what is after it is there', async () => {
    const { ingest, apply } = await servers();
    for (let round = 0; round < 15; round++) {
      const build = new EventBuilder(`cleared-${round}`);
      const before = Array.from({ length: 20 }, (_, n) => build.upsert(`id=${n}`, 'before'));
      const clear = build.clear();
      const after = Array.from({ length: 10 }, (_, n) => build.upsert(`id=${n}`, 'after'));
      await Promise.all([apply(0, before), apply(1, [clear, ...after])]);
      const rows = await ingest.query(
        `SELECT chunk.text, count(*)::int AS count FROM documents AS document JOIN sources AS source ON source.id = document.source_id
         JOIN chunks AS chunk ON chunk.document_id = document.id
         WHERE source.corpus_id = $1 AND source.name = $2 AND document.live GROUP BY 1`,
        [ingest.corpus.id, build.source],
      );
      expect(rows).toEqual([{ text: 'after', count: 10 }]);
    }
  });

  it('V3: the two halves of a key change at once, in a chain, end in one document with its text', async () => {
    const { ingest, apply } = await servers();
    for (let round = 0; round < 15; round++) {
      const build = new EventBuilder(`moved-${round}`);
      await apply(0, [build.upsert('id=1', 'kept text')]);
      const halves = [1, 2, 3].map((key) => {
        const position = { source_position: String(5000 + key) };
        const moved = { moved_from: `id=${key}`, unchanged: ['/sections/body'] };
        return {
          deletes: build.delete(`id=${key}`, `id=${key + 1}`, { position: { ...position, partition: 1 } }),
          creates: build.upsert(`id=${key + 1}`, null, moved, { position: { ...position, partition: 2 } }),
        };
      });
      // Each key's own events keep their order, as they do on its partition: create half first, then the delete half of the next move.
      await Promise.all([
        apply(0, [halves[0]!.deletes]),
        apply(1, [halves[0]!.creates, halves[1]!.deletes]),
        apply(0, [halves[1]!.creates, halves[2]!.deletes]),
        apply(1, [halves[2]!.creates]),
      ]);
      const rows = await ingest.query(
        `SELECT document.key, document.behind_since, document.sections -> 0 ->> 'text' AS text FROM documents AS document
         JOIN sources AS source ON source.id = document.source_id WHERE source.corpus_id = $1 AND source.name = $2 AND live`,
        [ingest.corpus.id, build.source],
      );
      expect(rows).toEqual([{ key: 'id=4', behind_since: null, text: 'kept text' }]);
    }
  });

  it('V1: a source that is deleted while events come for it is there again, or gone whole', async () => {
    const { ingest, apply } = await servers();
    for (let round = 0; round < 10; round++) {
      const build = new EventBuilder('deleted');
      const events = Array.from({ length: 20 }, (_, n) => build.upsert(`id=${n}`, `round ${round}`));
      await apply(0, events.slice(0, 10));
      await Promise.all([
        apply(1, events),
        databases[0]!.pool.query("DELETE FROM sources WHERE corpus_id = $1 AND name = 'deleted'", [ingest.corpus.id]),
      ]);
      const rows = await ingest.query(
        'SELECT (SELECT count(*)::int FROM documents WHERE corpus_id = $1) AS documents, (SELECT count(*)::int FROM events WHERE corpus_id = $1) AS events',
        [ingest.corpus.id],
      );
      expect([0, 20]).toContain(rows[0]!['documents']);
      expect(rows[0]!['events']).toBe(rows[0]!['documents']);
      await ingest.query('DELETE FROM sources WHERE corpus_id = $1', [ingest.corpus.id]);
    }
  });
});
