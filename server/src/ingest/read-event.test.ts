import { describe, expect, it } from '@jest/globals';
import { readEvent } from './read-event.js';
import { EventBuilder } from './testing/event-builder.js';

const build = new EventBuilder();
const good = build.upsert('id=1', 'text');
const document = good.document;
const error = (sent: unknown) => readEvent(sent, 0).rejected?.error;

describe('readEvent', () => {
  it.each<[string, unknown, string | undefined]>([
    ['null', null, undefined],
    ['a text', 'event', undefined],
    ['no operation', { ...good, op: undefined }, 'op'],
    ['an unknown operation', { ...good, op: 'merge' }, 'op'],
    ['no id', { ...good, id: undefined }, 'id'],
    ['no key', { ...good, document: { ...document, key: undefined } }, 'document.key'],
    ['an empty key', { ...good, document: { ...document, key: '' } }, 'document.key'],
    ['no source', { ...good, document: { ...document, source: undefined } }, 'document.source'],
    ['a section without text', { ...good, document: { ...document, sections: [{ name: 'body' }] } }, 'document.sections.0.text'],
    ['a number as metadata', { ...good, document: { ...document, metadata: { price: 1.5 } } }, 'document.metadata.price'],
    ['an offset that is a number', { ...good, position: { ...good.position, offset: 17 } }, 'position.offset'],
    ['a clear without position', { ...build.clear(), position: undefined }, 'position'],
    [
      'a pointer to nothing that can be unchanged',
      { ...good, document: { ...document, unchanged: ['/key'] } },
      'document.unchanged.0',
    ],
    ['a key with NUL', { ...good, document: { ...document, key: 'id=\0' } }, 'document.key'],
    ['a source with a lone surrogate', { ...good, document: { ...document, source: 's\ud800' } }, 'document.source'],
    [
      'two sections of one name',
      { ...good, document: { ...document, sections: [...document.sections!, ...document.sections!] } },
      'document.sections',
    ],
    [
      'a section that is given and unchanged',
      { ...good, document: { ...document, unchanged: ['/sections/body'] } },
      'document.unchanged',
    ],
    ['a title that is given and unchanged', { ...good, document: { ...document, unchanged: ['/title'] } }, 'document.unchanged'],
  ])('refuses %s, and names the field', (_what, sent, field) => {
    expect(error(sent)).toMatchObject({ code: 'invalid_event', ...(field === undefined ? {} : { field }) });
    expect(error(sent)!.message.length).toBeGreaterThan(10);
  });

  it('keeps the id of what it refuses, where there is one', () => {
    expect(readEvent({ id: 'known', op: 'merge' }, 0).rejected?.id).toBe('known');
    expect(readEvent({ id: 17 }, 0).rejected?.id).toBe('');
  });

  it('counts the size in bytes of UTF-8, over all that a document holds', () => {
    const withText = (text: string, metadata = {}) => ({
      ...good,
      document: { ...document, metadata, sections: [{ name: 'body', text }] },
    });
    expect(error(withText('x'.repeat(8_000_000)))).toBeUndefined();
    expect(error(withText('é'.repeat(4_500_000)))).toMatchObject({ code: 'document_too_large' });
    expect(error(withText('x'.repeat(8_000_000), { blob: 'y'.repeat(500_000) }))).toMatchObject({ code: 'document_too_large' });
  });

  it('a row that moves to its own key has not moved', () => {
    expect(readEvent(build.delete('id=1', 'id=1'), 0).event).toMatchObject({ movedTo: null });
    expect(readEvent(build.upsert('id=1', 'x', { moved_from: 'id=1' }), 0).event).toMatchObject({ movedFrom: null });
  });

  it("the content hash leaves out the id and a skip's reason, and holds the rest", () => {
    const hash = (sent: unknown): string => readEvent(sent, 0).event!.contentHash;
    expect(hash({ ...good, id: 'other' })).toBe(hash(good));
    expect(hash({ ...good, document: { ...document, uri: 'x' } })).not.toBe(hash(good));
    expect(hash({ ...good, document: { ...document, moved_from: 'id=9' } })).not.toBe(hash(good));
    expect(hash({ ...good, position: { ...good.position!, source_position: '1' } })).not.toBe(hash(good));
    const skip = build.skip('id=1');
    expect(hash({ ...skip, reason: 'said otherwise' })).toBe(hash(skip));
  });

  it('every deep or odd value ends in an answer, never in a fault', () => {
    let deep: unknown = 'x';
    for (let n = 0; n < 5000; n++) deep = [deep];
    expect(error({ ...good, document: { ...document, metadata: { deep } } })).toMatchObject({ code: 'invalid_event' });
    expect(error({ ...good, document: [] })).toMatchObject({ code: 'invalid_event' });
  });
});
