import { describe, expect, it } from '@jest/globals';
import type { EventInput } from '@ossian/shared';
import { describeEachDatabase } from '../testing/test-databases.js';
import { createIngest } from './testing/database-backend.js';
import { baseTime, EventBuilder } from './testing/event-builder.js';
import { tidy } from './housekeeping.js';

const allUnchanged = ['/title', '/uri', '/acl', '/sections/body', '/metadata/team'];
const content = { title: 'Kept title', uri: 'https://x/1', acl: ['group:ops'], metadata: { team: 'ops' } };
const createHalf = { title: null, acl: null, moved_from: 'id=1', unchanged: allUnchanged };

function halves(build: EventBuilder, from: string, to: string, position = '2000'): [EventInput, EventInput] {
  const old = { source_position: position, partition: 1 };
  return [
    build.delete(from, to, { position: old }),
    build.upsert(to, null, { ...createHalf, moved_from: from }, { position: { source_position: position, partition: 2 } }),
  ];
}

describeEachDatabase('unchanged parts and key changes', (getDatabase) => {
  describe('unchanged parts', () => {
    it('keep what the backend has, section by section, each where it stood', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      const sections = ['a', 'b', 'c/d', 'e~'].map((name) => ({ name, text: `text of ${name}` }));
      await ingest.apply(build.upsert('id=1', null, { sections, metadata: { 'x/y': '1', 'p%20q': '2' } }));
      const unchanged = ['/sections/a', '/sections/c~1d', '/sections/e~0', '/metadata/x~1y', '/metadata/p%20q', '/title'];
      const event = build.upsert('id=1', null, { title: null, sections: [{ name: 'b', text: 'new' }], unchanged });
      expect(await ingest.outcomes(event)).toEqual(['applied']);
      expect(await ingest.document('id=1')).toMatchObject({ title: 'Title of id=1', metadata: { 'x/y': '1', 'p%20q': '2' } });
      expect(await ingest.texts('id=1')).toEqual(['text of a', 'new', 'text of c/d', 'text of e~']);
    });

    it('all unchanged: the outcome is unchanged', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      await ingest.apply(build.upsert('id=1', 'one', content));
      const again = build.upsert('id=1', null, { title: null, unchanged: allUnchanged });
      expect(await ingest.outcomes(again)).toEqual(['unchanged']);
    });

    it.each(allUnchanged)('%s that the backend does not have makes the event rejected', async (pointer) => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      await ingest.apply(build.upsert('id=1', null, { title: null, sections: [{ name: 'other', text: 'one' }] }));
      const before = await ingest.everything();
      const event = build.upsert('id=1', null, { title: null, sections: [{ name: 'other', text: 'two' }], unchanged: [pointer] });
      const [result] = await ingest.apply(event);
      expect(result).toMatchObject({
        outcome: 'rejected',
        error: { code: 'unchanged_part_unknown', field: 'document.unchanged' },
      });
      expect(result!.error!.message).toContain(pointer);
      expect(await ingest.everything()).toEqual(before);
    });

    it('an unknown or deleted document has no part', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      const event = (): EventInput => build.upsert('id=1', null, { unchanged: ['/sections/body'] });
      expect(await ingest.outcomes(event())).toEqual(['rejected']);
      await ingest.apply(build.upsert('id=1', 'one'), build.delete('id=1'));
      expect(await ingest.outcomes(event())).toEqual(['rejected']);
    });
  });

  describe('key change', () => {
    it.each(['delete half first', 'create half first', 'both in one batch'])(
      'keeps title, URI, ACL, text and metadata: %s',
      async (order) => {
        const ingest = await createIngest(getDatabase());
        const build = new EventBuilder();
        await ingest.apply(build.upsert('id=1', 'before', content));
        await ingest.apply(build.upsert('id=1', 'just before the change', content));
        const [deletes, creates] = halves(build, 'id=1', 'id=20');
        if (order === 'both in one batch') await ingest.apply(creates, deletes);
        else for (const half of order === 'delete half first' ? [deletes, creates] : [creates, deletes]) await ingest.apply(half);
        expect(await ingest.document('id=1')).toMatchObject({ live: false, title: null, sections: [] });
        expect(await ingest.document('id=20')).toMatchObject({ live: true, ...content, behind_since: null });
        expect(await ingest.texts('id=20')).toEqual(['just before the change']);
        expect(await ingest.texts('id=1')).toEqual([]);
        const [from, to] = [(await ingest.document('id=1'))!.id, (await ingest.document('id=20'))!.id];
        expect(ingest.changes).toContainEqual({ documentId: from, kind: 'deleted', movedTo: to });
      },
    );

    it('V9: without its other half a create half is incomplete, says so, and is read by nobody while its ACL waits', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      await ingest.apply(build.upsert('id=1', 'text', content));
      const [deletes, creates] = halves(build, 'id=1', 'id=20');
      expect(await ingest.outcomes(creates)).toEqual(['applied']);
      const since = new Date(Number((creates as { position: { source_timestamp: string } }).position.source_timestamp));
      expect(await ingest.document('id=20')).toMatchObject({
        live: true,
        title: null,
        acl: [],
        sections: [],
        behind_since: since,
      });
      await ingest.apply(deletes);
      expect(await ingest.document('id=20')).toMatchObject({ acl: ['group:ops'], behind_since: null });
    });

    it('a part that waits for a link counts as had: it stays waiting, and is filled', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      await ingest.apply(build.upsert('id=1', 'text', content));
      const [deletes, creates] = halves(build, 'id=1', 'id=20');
      const update = build.upsert(
        'id=20',
        null,
        { title: 'New title', unchanged: allUnchanged.slice(1) },
        { position: { partition: 2, source_position: '2001' } },
      );
      expect(await ingest.outcomes(creates, update)).toEqual(['applied', 'applied']);
      expect((await ingest.document('id=20'))!.behind_since).not.toBeNull();
      await ingest.apply(deletes);
      expect(await ingest.document('id=20')).toMatchObject({ ...content, title: 'New title', behind_since: null });
      expect(await ingest.texts('id=20')).toEqual(['text']);
    });

    it('a complete upsert needs no link any more', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      await ingest.apply(build.upsert('id=1', 'text', content));
      const [deletes, creates] = halves(build, 'id=1', 'id=20');
      await ingest.apply(
        creates,
        build.upsert('id=20', 'whole', {}, { position: { partition: 2, source_position: '2001' } }),
        deletes,
      );
      expect(await ingest.document('id=20')).toMatchObject({ title: 'Title of id=20', acl: null, behind_since: null });
      expect(await ingest.texts('id=20')).toEqual(['whole']);
    });

    it('a link whose content waits for an earlier link is filled with that one, over batches and in any order', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      await ingest.apply(build.upsert('id=1', 'text', content));
      const first = halves(build, 'id=1', 'id=2', '2000');
      const second = halves(build, 'id=2', 'id=3', '2001');
      const third = halves(build, 'id=3', 'id=4', '2002');
      for (const event of [first[1], second[0], second[1], third[0], third[1]])
        expect(await ingest.outcomes(event)).toEqual(['applied']);
      expect((await ingest.document('id=4'))!.behind_since).not.toBeNull();
      // Only now the first delete half: it reaches a document that nobody named, three keys on.
      await ingest.apply(first[0]);
      expect(await ingest.document('id=4')).toMatchObject({ live: true, ...content, behind_since: null });
      expect(await ingest.texts('id=4')).toEqual(['text']);
    });

    it('a cycle of links ends', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      const there = halves(build, 'id=1', 'id=2', '2000');
      const back = halves(build, 'id=2', 'id=1', '2001');
      await ingest.apply(there[1], back[0], back[1], there[0]);
      const again = halves(build, 'id=1', 'id=2', '2002');
      expect(await ingest.outcomes(again[0], again[1])).toEqual(['applied', 'applied']);
      expect(await ingest.document('id=2')).toMatchObject({ live: true });
      expect((await ingest.document('id=2'))!.behind_since).not.toBeNull();
    });

    it("a create half applied again at its document's own position keeps that document's parts", async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      await ingest.apply(build.upsert('id=1', 'text', content));
      const [deletes, creates] = halves(build, 'id=1', 'id=20');
      await ingest.apply(deletes, creates);
      await ingest.query('DELETE FROM events WHERE corpus_id = $1', [ingest.corpus.id]);
      await ingest.query('DELETE FROM links', []);
      expect(await ingest.outcomes(deletes, creates)).toEqual(['unchanged', 'unchanged']);
      expect(await ingest.document('id=20')).toMatchObject({ ...content, behind_since: null });
    });

    it('a create half that a killed connector sent again, at another offset, keeps them too', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      await ingest.apply(build.upsert('id=1', 'text', content));
      const [deletes, creates] = halves(build, 'id=1', 'id=20');
      await ingest.apply(deletes, creates);
      const position = { ...creates.position!, offset: '99', timestamp: String(baseTime + 99) };
      expect(await ingest.outcomes({ ...creates, id: 'again', position })).toEqual(['unchanged']);
      expect(await ingest.document('id=20')).toMatchObject({ ...content, behind_since: null });
    });

    it('a part that the old document never had leaves the new one incomplete, and readable by nobody where it is the ACL', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      await ingest.apply(build.upsert('id=1', 'text', { title: 'Kept title' }));
      await ingest.apply(...halves(build, 'id=1', 'id=20'));
      expect(await ingest.document('id=20')).toMatchObject({ live: true, title: 'Kept title', acl: [] });
      expect((await ingest.document('id=20'))!.behind_since).not.toBeNull();
    });

    it('V3: a row without text can change its key: its halves meet, and leave nothing for a later change of the same keys', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      await ingest.apply(build.upsert('id=1', 'text'), build.upsert('id=1', ' '));
      // Flattened: the delete half is a bare tombstone without source position.
      const tombstone = (): EventInput => build.delete('id=1', 'id=2', { position: { source_position: null } });
      await ingest.apply(tombstone(), build.upsert('id=2', ' ', { moved_from: 'id=1' }), build.delete('id=2'));
      await ingest.apply(build.upsert('id=1', 'second life'));
      await ingest.apply(tombstone(), build.upsert('id=2', null, { moved_from: 'id=1', unchanged: ['/sections/body'] }));
      expect(await ingest.texts('id=2')).toEqual(['second life']);
      expect((await ingest.document('id=2'))!.behind_since).toBeNull();
    });

    it('links of other source positions are other key changes', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      await ingest.apply(build.upsert('id=1', 'first life', content));
      await ingest.apply(halves(build, 'id=1', 'id=20', '2000')[0]);
      const [, creates] = halves(build, 'id=1', 'id=20', '3000');
      await ingest.apply(creates);
      expect(await ingest.document('id=20')).toMatchObject({ title: null, sections: [] });
    });
  });

  it('links go once their halves have met and they wait for nothing; one that waits for its other half is kept', async () => {
    const ingest = await createIngest(getDatabase());
    const build = new EventBuilder();
    await ingest.apply(build.upsert('id=1', 'text', content), build.upsert('id=2', 'text', content));
    await ingest.apply(...halves(build, 'id=1', 'id=20'), halves(build, 'id=2', 'id=21')[0]);
    const links = (): Promise<Record<string, unknown>[]> =>
      ingest.query('SELECT old_key FROM links JOIN sources ON sources.id = source_id WHERE corpus_id = $1 ORDER BY 1', [
        ingest.corpus.id,
      ]);
    const hours = (count: number) => ({
      ...ingest.dependencies,
      linkHours: 24,
      clock: () => new Date(Date.now() + count * 3_600_000),
    });
    await tidy(hours(23));
    expect(await links()).toEqual([{ old_key: 'id=1' }, { old_key: 'id=2' }]);
    await tidy(hours(25));
    expect(await links()).toEqual([{ old_key: 'id=2' }]);
  });
});
