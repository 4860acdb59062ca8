import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ExactNumber, type Value } from '../record/sink-record.js';
import { haveSameShape, keyText } from './row-key.js';

const n = (text: string): ExactNumber => new ExactNumber(text);
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.constantFrom('=', '&', '%', '%3D', '\ud83d', '\ude00', '\uD800', 'u', 'D800', 'a', '+', ' '), { maxLength: 5 })
    .map((all) => all.join('')),
);
const fieldValue = fc.oneof(fc.constant(null), anyText);
const anyKey = fc.dictionary(anyText, fieldValue, { minKeys: 1, maxKeys: 4 });

describe('keyText', () => {
  it.each<[string, Value, string]>([
    ['one field', { id: n('42') }, 'id=42'],
    ['fields sorted by name', { b: 'x', a: n('1'), B: true }, 'B=true&a=1&b=x'],
    ['a bare key', 'shop/1', 'key=shop%2F1'],
    ['a bare number', n('7'), 'key=7'],
    ['a null', { a: null, b: n('1') }, 'a&b=1'],
    ['an empty text', { a: '' }, 'a='],
    ['text that looks like the encoding', { 'a=b': 'c&d=e%' }, 'a%3Db=c%26d%3De%25'],
    ['S7: an id above 2^53', { id: n('9007199254740993') }, 'id=9007199254740993'],
    ['bytes as the base64 that JSON has', { id: new Uint8Array([0xfb, 0xff]) }, 'id=%2B%2F8%3D'],
    ['a struct within a key', { n: { value: 'BQ==', scale: n('1') } }, 'n=%7B%22scale%22%3A1%2C%22value%22%3A%22BQ%3D%3D%22%7D'],
    ['a lone surrogate as its code', { id: 'a\ud83d' }, 'id=a%uD83D'],
    ['characters beyond the first plane', { id: '😀' }, 'id=%F0%9F%98%80'],
    ['a date stays the day number of the wire', { day: n('20487') }, 'day=20487'],
  ])('%s', (_title, key, expected) => {
    expect(keyText(key)).toBe(expected);
  });

  it('is injective: two keys with different fields or values never share a text', () => {
    fc.assert(
      fc.property(anyKey, anyKey, (one, other) => {
        const entries = (key: Record<string, string | null>): string =>
          JSON.stringify(Object.entries(key).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
        expect(keyText(one) === keyText(other)).toBe(entries(one) === entries(other));
      }),
      { numRuns: 2000 },
    );
  });

  it('can be read back', () => {
    fc.assert(
      fc.property(anyKey, (key) => {
        const decode = (text: string): string =>
          text
            .split(/(%u[0-9A-F]{4})/)
            .map((part) => (part.startsWith('%u') ? String.fromCharCode(parseInt(part.slice(2), 16)) : decodeURIComponent(part)))
            .join('');
        const read = keyText(key)
          .split('&')
          .map((field): [string, string | null] => {
            const at = field.indexOf('=');
            return at === -1 ? [decode(field), null] : [decode(field.slice(0, at)), decode(field.slice(at + 1))];
          });
        expect(new Map(read)).toEqual(new Map(Object.entries(key)));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('haveSameShape', () => {
  it.each<[Value, Value, boolean]>([
    [{ id: n('1') }, { id: n('20') }, true],
    [{ id: n('1') }, { id: '20' }, false],
    [{ id: n('1') }, { uid: n('20') }, false],
    [{ id: n('1') }, { id: n('1'), b: n('2') }, false],
    [{ id: n('1'), b: n('2') }, { id: n('1') }, false],
    [{ id: 'x' }, { id: null }, false],
    [{ id: new Uint8Array([1]) }, { id: 'AQ==' }, true],
    ['a', 'b', true],
    ['a', n('1'), false],
    [{ n: { scale: n('1'), value: 'AQ==' } }, { n: { scale: n('2'), value: 'Ag==' } }, true],
    [{ n: { scale: n('1'), value: 'AQ==' } }, { n: 'AQ==' }, false],
  ])('%j and %j: %j', (one, other, expected) => {
    expect(haveSameShape(one, other)).toBe(expected);
  });
});
