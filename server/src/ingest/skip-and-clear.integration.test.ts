import { describe, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../testing/test-databases.js';
import { tidy } from './housekeeping.js';
import { createIngest, type Ingest } from './testing/database-backend.js';
import { baseTime, EventBuilder } from './testing/event-builder.js';

const at = (milliseconds: number): string => String(baseTime + milliseconds);
const time = (milliseconds: number): Date => new Date(baseTime + milliseconds);
const behind = async (ingest: Ingest, key = 'id=1'): Promise<Date | null> => (await ingest.document(key))!.behind_since;

describeEachDatabase('skip and clear', (getDatabase) => {
  describe('skip', () => {
    it.each([
      ['the source timestamp', { source_timestamp: at(11), timestamp: at(22) }, time(11)],
      ['else the record timestamp', { source_timestamp: null, source_position: null, timestamp: at(22) }, time(22)],
      ['else its arrival', null, time(33)],
      [
        'else its arrival, where no calendar has its times',
        { source_timestamp: '9'.repeat(39), timestamp: '9'.repeat(39) },
        time(33),
      ],
    ])('V9: marks a document as behind its row since %s', async (_what, position, since) => {
      const ingest = await createIngest(getDatabase(), { clock: () => time(33) });
      const build = new EventBuilder();
      await ingest.apply(build.upsert('id=1', 'one'));
      expect(await ingest.outcomes(build.skip('id=1', { position }))).toEqual(['applied']);
      expect(await behind(ingest)).toEqual(since);
      expect(await ingest.texts('id=1')).toEqual(['one']);
    });

    it("keeps its own position beside the document's", async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      const [first, skip, second] = [build.upsert('id=1', 'one'), build.skip('id=1'), build.upsert('id=1', 'two')];
      await ingest.apply(first, skip);
      expect((await ingest.document('id=1'))!.offset).toBe('0');
      // What comes between the document and the skip does not settle the mark; what is not before the skip does.
      const between = build.upsert(
        'id=1',
        'between',
        {},
        { position: { offset: '0', timestamp: at(0), source_position: '1000', source_timestamp: at(0) }, id: 'between' },
      );
      expect(await ingest.outcomes(between)).toEqual(['applied']);
      expect(await behind(ingest)).toEqual(time(1));
      await ingest.apply(second);
      expect(await behind(ingest)).toBeNull();
    });

    it('V9: only a complete upsert settles it, with unchanged as its outcome too', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      await ingest.apply(build.upsert('id=1', 'one'), build.skip('id=1'));
      const partial = build.upsert('id=1', null, { unchanged: ['/sections/body'] });
      const [result] = await ingest.apply(partial);
      expect(result).toMatchObject({ outcome: 'rejected', error: { code: 'unchanged_part_unknown' } });
      expect(result!.error!.message).toContain('behind its row');
      expect(await behind(ingest)).not.toBeNull();
      expect(await ingest.outcomes(build.upsert('id=1', 'one'))).toEqual(['unchanged']);
      expect(await behind(ingest)).toBeNull();
    });

    it('a delete that is not before it settles it; one before it leaves it, also for the document that returns', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      const [one, deleted, two, skip] = [
        build.upsert('id=1', 'one'),
        build.delete('id=1'),
        build.upsert('id=1', 'two'),
        build.skip('id=1'),
      ];
      await ingest.apply(one, skip);
      await ingest.apply(deleted, two);
      expect(await behind(ingest)).toEqual(time(3));
      await ingest.apply(build.delete('id=1'), build.upsert('id=1', 'three'));
      expect(await behind(ingest)).toBeNull();
    });

    it('is behind since the first of two, until what is not before the last', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      const [one, first, two, last, three] = [
        build.upsert('id=1', 'one'),
        build.skip('id=1'),
        build.upsert('id=1', 'two'),
        build.skip('id=1'),
        build.upsert('id=1', 'three'),
      ];
      await ingest.apply(one, last, first);
      expect(await behind(ingest)).toEqual(time(1));
      await ingest.apply(two);
      expect(await behind(ingest)).toEqual(time(1));
      await ingest.apply(three);
      expect(await behind(ingest)).toBeNull();
    });

    it("before its document's position it is stale", async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      const [skip, one] = [build.skip('id=1'), build.upsert('id=1', 'one')];
      expect(await ingest.outcomes(one, skip)).toEqual(['applied', 'stale']);
      expect(await behind(ingest)).toBeNull();
    });

    it.each(['unknown', 'deleted'])('of an %s document only its id is kept', async (what) => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      if (what === 'deleted') await ingest.apply(build.upsert('id=1', 'one'), build.delete('id=1'));
      const before = await ingest.document('id=1');
      const skip = build.skip('id=1');
      expect(await ingest.outcomes(skip)).toEqual(['unchanged']);
      expect(await ingest.document('id=1')).toEqual(before);
      expect(await ingest.outcomes(skip)).toEqual(['duplicate']);
      await ingest.apply(build.upsert('id=1', 'later'));
      expect(await behind(ingest)).toBeNull();
    });

    it.each([true, false])(
      'V9: a link carries the mark to whoever takes a part from it (delete half first: %s)',
      async (deleteFirst) => {
        const ingest = await createIngest(getDatabase());
        const build = new EventBuilder();
        await ingest.apply(build.upsert('id=1', 'one'), build.skip('id=1'));
        const position = { source_position: '2000' };
        const halves = [
          build.delete('id=1', 'id=2', { position }),
          build.upsert('id=2', null, { moved_from: 'id=1', unchanged: ['/sections/body'] }, { position }),
        ];
        for (const half of deleteFirst ? halves : halves.reverse()) expect(await ingest.outcomes(half)).toEqual(['applied']);
        expect(await ingest.texts('id=2')).toEqual(['one']);
        expect(await behind(ingest, 'id=2')).toEqual(time(1));
        await ingest.apply(build.upsert('id=2', 'whole', {}, { position: { source_position: '2001' } }));
        expect(await behind(ingest, 'id=2')).toBeNull();
      },
    );

    it('a create half that takes nothing does not inherit it', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      await ingest.apply(build.upsert('id=1', 'one'), build.skip('id=1'));
      const position = { source_position: '2000' };
      await ingest.apply(
        build.delete('id=1', 'id=2', { position }),
        build.upsert('id=2', 'whole', { moved_from: 'id=1' }, { position }),
      );
      expect(await behind(ingest, 'id=2')).toBeNull();
    });

    it('a reason with NUL is stored', async () => {
      const ingest = await createIngest(getDatabase());
      const skip = { ...new EventBuilder().skip('id=1'), reason: 'bad\0' };
      expect(await ingest.outcomes(skip)).toEqual(['unchanged']);
      expect(await ingest.query('SELECT reason FROM events WHERE corpus_id = $1', [ingest.corpus.id])).toEqual([
        { reason: 'bad\ufffd' },
      ]);
    });
  });

  describe('clear', () => {
    it("V4: removes what stands before it from every reader's sight at once, and leaves what comes after", async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      await ingest.apply(build.upsert('id=1', 'one'), build.upsert('id=2', 'two'));
      const [clear, later] = [build.clear(), build.upsert('id=3', 'three')];
      await ingest.apply(later);
      expect(await ingest.outcomes(clear)).toEqual(['applied']);
      const live = await ingest.query(
        'SELECT key, content_hash IS NULL AS emptied FROM documents WHERE corpus_id = $1 AND live',
        [ingest.corpus.id],
      );
      expect(live).toEqual([{ key: 'id=3', emptied: false }]);
      expect(await ingest.texts('id=1')).toEqual([]);
      const ids = await Promise.all(['id=1', 'id=2'].map(async (key) => (await ingest.document(key))!.id));
      expect(ingest.changes).toEqual(expect.arrayContaining(ids.map((documentId) => ({ documentId, kind: 'deleted' }))));
      expect(ingest.changes).toHaveLength(2);
    });

    it('V3: what is before it and comes later is stale, documents it never saw included', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      const [one, two, skip, deletes] = [
        build.upsert('id=1', 'one'),
        build.upsert('id=2', 'two'),
        build.skip('id=2'),
        build.delete('id=2'),
      ];
      await ingest.apply(one, build.clear());
      expect(await ingest.outcomes(two, skip, deletes)).toEqual(['stale', 'stale', 'stale']);
      expect(await ingest.outcomes(build.upsert('id=2', 'after'))).toEqual(['applied']);
    });

    it('V3: in the middle of a batch it stands between its neighbours', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      await ingest.apply(build.upsert('id=0', 'stored'), build.upsert('id=1', 'stored'));
      const events = [
        build.upsert('id=1', 'before'),
        build.upsert('id=2', 'before'),
        build.clear(),
        build.upsert('id=2', 'after'),
      ];
      expect(await ingest.outcomes(...events)).toEqual(['applied', 'applied', 'applied', 'applied']);
      const live = await ingest.query('SELECT key FROM documents WHERE corpus_id = $1 AND live', [ingest.corpus.id]);
      expect(live).toEqual([{ key: 'id=2' }]);
      expect(await ingest.texts('id=2')).toEqual(['after']);
    });

    it('V3: over several partitions the source position decides', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      const event = (key: string, partition: number, source_position: string) =>
        build.upsert(key, key, {}, { position: { partition, source_position, timestamp: at(0), source_timestamp: at(0) } });
      await ingest.apply(event('id=1', 1, '10'), event('id=2', 2, '30'));
      await ingest.apply(build.clear({ partition: 3, source_position: '20', timestamp: at(0), source_timestamp: at(0) }));
      expect(await ingest.outcomes(event('id=3', 1, '19'), event('id=4', 2, '21'))).toEqual(['stale', 'applied']);
      const live = await ingest.query('SELECT key FROM documents WHERE corpus_id = $1 AND live ORDER BY key', [ingest.corpus.id]);
      expect(live).toEqual([{ key: 'id=2' }, { key: 'id=4' }]);
    });

    it('is of one source and one topic', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      const other = new EventBuilder('other');
      await ingest.apply(
        other.upsert('id=1', 'other source'),
        build.upsert('id=2', 'other topic', {}, { position: { topic: 'second' } }),
        build.upsert('id=3', 'by hand', {}, { position: null }),
      );
      for (let n = 0; n < 5; n++) build.position();
      expect(
        await ingest.outcomes(
          build.clear(),
          build.upsert('id=4', 'older, of the other topic', {}, { position: { topic: 'second', source_position: '1' } }),
        ),
      ).toEqual(['applied', 'applied']);
      const live = await ingest.query('SELECT key FROM documents WHERE corpus_id = $1 AND live ORDER BY key', [ingest.corpus.id]);
      expect(live.map((row) => row['key'])).toEqual(['id=1', 'id=2', 'id=3', 'id=4']);
    });

    it('an older clear that comes late is remembered too; one that says nothing new is unchanged', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      const [first, second] = [build.clear(), build.clear()];
      expect(await ingest.outcomes(second, first, { ...second, id: 'again' })).toEqual(['applied', 'unchanged', 'unchanged']);
      const elsewhere = build.clear({ partition: 1 });
      expect(await ingest.outcomes(elsewhere)).toEqual(['applied']);
      const clears = await ingest.query(
        'SELECT partition FROM clears JOIN sources AS s ON s.id = source_id WHERE corpus_id = $1 ORDER BY 1',
        [ingest.corpus.id],
      );
      expect(clears).toEqual([{ partition: 0 }, { partition: 1 }]);
    });

    it('forgets a clear that a later one covers', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      for (let n = 0; n < 3; n++) await ingest.apply(build.clear());
      const clears = await ingest.query(
        'SELECT "offset"::text FROM clears JOIN sources AS s ON s.id = source_id WHERE corpus_id = $1',
        [ingest.corpus.id],
      );
      expect(clears).toEqual([{ offset: '2' }]);
    });

    it('V4: rows are deleted in slices, content and chunks; what has returned meanwhile is left alone', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      const keys = Array.from({ length: 1100 }, (_, n) => `id=${n}`);
      await ingest.apply(...keys.map((key) => build.upsert(key, `text of ${key}`)));
      await ingest.apply(build.clear(), build.upsert('id=7', 'returned'));
      await ingest.apply(build.upsert('id=8', 'text of id=8'));
      await tidy({ ...ingest.dependencies, linkHours: 24 });
      const chunks = await ingest.query('SELECT text FROM chunks WHERE corpus_id = $1 ORDER BY text', [ingest.corpus.id]);
      expect(chunks).toEqual([{ text: 'returned' }, { text: 'text of id=8' }]);
      const kept = await ingest.query(
        "SELECT count(*)::int AS count FROM documents WHERE corpus_id = $1 AND NOT live AND (sections <> '[]' OR title IS NOT NULL)",
        [ingest.corpus.id],
      );
      expect(kept).toEqual([{ count: 0 }]);
    });

    it('V9: settles a mark that it does not stand before', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      await ingest.apply(build.upsert('id=1', 'one'), build.upsert('id=2', 'two'), build.skip('id=1'));
      const [clear, skip, two] = [build.clear(), build.skip('id=2'), build.upsert('id=2', 'late')];
      await ingest.apply(skip);
      await ingest.apply(clear);
      const marks = await ingest.query('SELECT key, mark_since FROM documents WHERE corpus_id = $1 ORDER BY key', [
        ingest.corpus.id,
      ]);
      expect(marks).toEqual([
        { key: 'id=1', mark_since: null },
        { key: 'id=2', mark_since: time(4) },
      ]);
      await ingest.apply(two);
      expect(await behind(ingest, 'id=2')).toBeNull();
    });
  });
});
