import { describe, expect, it } from '@jest/globals';
import { hasPart, noParts, type Part, parsePart, partPointer, takeParts } from './part.js';

describe('parts', () => {
  it.each<[string, Part, string]>([
    ['/title', { kind: 'title' }, '/title'],
    ['/acl', { kind: 'acl' }, '/acl'],
    ['/sections/body', { kind: 'section', name: 'body' }, '/sections/body'],
    ['/sections/a~1b~0c', { kind: 'section', name: 'a/b~c' }, '/sections/a~1b~0c'],
    ['/sections/~01', { kind: 'section', name: '~1' }, '/sections/~01'],
    ['/metadata/a/b', { kind: 'metadata', name: 'a/b' }, '/metadata/a~1b'],
    ['/metadata/title', { kind: 'metadata', name: 'title' }, '/metadata/title'],
    ['/metadata/50%25', { kind: 'metadata', name: '50%25' }, '/metadata/50%25'],
  ])('%s', (pointer, part, canonical) => {
    expect(parsePart(pointer)).toEqual(part);
    expect(partPointer(part)).toBe(canonical);
  });

  it('a null title, URI or ACL is none; a null metadata value and an empty ACL are there', () => {
    const parts = { ...noParts, acl: [], metadata: { team: null } };
    const has = (pointer: string): boolean => hasPart(parts, parsePart(pointer));
    expect(['/title', '/uri', '/acl', '/metadata/team', '/metadata/toString', '/sections/body'].map(has)).toEqual([
      false,
      false,
      true,
      true,
      false,
      false,
    ]);
  });

  it('takes parts, and leaves out what there is none of', () => {
    const given = { ...noParts, title: 'new', metadata: { a: '1' }, sections: [{ name: 'x', text: 'new x' }] };
    const from = {
      title: 'old',
      uri: 'https://old',
      acl: ['g'],
      metadata: { b: '2', c: '3' },
      sections: [{ name: 'y', text: 'old y' }],
    };
    const names = ['/uri', '/acl', '/metadata/b', '/metadata/missing', '/sections/y', '/sections/missing'].map(parsePart);
    expect(takeParts(given, names, from)).toEqual({
      title: 'new',
      uri: 'https://old',
      acl: ['g'],
      metadata: { a: '1', b: '2' },
      sections: [
        { name: 'x', text: 'new x' },
        { name: 'y', text: 'old y' },
      ],
    });
  });
});
