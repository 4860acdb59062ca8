import { describe, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../testing/test-databases.js';
import { createIngest } from './testing/database-backend.js';
import { baseTime, EventBuilder } from './testing/event-builder.js';

const at = (milliseconds: number): string => String(baseTime + milliseconds);

describeEachDatabase('order and ids', (getDatabase) => {
  describe('position decides', () => {
    it('V3: a stale event changes nothing but the log', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      const [older, newer] = [build.upsert('id=1', 'older'), build.upsert('id=1', 'newer')];
      await ingest.apply(newer);
      const { documents, chunks } = (await ingest.everything()) as Record<string, unknown>;
      const [result] = await ingest.apply(older);
      expect(result).toMatchObject({ outcome: 'stale', document_id: (await ingest.document('id=1'))!.id });
      expect(await ingest.everything()).toMatchObject({ documents, chunks });
      const log = await ingest.query('SELECT outcome FROM events WHERE corpus_id = $1 ORDER BY sequence', [ingest.corpus.id]);
      expect(log).toEqual([{ outcome: 'applied' }, { outcome: 'stale' }]);
    });

    it('V3: a deleted document remembers its position: what was before the delete stays gone', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      const events = [build.upsert('id=1', 'one'), build.delete('id=1')];
      expect(await ingest.outcomes(events[1])).toEqual(['unchanged']);
      expect(await ingest.outcomes(events[0])).toEqual(['stale']);
      expect((await ingest.document('id=1'))!.live).toBe(false);
    });

    it('a document that returns under its key has its old id', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      await ingest.apply(build.upsert('id=1', 'one'));
      const { id } = (await ingest.document('id=1'))!;
      await ingest.apply(build.delete('id=1'));
      expect(ingest.changes).toEqual([{ documentId: id, kind: 'deleted' }]);
      await ingest.apply(build.upsert('id=1', 'two'));
      expect(await ingest.document('id=1')).toMatchObject({ id, live: true });
      expect(ingest.changes[1]).toEqual({ documentId: id, kind: 'returned' });
    });

    it('a part of a position that an event lacks never erases the remembered one', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      await ingest.apply(build.upsert('id=1', 'one'));
      const position = { source_position: null, source_timestamp: null, partition: 1, timestamp: at(5) };
      expect(await ingest.outcomes(build.upsert('id=1', 'two', {}, { position }))).toEqual(['applied']);
      expect((await ingest.document('id=1'))!.source_position).toBe('1000');
      // Lower than what is remembered, and not later than the time that came with it: stale, though its offset is higher.
      const old = { source_position: '999', source_timestamp: at(0), partition: 1, offset: '9', timestamp: at(9) };
      expect(await ingest.outcomes(build.upsert('id=1', 'old', {}, { position: old }))).toEqual(['stale']);
    });

    it('a transaction that was open at the snapshot comes after it, though its source position is lower', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      const snapshot = { snapshot: true, source_position: '5000' };
      await ingest.apply(build.upsert('id=1', 'as the snapshot read it', {}, { position: snapshot }));
      const committed = build.upsert('id=1', 'committed after it', {}, { position: { source_position: '4000' } });
      expect(await ingest.outcomes(committed)).toEqual(['applied']);
      expect(await ingest.texts('id=1')).toEqual(['committed after it']);
    });

    it('a topic that was made anew has lower offsets and later timestamps', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      await ingest.apply(build.upsert('id=1', 'old topic', {}, { position: { offset: '500', source_position: null } }));
      const again = { offset: '0', timestamp: at(1000), source_position: null };
      expect(await ingest.outcomes(build.upsert('id=1', 'new topic', {}, { position: again }))).toEqual(['applied']);
      expect(await ingest.texts('id=1')).toEqual(['new topic']);
    });

    it('integers past 2^53 keep their last digit', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      const position = { source_position: '9007199254740995' };
      await ingest.apply(build.upsert('id=9007199254740993', 'a', {}, { position }), build.upsert('id=9007199254740992', 'b'));
      expect(await ingest.texts('id=9007199254740993')).toEqual(['a']);
      expect(await ingest.texts('id=9007199254740992')).toEqual(['b']);
      const older = { source_position: '9007199254740994', source_timestamp: at(0) };
      expect(await ingest.outcomes(build.upsert('id=9007199254740993', 'old', {}, { position: older }))).toEqual(['stale']);
    });
  });

  describe('idempotent', () => {
    it('V3: a known id with the same content is a duplicate and changes nothing', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      const events = [
        build.upsert('id=1', 'one'),
        build.delete('id=1'),
        build.upsert('id=2', 'two'),
        build.skip('id=2'),
        build.clear(),
        build.upsert('id=3', 'three'),
      ];
      await ingest.apply(...events);
      const before = await ingest.everything();
      expect(await ingest.outcomes(...events)).toEqual(Array(6).fill('duplicate'));
      expect(await ingest.everything()).toEqual(before);
    });

    it("a known id with other content is applied at its document's own position, and is stale before it", async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      const [first, second] = [build.upsert('id=1', 'one'), build.upsert('id=1', 'two')];
      await ingest.apply(first, second);
      const mapped = [first, second].map((event) => ({ ...event, document: { ...event.document, metadata: { team: 'ops' } } }));
      expect(await ingest.outcomes(...mapped)).toEqual(['stale', 'applied']);
      expect(await ingest.document('id=1')).toMatchObject({ metadata: { team: 'ops' } });
      expect(await ingest.texts('id=1')).toEqual(['two']);
      expect(await ingest.outcomes(...mapped)).toEqual(['stale', 'duplicate']);
      const log = await ingest.query('SELECT id, outcome FROM events WHERE corpus_id = $1 ORDER BY id', [ingest.corpus.id]);
      expect(log).toEqual([first, second].map(({ id }) => ({ id, outcome: 'applied' })));
    });

    it('the id of a rejected event is not kept', async () => {
      const ingest = await createIngest(getDatabase());
      const event = new EventBuilder().upsert('id=1', null, { unchanged: ['/sections/body'] });
      expect(await ingest.outcomes(event)).toEqual(['rejected']);
      const whole = { ...event, document: { ...event.document, unchanged: [], sections: [{ name: 'body', text: 'whole' }] } };
      expect(await ingest.outcomes(whole)).toEqual(['applied']);
    });

    it('ids are per corpus', async () => {
      const event = new EventBuilder().upsert('id=1', 'one');
      expect(await (await createIngest(getDatabase())).outcomes(event)).toEqual(['applied']);
      expect(await (await createIngest(getDatabase())).outcomes(event)).toEqual(['applied']);
    });

    it('ids of events with a position may be pruned: what comes again is applied to no effect, or stale', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      const events = [
        build.upsert('id=1', 'one'),
        build.upsert('id=1', 'two'),
        build.upsert('id=2', 'gone'),
        build.delete('id=2'),
      ];
      await ingest.apply(...events);
      const updated = (await ingest.document('id=1'))!.updated_at;
      await ingest.query('DELETE FROM events WHERE corpus_id = $1', [ingest.corpus.id]);
      expect(await ingest.outcomes(...events)).toEqual(['stale', 'unchanged', 'stale', 'unchanged']);
      expect((await ingest.document('id=1'))!.updated_at).toEqual(updated);
    });

    it('events without a position go by id alone and keep the remembered position', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      await ingest.apply(build.upsert('id=1', 'one', {}, { position: { offset: '7' } }));
      const manual = build.upsert('id=1', 'by hand', {}, { position: null });
      expect(await ingest.outcomes(manual, manual)).toEqual(['applied', 'duplicate']);
      expect(await ingest.document('id=1')).toMatchObject({ offset: '7', source_position: '1000' });
      expect(await ingest.texts('id=1')).toEqual(['by hand']);
      const [other] = await ingest.apply({ ...manual, document: { ...manual.document, title: 'other' } });
      expect(other).toMatchObject({ outcome: 'duplicate', error: { code: 'id_known_with_other_content' } });
    });
  });

  describe('unchanged as an outcome', () => {
    it('writes the position alone: chunks and time of change stay', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      await ingest.apply(build.upsert('id=1', 'one', { metadata: { a: '1', b: '2' } }));
      const before = (await ingest.everything()) as { chunks: unknown; documents: Record<string, unknown>[] };
      expect(await ingest.outcomes(build.upsert('id=1', 'one', { metadata: { b: '2', a: '1' } }))).toEqual(['unchanged']);
      const after = (await ingest.everything()) as typeof before;
      expect(after.chunks).toEqual(before.chunks);
      expect(after.documents[0]).toMatchObject({ offset: '1', updated_at: before.documents[0]!['updated_at'] });
      expect(ingest.changes).toEqual([]);
    });

    it.each([
      ['metadata', { metadata: { a: '1' } }, false],
      ['the URI', { uri: 'https://x/1' }, false],
      ['the ACL', { acl: ['group:ops'] }, false],
      ['the title, which is indexed with the text', { title: 'Other' }, true],
    ])('chunks stay where only %s changes, unless they hold it', async (_what, change, rewritten) => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      await ingest.apply(build.upsert('id=1', 'one'));
      const chunks = ((await ingest.everything()) as { chunks: unknown }).chunks;
      expect(await ingest.outcomes(build.upsert('id=1', 'one', change))).toEqual(['applied']);
      const now = ((await ingest.everything()) as { chunks: unknown }).chunks;
      if (rewritten) expect(now).not.toEqual(chunks);
      else expect(now).toEqual(chunks);
      expect(await ingest.document('id=1')).toMatchObject(change);
      expect(ingest.changes.length).toBe(rewritten ? 1 : 0);
    });

    it('a delete of what is not there is unchanged and leaves a tombstone', async () => {
      const ingest = await createIngest(getDatabase());
      expect(await ingest.outcomes(new EventBuilder().delete('id=1'))).toEqual(['unchanged']);
      expect(await ingest.document('id=1')).toMatchObject({ live: false, offset: '0' });
    });

    it('an upsert without text acts as a delete; sections of white space are none', async () => {
      const ingest = await createIngest(getDatabase());
      const build = new EventBuilder();
      await ingest.apply(build.upsert('id=1', 'one'));
      expect(await ingest.outcomes(build.upsert('id=1', ' \n\t '))).toEqual(['applied']);
      expect(await ingest.document('id=1')).toMatchObject({ live: false, title: null, sections: [], content_hash: null });
      expect(await ingest.texts('id=1')).toEqual([]);
    });
  });

  it('two rows with the same text are two documents with one content hash; a title does not enter it', async () => {
    const ingest = await createIngest(getDatabase());
    const build = new EventBuilder();
    await ingest.apply(
      build.upsert('id=1', 'same', { title: 'A' }),
      build.upsert('id=2', 'same', { title: 'B' }),
      build.upsert('id=3', 'same ', { title: 'A' }),
    );
    const [one, two, three] = await Promise.all(['id=1', 'id=2', 'id=3'].map((key) => ingest.document(key)));
    expect(one!.content_hash).toBe(two!.content_hash);
    expect(one!.content_hash).not.toBe(three!.content_hash);
    expect(one!.id).not.toBe(two!.id);
    await ingest.apply(build.delete('id=1'));
    expect(await ingest.texts('id=2')).toEqual(['same']);
  });
});
