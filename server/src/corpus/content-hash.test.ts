import { expect, it } from '@jest/globals';
import { hashParts } from './content-hash.js';
import { type DocumentParts, noParts } from './part.js';

const parts: DocumentParts = {
  title: 'T',
  uri: 'u',
  acl: ['g'],
  metadata: { a: '1', b: ['2'] },
  sections: [
    { name: 'body', text: 'one' },
    { name: 'notes', text: 'two' },
  ],
};
const section = (name: string, text: string) => ({ sections: [{ name, text }] });

it.each<[string, Partial<DocumentParts>, { state: boolean; text: boolean; content: boolean }]>([
  ['nothing', {}, { state: true, text: true, content: true }],
  ['the order of metadata', { metadata: { b: ['2'], a: '1' } }, { state: true, text: true, content: true }],
  ['metadata', { metadata: { a: '1', b: '2' } }, { state: false, text: true, content: true }],
  ['the ACL', { acl: null }, { state: false, text: true, content: true }],
  ['the URI', { uri: null }, { state: false, text: true, content: true }],
  ['the title', { title: null }, { state: false, text: false, content: true }],
  [
    "a section's name",
    {
      sections: [
        { name: 'other', text: 'one' },
        { name: 'notes', text: 'two' },
      ],
    },
    { state: false, text: false, content: true },
  ],
  [
    'white space',
    {
      sections: [
        { name: 'body', text: 'one ' },
        { name: 'notes', text: 'two' },
      ],
    },
    { state: false, text: false, content: false },
  ],
  ['the order of sections', { sections: parts.sections.toReversed() }, { state: false, text: false, content: false }],
])('two documents that differ in %s', (_what, change, same) => {
  const [a, b] = [hashParts(parts), hashParts({ ...parts, ...change })];
  expect({ state: a.state === b.state, text: a.text === b.text, content: a.content === b.content }).toEqual(same);
});

it('texts do not run into one another', () => {
  const joined = hashParts({ ...noParts, ...section('a', 'onetwo') });
  const apart = hashParts({
    ...noParts,
    sections: [
      { name: 'a', text: 'one' },
      { name: 'b', text: 'two' },
    ],
  });
  expect(joined.content).not.toBe(apart.content);
});
