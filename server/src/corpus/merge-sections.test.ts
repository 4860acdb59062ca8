import { expect, it } from '@jest/globals';
import { mergeSections } from './merge-sections.js';

const named = (names: string, text: string) => [...names].map((name) => ({ name, text }));
/** Given sections in capitals, kept ones as they are. */
const merged = (given: string, kept: string, stored: string): string =>
  mergeSections(named(given, 'new'), [...kept], named(stored, 'old'))
    .map(({ name, text }) => (text === 'new' ? name.toUpperCase() : name))
    .join('');

it.each([
  ['', 'abc', 'abc', 'abc'],
  ['ac', 'b', 'abc', 'AbC'],
  ['b', 'ac', 'abc', 'aBc'],
  ['c', 'ab', 'abc', 'abC'],
  ['a', 'bc', 'abc', 'Abc'],
  ['ca', 'b', 'abc', 'CAb'],
  ['x', 'ab', 'ab', 'Xab'],
  ['xb', 'a', 'ab', 'XaB'],
  ['a', 'b', 'b', 'Ab'],
  ['ab', '', 'abc', 'AB'],
  ['a', 'z', 'b', 'A'],
  ['a', 'a', 'ab', 'a'],
])('given %s, kept %s of %s: %s', (given, kept, stored, expected) => {
  expect(merged(given, kept, stored)).toBe(expected);
});
