import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parse, stringify } from 'lossless-json';
import { ExactNumber, type Value } from '../../record/sink-record.js';
import { jsonText } from '../../record/text/json-text.js';
import { JsonFault, parseJson } from './parse-json.js';

const numberText = fc
  .tuple(
    fc.boolean(),
    fc.oneof(fc.constant('0'), fc.bigInt({ min: 1n, max: 10n ** 40n }).map(String)),
    fc.option(fc.stringMatching(/^[0-9]{1,30}$/), { nil: undefined }),
    fc.option(fc.stringMatching(/^[eE][+-]?[0-9]{1,6}$/), { nil: undefined }),
  )
  .map(
    ([negative, whole, decimals, exponent]) => `${negative ? '-' : ''}${whole}${decimals ? `.${decimals}` : ''}${exponent ?? ''}`,
  );

/** Any string of code units: NUL, quotes, backslashes, lone surrogates, and text that looks like a number. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.constantFrom('\u0000', '"', '\\', '\ud83d', '1', '-', '\u0001', 'u0000', 'a'), { maxLength: 8 })
    .map((all) => all.join('')),
);
const { value: anyValue } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false),
    anyText,
    numberText.map((text) => new ExactNumber(text)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(anyText, tie('value'), { maxKeys: 4 }),
  ),
}));
/** The same tree by the library that was written for it; it refuses a second, different field of one name. */
const oracle = (text: string): unknown => parse(text, null, { parseNumber: (number) => new ExactNumber(number) });

describe('parseJson', () => {
  it.each([
    '9007199254740993',
    '-0',
    '1.10',
    '1E400',
    '1e-400',
    '0.1000000000000000055511151231257827',
    '123456789012345678901234567890.5',
  ])('S7: keeps %s exactly', (text) => {
    expect(parseJson(text)).toEqual(new ExactNumber(text));
    expect(parseJson(` [ {"a":${text} } ]`)).toEqual([{ a: new ExactNumber(text) }]);
  });

  it('S7: any number keeps its exact text, wherever it stands', () => {
    fc.assert(
      fc.property(numberText, (text) => jsonText(parseJson(`{"a":[${text},"${text}"]}`)) === `{"a":[${text},"${text}"]}`),
    );
  });

  it('reads any value as a parser written for exact numbers does', () => {
    fc.assert(
      fc.property(anyValue, fc.constantFrom(undefined, 1), (value, space) => {
        const text = stringify(value, null, space, [
          { test: (item) => item instanceof ExactNumber, stringify: (item) => String(item) },
        ]) as string;
        expect(parseJson(text)).toEqual(oracle(text));
      }),
    );
  });

  it('what JSON.parse refuses is refused', () => {
    const broken = fc.array(
      fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '1', '-', '0', '.', 'e', '\\', 'u0000', ' ', 'a', 'true', 'null', '"a"'),
      { maxLength: 8 },
    );
    const accepts = (read: (text: string) => unknown, text: string): boolean => {
      try {
        read(text);
        return true;
      } catch {
        return false;
      }
    };
    fc.assert(
      fc.property(broken, (parts) => {
        const text = parts.join('');
        expect({ text, accepted: accepts(parseJson, text) }).toEqual({ text, accepted: accepts(JSON.parse, text) });
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    '',
    '01',
    '1.',
    '.5',
    '+1',
    '-',
    '1 2',
    '{1:2}',
    '{"a":1,}',
    '[1,]',
    'NaN',
    "{'a':1}",
    '"\u0001"',
    '{"a":1}}',
    'tru1e',
  ])('refuses %j', (text) => {
    expect(() => parseJson(text)).toThrow(JsonFault);
  });

  it('never shows the text it could not read', () => {
    expect(() => parseJson('{"password":"hunter2"')).toThrow(/^it is not JSON$/);
  });

  it('keeps a field called __proto__ a field', () => {
    const value = parseJson('{"__proto__":5,"b":"\\u0000x","\\u0000c":2}') as Record<string, Value>;
    expect(Object.keys(value).sort()).toEqual(['\u0000c', '__proto__', 'b']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.getOwnPropertyDescriptor(value, '__proto__')?.value).toEqual(new ExactNumber('5'));
    expect(value.b).toBe('\u0000x');
    expect(value['\u0000c']).toEqual(new ExactNumber('2'));
  });

  it('takes the last of several fields of one name, as Kafka Connect does', () => {
    expect(parseJson('{"a":1,"a":"two"}')).toEqual({ a: 'two' });
  });

  it('keeps a lone surrogate', () => {
    expect(parseJson('"\\ud83d"')).toBe('\ud83d');
  });

  it('refuses what is nested deeper than Jackson reads', () => {
    expect(() => parseJson(`${'['.repeat(1001)}${']'.repeat(1001)}`)).toThrow(/nested/);
    expect(() => parseJson(`${'['.repeat(1000)}${']'.repeat(1000)}`)).not.toThrow();
  });

  it('reads a document of 20 MB without growing by more than a few times its size', () => {
    const text = JSON.stringify({ id: 1, body: 'lorem "ipsum" dolor\n'.repeat(1_000_000) });
    const before = process.memoryUsage().heapUsed;
    expect((parseJson(text) as { body: string }).body).toHaveLength(20_000_000);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(200_000_000);
  });
});
