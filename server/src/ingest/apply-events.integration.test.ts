import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@ossian/shared';
import { describeEachDatabase } from '../testing/test-databases.js';
import { createIngest, type Ingest } from './testing/database-backend.js';
import { baseTime, EventBuilder } from './testing/event-builder.js';

/** Passes validation, and no btree of Postgres takes it: 4096 characters that do not compress. */
const unstorableKey = Array.from({ length: 4096 }, (_, index) =>
  String.fromCodePoint(0x4e00 + ((index * 7919 + index * index) % 20_000)),
).join('');

class DatabaseFault extends Error {
  readonly code: string;
  constructor(code: string) {
    super(`fault ${code}`);
    this.code = code;
  }
}

/** A write flow whose transactions fail at their end with these SQLSTATEs, one after the other. */
async function failingIngest(database: Ingest['database'], ...codes: string[]): Promise<Ingest> {
  return createIngest(database, {
    documentChanged: () => {
      const code = codes.shift();
      return code === undefined ? Promise.resolve() : Promise.reject(new DatabaseFault(code));
    },
  });
}

describeEachDatabase('applyEvents', (getDatabase) => {
  describe('results', () => {
    it('come in request order, one for each event, whatever became of it', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      const first = build.upsert('id=1', 'first');
      const events = [{ nonsense: true }, first, build.delete('id=2'), first, 'text', build.upsert('id=3', 'third')];
      const results = await ingest.apply(...events);
      expect(results.map((result) => result.outcome)).toEqual([
        'rejected',
        'applied',
        'unchanged',
        'duplicate',
        'rejected',
        'applied',
      ]);
      expect(results.map((result) => result.id)).toEqual([
        '',
        first.id,
        (events[2] as { id: string }).id,
        first.id,
        '',
        (events[5] as { id: string }).id,
      ]);
      expect(results[1]!.document_id).toBe((await ingest.document('id=1'))!.id);
      expect(results[3]!.document_id).toBe(results[1]!.document_id);
    });

    it('an empty batch is nothing', async () => {
      expect(await (await createIngest(getDatabase())).apply()).toEqual([]);
    });

    it('a document holds all that its event says', async () => {
      const ingest = await createIngest(getDatabase());
      const metadata = { team: 'ops', price: '12345678901234567890.10', ok: true, none: null, tags: ['a', 'b'] };
      const sections = [
        { name: 'body', text: 'one' },
        { name: 'notes', text: ' two ' },
      ];
      await ingest.apply(new EventBuilder().upsert('id=1', null, { sections, uri: 'https://x/1', acl: ['group:ops'], metadata }));
      const document = await ingest.document('id=1');
      expect(document).toMatchObject({
        live: true,
        title: 'Title of id=1',
        uri: 'https://x/1',
        acl: ['group:ops'],
        metadata,
        sections,
      });
      expect(await ingest.texts('id=1')).toEqual(['one', ' two ']);
    });

    it('acl null is public, [] is nobody', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      await ingest.apply(
        build.upsert('id=1', 'a'),
        build.upsert('id=2', 'b', { acl: [] }),
        build.upsert('id=3', 'c', { acl: null }),
      );
      expect((await ingest.document('id=1'))!.acl).toBeNull();
      expect((await ingest.document('id=2'))!.acl).toEqual([]);
      expect((await ingest.document('id=3'))!.acl).toBeNull();
    });

    it('NUL and lone surrogates become U+FFFD, wherever text may stand', async () => {
      const ingest = await createIngest(getDatabase());
      const bad = 'a\0b\ud800c\udc00d😀';
      const good = 'a\ufffdb\ufffdc\ufffdd😀';
      const sections = [{ name: bad, text: bad }];
      await ingest.apply(
        new EventBuilder().upsert('id=1', null, {
          title: bad,
          uri: bad,
          acl: [bad],
          sections,
          metadata: { [bad]: bad, list: [bad] },
        }),
      );
      expect(await ingest.document('id=1')).toMatchObject({
        title: good,
        uri: good,
        acl: [good],
        sections: [{ name: good, text: good }],
        metadata: { [good]: good, list: [good] },
      });
    });

    it('the same key several times in one batch: folded in order', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      const events = [
        build.upsert('id=1', 'one'),
        build.upsert('id=1', 'two'),
        build.delete('id=1'),
        build.delete('id=1'),
        build.upsert('id=1', 'three'),
      ];
      expect(await ingest.outcomes(...events)).toEqual(['applied', 'applied', 'applied', 'unchanged', 'applied']);
      expect(await ingest.texts('id=1')).toEqual(['three']);
      const log = await ingest.query('SELECT outcome FROM events WHERE corpus_id = $1 ORDER BY sequence', [ingest.corpus.id]);
      expect(log.map((row) => row['outcome'])).toEqual(['applied', 'applied', 'applied', 'unchanged', 'applied']);
    });

    it('the log says when an event came, for what document, and why', async () => {
      const ingest = await createIngest(getDatabase(), { clock: () => new Date(baseTime + 5) });
      const build = new EventBuilder();
      await ingest.apply(build.upsert('id=1', 'one'), build.delete('id=1'), build.upsert('id=1', '  '));
      const { id } = (await ingest.document('id=1'))!;
      const log = await ingest.query(
        'SELECT op, outcome, reason, document_id, received_at FROM events WHERE corpus_id = $1 ORDER BY sequence',
        [ingest.corpus.id],
      );
      const received_at = new Date(baseTime + 5);
      expect(log).toEqual([
        { op: 'upsert', outcome: 'applied', reason: null, document_id: id, received_at },
        { op: 'delete', outcome: 'applied', reason: 'deleted', document_id: id, received_at },
        { op: 'upsert', outcome: 'unchanged', reason: 'blanked', document_id: id, received_at },
      ]);
      const activity = await ingest.query(
        'SELECT last_event_at FROM source_activity JOIN sources ON id = source_id WHERE corpus_id = $1',
        [ingest.corpus.id],
      );
      expect(activity).toEqual([{ last_event_at: received_at }]);
    });
  });

  describe('atomic', () => {
    it('V1: a batch whose transaction fails leaves no trace of any event, and is applied whole when it is sent again', async () => {
      const ingest = await failingIngest(getDatabase(), '53100');
      const build = new EventBuilder();
      await ingest.apply(build.upsert('id=1', 'one'));
      const before = await ingest.everything();
      const batch = [
        build.upsert('id=2', 'two'),
        build.delete('id=1', 'id=3'),
        build.upsert('id=3', null, { moved_from: 'id=1', unchanged: ['/sections/body'] }),
        build.clear(),
      ];
      await expect(ingest.apply(...batch)).rejects.toMatchObject({
        status: 503,
        code: 'database_unavailable',
        headers: { 'retry-after': '2' },
      });
      expect(await ingest.everything()).toEqual(before);
      expect(await ingest.outcomes(...batch)).toEqual(['applied', 'applied', 'applied', 'applied']);
    });

    it.each(['53100', '57P01', '53200', '08006', '42703'])(
      'any other fault than a data fault (%s) answers 503 with Retry-After',
      async (code) => {
        const ingest = await failingIngest(getDatabase(), code);
        const build = new EventBuilder();
        await ingest.apply(build.upsert('id=1', 'one'));
        await expect(ingest.apply(build.delete('id=1'))).rejects.toBeInstanceOf(ProblemError);
        expect(await ingest.texts('id=1')).toEqual(['one']);
      },
    );

    it.each(['40001', '40P01'])('a conflict (%s) is tried again inside', async (code) => {
      const ingest = await failingIngest(getDatabase(), code, code);
      const build = new EventBuilder();
      await ingest.apply(build.upsert('id=1', 'one'));
      expect(await ingest.outcomes(build.delete('id=1'))).toEqual(['applied']);
    });

    it('a fault of our own is no outage: it is passed on', async () => {
      const ingest = await createIngest(getDatabase(), {
        chunkDocument: () => {
          throw new TypeError('a bug');
        },
      });
      await expect(ingest.apply(new EventBuilder().upsert('id=1', 'one'))).rejects.toThrow(TypeError);
    });

    it('a corpus that has gone is 404', async () => {
      const ingest = await createIngest(getDatabase());
      await ingest.query('DELETE FROM corpora WHERE id = $1', [ingest.corpus.id]);
      await expect(ingest.apply(new EventBuilder().upsert('id=1', 'one'))).rejects.toMatchObject({
        status: 404,
        code: 'corpus_not_found',
      });
    });
  });

  describe('isolated', () => {
    it('V2: one failing event fails alone: it passes validation, and the database refuses it', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      const events = [1, 2, 3].map((n) => build.upsert(`id=${n}`, `text ${n}`));
      const more = [4, 5, 6, 7].map((n) => build.upsert(`id=${n}`, `text ${n}`));
      const bad = build.upsert(unstorableKey, 'bad');
      const results = await ingest.apply(...events, bad, ...more);
      expect(results.map((result) => result.outcome)).toEqual([
        ...Array<string>(3).fill('applied'),
        'rejected',
        ...Array<string>(4).fill('applied'),
      ]);
      expect(results[3]!.error).toMatchObject({ code: 'not_storable' });
      for (const n of [1, 2, 3, 4, 5, 6, 7]) expect(await ingest.texts(`id=${n}`)).toEqual([`text ${n}`]);
      const kept = await ingest.query('SELECT id FROM events WHERE corpus_id = $1 AND id = $2', [ingest.corpus.id, bad.id]);
      expect(kept).toEqual([]);
    });

    it('V2: two failing events among one key keep the order of the others', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      const events = [
        build.upsert('id=1', 'one'),
        build.upsert(unstorableKey, 'bad'),
        build.upsert('id=1', 'two'),
        build.delete(unstorableKey),
        build.upsert('id=1', 'three'),
      ];
      expect(await ingest.outcomes(...events)).toEqual(['applied', 'rejected', 'applied', 'rejected', 'applied']);
      expect(await ingest.texts('id=1')).toEqual(['three']);
    });

    it('V2: an event that is refused leaves its source as it was', async () => {
      const ingest = await createIngest(getDatabase());
      expect(await ingest.outcomes(new EventBuilder('alone').upsert(unstorableKey, 'bad'))).toEqual(['rejected']);
      expect(await ingest.query('SELECT name FROM sources WHERE corpus_id = $1', [ingest.corpus.id])).toEqual([]);
    });

    it('a document of 20 MB is refused alone, with what to do', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      const results = await ingest.apply(build.upsert('id=1', 'x'.repeat(20_000_000)), build.upsert('id=2', 'two'));
      expect(results.map((result) => result.outcome)).toEqual(['rejected', 'applied']);
      expect(results[0]!.error).toMatchObject({ code: 'document_too_large', field: 'document.sections' });
      expect(results[0]!.error!.message).toMatch(/19\.1 MiB.*limit is 8\.0 MiB.*leave out/s);
    });
  });

  it('a delete does not trip over the event log, and the log keeps what it tells of the document', async () => {
    const ingest = await createIngest(getDatabase());
    const build = new EventBuilder();
    await ingest.apply(build.upsert('id=1', 'one'));
    expect(await ingest.outcomes(build.delete('id=1'))).toEqual(['applied']);
    expect(await ingest.texts('id=1')).toEqual([]);
    const log = await ingest.query('SELECT DISTINCT document_id FROM events WHERE corpus_id = $1', [ingest.corpus.id]);
    expect(log).toEqual([{ document_id: (await ingest.document('id=1'))!.id }]);
  });
});
