import { describe, expect, it } from '@jest/globals';
import type { Progress } from '@ossian/shared';
import { describeEachDatabase } from '../testing/test-databases.js';
import { forgetSource } from './forget-source.js';
import { startHousekeeping, tidy } from './housekeeping.js';
import { removeDocument } from './remove-document.js';
import { reportProgress } from './report-progress.js';
import { createIngest, type Ingest } from './testing/database-backend.js';
import { EventBuilder } from './testing/event-builder.js';

const minute = (n: number): string => `2025-12-01T08:${String(n).padStart(2, '0')}:00Z`;
/** partition → [committed, end] */
const report = (at: string, partitions: Record<number, [string, string]>): Progress => ({
  source: 'articles',
  connector: 'kb',
  at,
  partitions: Object.entries(partitions).map(([partition, [committed, end]]) => ({
    topic: 'articles',
    partition: Number(partition),
    committed,
    end,
  })),
});
const caughtUp = async (ingest: Ingest): Promise<Record<string, unknown>[]> =>
  ingest.query(
    'SELECT partition, caught_up_at FROM progress JOIN sources ON sources.id = source_id WHERE corpus_id = $1 ORDER BY partition',
    [ingest.corpus.id],
  );

describeEachDatabase('progress, sources and housekeeping', (getDatabase) => {
  describe('progress', () => {
    it('keeps of each partition the last time that it had reached its end', async () => {
      const ingest = await createIngest(getDatabase());
      const tell = (progress: Progress): Promise<void> => reportProgress(ingest, ingest.corpus, progress);
      await tell(report(minute(1), { 0: ['18', '18'], 1: ['3', '9007199254740993'] }));
      expect(await caughtUp(ingest)).toEqual([
        { partition: 0, caught_up_at: new Date(minute(1)) },
        { partition: 1, caught_up_at: null },
      ]);
      await tell(report(minute(3), { 0: ['18', '19'], 1: ['9007199254740993', '9007199254740993'] }));
      expect(await caughtUp(ingest)).toEqual([
        { partition: 0, caught_up_at: new Date(minute(1)) },
        { partition: 1, caught_up_at: new Date(minute(3)) },
      ]);
      // One that comes late moves no time back.
      await tell(report(minute(2), { 0: ['19', '19'], 1: ['4', '4'] }));
      expect(await caughtUp(ingest)).toEqual([
        { partition: 0, caught_up_at: new Date(minute(2)) },
        { partition: 1, caught_up_at: new Date(minute(3)) },
      ]);
      const committed = await ingest.query(
        'SELECT committed::text FROM progress JOIN sources ON sources.id = source_id WHERE corpus_id = $1 ORDER BY partition',
        [ingest.corpus.id],
      );
      expect(committed).toEqual([{ committed: '18' }, { committed: '9007199254740993' }]);
    });

    it('a time in the future counts as now, so that a wrong clock does not stand for good', async () => {
      const ingest = await createIngest(getDatabase());
      await reportProgress(ingest, ingest.corpus, report('9999-12-31T23:59:59Z', { 0: ['1', '1'] }));
      const told = new Date((await caughtUp(ingest))[0]?.['caught_up_at'] as string).getTime();
      expect(Math.abs(told - Date.now())).toBeLessThan(60_000);
      const later = new Date(told + 1).toISOString();
      await reportProgress(ingest, ingest.corpus, report(later, { 0: ['2', '2'] }));
      expect(await caughtUp(ingest)).toEqual([{ partition: 0, caught_up_at: new Date(later) }]);
    });

    it('a partition that is told twice is one', async () => {
      const ingest = await createIngest(getDatabase());
      const twice = report(minute(1), { 0: ['1', '2'] });
      await reportProgress(ingest, ingest.corpus, {
        ...twice,
        partitions: [...twice.partitions, ...report(minute(1), { 0: ['2', '2'] }).partitions],
      });
      expect(await caughtUp(ingest)).toEqual([{ partition: 0, caught_up_at: new Date(minute(1)) }]);
    });

    it('what cannot be stored is 400, a corpus that has gone 404', async () => {
      const ingest = await createIngest(getDatabase());
      const bad = { ...report(minute(1), { 0: ['1', '1'] }), connector: 'a\0b' };
      await expect(reportProgress(ingest, ingest.corpus, bad)).rejects.toMatchObject({ status: 400, code: 'invalid_request' });
      await ingest.query('DELETE FROM corpora WHERE id = $1', [ingest.corpus.id]);
      await expect(reportProgress(ingest, ingest.corpus, report(minute(1), {}))).rejects.toMatchObject({ status: 404 });
    });
  });

  it('a source is forgotten whole: what was stale is applied again, and memory hears of its documents', async () => {
    const ingest = await createIngest(getDatabase());
    const build = new EventBuilder('articles');
    const other = new EventBuilder('other');
    const events = [
      build.upsert('id=1', 'one'),
      build.delete('id=2', 'id=3'),
      build.upsert('id=5', 'five'),
      build.clear(),
      build.upsert('id=4', 'four'),
    ];
    await ingest.apply(...events, other.upsert('id=1', 'other'));
    await reportProgress(ingest, ingest.corpus, report(minute(1), { 0: ['4', '4'] }));
    const { id } = (await ingest.document('id=4'))!;
    ingest.changes.length = 0;
    expect(await forgetSource(ingest.dependencies, ingest.corpus, 'articles')).toBe(true);
    expect(ingest.changes).toEqual([{ documentId: id, kind: 'deleted' }]);
    const left = (await ingest.everything()) as Record<string, unknown[]>;
    expect(Object.fromEntries(Object.entries(left).map(([table, rows]) => [table, rows.length]))).toEqual({
      documents: 1,
      chunks: 1,
      events: 1,
      links: 0,
      clears: 0,
      progress: 0,
    });
    expect(await ingest.outcomes(...events)).toEqual(['applied', 'unchanged', 'applied', 'applied', 'applied']);
    expect(await forgetSource(ingest.dependencies, ingest.corpus, 'unheard of')).toBe(false);
  });

  describe('removing one document', () => {
    it('keeps its position: a replay does not bring it back, the next change does', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      const [one, two] = [build.upsert('id=1', 'one'), build.upsert('id=1', 'two')];
      await ingest.apply(one, two);
      const { id } = (await ingest.document('id=1'))!;
      const scope = { corpus: ingest.corpus, readers: { kind: 'all' } } as const;
      expect(await removeDocument(ingest.dependencies, scope, id)).toBe(true);
      expect(ingest.changes.at(-1)).toEqual({ documentId: id, kind: 'deleted' });
      expect(((await ingest.everything()) as { chunks: unknown[] }).chunks).toEqual([]);
      expect(await ingest.outcomes(one, two)).toEqual(['duplicate', 'duplicate']);
      expect(await removeDocument(ingest.dependencies, scope, id)).toBe(false);
      expect(await ingest.outcomes(build.upsert('id=1', 'three'))).toEqual(['applied']);
      expect(await ingest.document('id=1')).toMatchObject({ id, live: true });
    });

    it('V6: what the scope may not see is as good as not there', async () => {
      const ingest = await createIngest(getDatabase());
      await ingest.apply(new EventBuilder().upsert('id=1', 'one', { acl: ['group:ops'] }));
      const { id } = (await ingest.document('id=1'))!;
      const remove = (corpus: Ingest['corpus'], readers: 'public' | 'all'): Promise<boolean> =>
        removeDocument(ingest.dependencies, { corpus, readers: { kind: readers } }, id);
      expect(await remove(ingest.corpus, 'public')).toBe(false);
      expect(await remove((await createIngest(getDatabase())).corpus, 'all')).toBe(false);
      expect(await removeDocument(ingest.dependencies, { corpus: ingest.corpus, readers: { kind: 'all' } }, 'no-uuid')).toBe(
        false,
      );
      expect(await remove(ingest.corpus, 'all')).toBe(true);
    });
  });

  describe('housekeeping', () => {
    it('prunes old ids of events with a position, and no others', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      await ingest.apply(build.upsert('id=1', 'one'), build.upsert('id=2', 'two', {}, { position: null, id: 'by hand' }));
      const days = (count: number) => () => new Date(Date.now() + count * 86_400_000);
      const ids = (): Promise<Record<string, unknown>[]> =>
        ingest.query('SELECT id FROM events WHERE corpus_id = $1', [ingest.corpus.id]);
      await tidy({ ...ingest.dependencies, linkHours: 24, eventDays: 30, clock: days(29) });
      expect(await ids()).toHaveLength(2);
      await tidy({ ...ingest.dependencies, linkHours: 24, eventDays: 30, clock: days(31) });
      expect(await ids()).toEqual([{ id: 'by hand' }]);
    });

    it('works by itself, goes on after a fault, and stops', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      await ingest.apply(build.upsert('id=1', 'one'));
      await ingest.apply(build.clear());
      let faults = 2;
      const database = {
        ...ingest.database,
        pool: ingest.database.pool,
        transaction: (work: Parameters<Ingest['database']['transaction']>[0]) => {
          if (faults-- > 0) throw new Error('the database is away');
          return ingest.database.transaction(work);
        },
      } as Ingest['database'];
      const housekeeping = startHousekeeping({ ...ingest.dependencies, database, linkHours: 24 }, 5);
      const deadline = Date.now() + 10_000;
      const chunks = async (): Promise<number> => ((await ingest.everything()) as { chunks: unknown[] }).chunks.length;
      while ((await chunks()) > 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 5));
      await housekeeping.stop();
      expect(await chunks()).toBe(0);
    });
  });
});
