import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ExactNumber, type Value, type ValueSchema } from '../sink-record.js';
import { bytesToInteger, decimalText } from './decimal-text.js';
import { readableText, readableValue } from './readable-value.js';
import { dateText } from './temporal-text.js';

const n = (text: string): ExactNumber => new ExactNumber(text);
const connect = (name: string): string => `org.apache.kafka.connect.data.${name}`;
const time = (name: string): string => `io.debezium.time.${name}`;
const as = (name: string, parameters: Record<string, string> = {}): ValueSchema => ({ type: 'int64', name, parameters });

describe('S7: decimals', () => {
  it.each([
    // Values of STACK.md's recordings: "EtaH" is 12345.67 and "+w==" is -0.05.
    ['EtaH', '2', '12345.67'],
    ['+w==', '2', '-0.05'],
    ['AA==', '2', '0.00'],
    ['AA==', '0', '0'],
    ['gA==', '0', '-128'],
    ['AIA=', '0', '128'],
    ['AQ==', '-3', '1000'],
    ['/w==', '5', '-0.00001'],
    ['FS0d9', '1', undefined],
  ])('%s with scale %s is %s', (base64, scale, text) => {
    expect(readableValue(base64, as(connect('Decimal'), { scale }))).toBe(text ?? base64);
  });

  it('any integer comes back from its two’s complement', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 130n), max: 2n ** 130n }), (value) => {
        const bytes = new Uint8Array(18).map((_zero, index) =>
          Number((BigInt.asUintN(144, value) >> BigInt(8 * (17 - index))) & 0xffn),
        );
        expect(bytesToInteger(bytes)).toBe(value);
      }),
    );
  });

  it('a decimal is its digits with a point', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.integer({ min: 0, max: 40 }), (unscaled, scale) => {
        const text = decimalText(unscaled, scale);
        expect(text).toMatch(scale === 0 ? /^-?\d+$/ : new RegExp(`^-?\\d+\\.\\d{${scale}}$`));
        expect(BigInt(text.replace('.', ''))).toBe(unscaled);
        expect(text.replace(/\.\d+$/, '')).toMatch(/^-?(0|[1-9]\d*)$/);
      }),
    );
  });

  it('of Avro’s bytes, of variable scale, and as a number already', () => {
    expect(readableValue(new Uint8Array([0x04, 0xd2]), as(connect('Decimal'), { scale: '2' }))).toBe('12.34');
    expect(readableValue({ scale: n('1'), value: 'BNI=' }, as('io.debezium.data.VariableScaleDecimal'))).toBe('123.4');
    expect(readableValue(n('12.340'), as(connect('Decimal'), { scale: '3' }))).toEqual(n('12.340'));
  });
});

describe('dates and times', () => {
  it.each<[string, string, string]>([
    [time('Date'), '0', '1970-01-01'],
    [time('Date'), '-1', '1969-12-31'],
    [time('Date'), '11016', '2000-02-29'],
    [connect('Date'), '20487', '2026-02-03'],
    [time('Date'), '-719529', '-000001-12-31'],
    [time('Date'), '-719528', '0000-01-01'],
    [time('Date'), '2932896', '9999-12-31'],
    [time('Date'), '2932897', '+010000-01-01'],
    [time('Date'), '-2147472692', 'infinity'],
    [time('Date'), '-2147472691', '-infinity'],
    [time('Time'), '86399999', '23:59:59.999'],
    [time('MicroTime'), '86400000000', '24:00:00'],
    [time('NanoTime'), '1', '00:00:00.000000001'],
    [time('MicroTime'), '-3020399000000', '-838:59:59'],
    [time('Timestamp'), '1770091506789', '2026-02-03T04:05:06.789'],
    [time('MicroTimestamp'), '1770091506789012', '2026-02-03T04:05:06.789012'],
    [time('MicroTimestamp'), '-1', '1969-12-31T23:59:59.999999'],
    [time('NanoTimestamp'), '1770091506000000001', '2026-02-03T04:05:06.000000001'],
    [connect('Timestamp'), '1770091506000', '2026-02-03T04:05:06Z'],
    [time('MicroTimestamp'), '9223372036825200000', 'infinity'],
    [time('MicroTimestamp'), '-9223372036832400000', '-infinity'],
    [time('MicroDuration'), '0', '00:00:00'],
    [time('MicroDuration'), '86400000000', '1 day'],
    [time('MicroDuration'), '-90061000001', '-1 day 01:01:01.000001'],
    [time('NanoDuration'), '90061000000001', '1 day 01:01:01.000000001'],
  ])('%s of %s is %s', (name, value, text) => {
    expect(readableValue(n(value), as(name))).toBe(text);
  });

  it('every day is the calendar’s', () => {
    fc.assert(
      fc.property(fc.integer({ min: -719_528, max: 2_932_896 }), (day) => {
        expect(dateText(BigInt(day))).toBe(new Date(day * 86_400_000).toISOString().slice(0, 10));
      }),
    );
  });

  it.each<[string, Value]>([
    [time('ZonedTimestamp'), '2026-02-02T23:05:06.789012Z'],
    [time('Interval'), 'P1Y0M2DT3H4M5.6S'],
    ['io.debezium.data.Json', '{"a": 1}'],
    ['io.debezium.data.Uuid', '5beff3a7-4b1f-4357-864e-669e116d997d'],
    ['io.debezium.data.Enum', 'bad'],
    [time('Date'), 'not a number'],
    [time('Date'), n('1.5')],
  ])('%s of %j stays as it is', (name, value) => {
    expect(readableValue(value, as(name))).toEqual(value);
  });
});

describe('nested values', () => {
  it('logical types are found in arrays, maps and structs', () => {
    const date = as(time('Date'));
    expect(readableValue([n('0'), null], { type: 'array', items: date })).toEqual(['1970-01-01', null]);
    expect(readableValue({ a: n('0') }, { type: 'map', values: date })).toEqual({ a: '1970-01-01' });
    const struct: ValueSchema = { type: 'struct', fields: new Map([['d', date]]) };
    expect(readableText({ d: n('0'), e: n('1.0') }, struct)).toBe('{"d":"1970-01-01","e":1.0}');
  });

  it('bits and points', () => {
    expect(readableValue('qgI=', as('io.debezium.data.Bits', { length: '10' }))).toBe('1010101010');
    expect(readableValue('qgI=', as('io.debezium.data.Bits', { length: '2147483647' }))).toBe('0000001010101010');
    expect(readableValue({ x: n('1.50'), y: n('-2') }, as('io.debezium.data.geometry.Point'))).toBe('POINT(1.50 -2)');
  });
});
