import { expect, test } from 'vitest';
import * as format from '../../src/report/format.ts';
import { interval } from '../support/make-record.ts';

const NONE = { kind: 'none' } as const;
const point = (value: number) => ({ kind: 'point' as const, value });
const { plusMinus, signedPlusMinus, timePlusMinus, percentRange, ratioRange } = format;

test.each<[(value: number) => string, Record<string, number>]>([
  [format.number, { '0': 0, '7.00': 7, '10.0': 9.996, '100': 99.97, '0.12': 0.1234 }],
  [format.number, { '1.00': 1.005, '9.88': 9.87654, '12.3': 12.345, '123': 123.45 }],
  [format.number, { '1,234,568': 1234567.8, '-12.3': -12.345, '-1,235': -1234.5 }],
  [format.count, { '0': 0, '999': 999, '21,000': 21_000, '210': 210.4 }],
  [format.microseconds, { '1.23': 1234 }],
  [format.milliseconds, { '1.23': 1_234_000, '42.0': 42e6 }],
  [format.megabytes, { '95.4': 95_400_000 }],
  [format.percent, { '12.5 %': 0.125, '100 %': 1 }],
  // With a sign, unless it is nothing.
  [format.signedPercent, { '+5.80 %': 0.058, '-10.0 %': -0.1, '0 %': 0 }],
  [format.duration, { '0 s': 0, '45 s': 45.4e9, '59 s': 59.4e9, '1 min 0 s': 59.6e9 }],
  [format.duration, { '3 min 20 s': 200e9, '60 min 0 s': 3600e9 }],
  // In the unit that suits it.
  [format.time, { '0.40 µs': 400, '20.5 µs': 20_500, '96.3 ms': 96_300_000, '5.94 s': 5.94e9 }],
  // Without zeros that say nothing.
  [format.limit, { '10 s': 10e9, '2.5 s': 2.5e9, '320 ms': 320e6, '45 µs': 45_000 }],
  // As it was asked for.
  [format.perSecond, { '0.25': 0.25, '43': 43, '500': 500, '12,345': 12_345 }],
  [format.ratio, { '0.36': 0.361, '9.50': 9.5, '10.0': 10, '123.5': 123.45, '> 9,999': 1e12 }],
])('values are shown by %o as %j', (show, texts) => {
  expect(Object.values(texts).map(show)).toEqual(Object.keys(texts));
});

test.each([
  ['known', 1_234_000, '1.23'],
  ['known', 12e9, '12,000'],
  ['above', 10e9, '> 10 s'],
  ['above', 6.432e9, '> 6.43 s'],
  ['above', 35.44e6, '> 35.4 ms'],
] as const)('a latency that is %s, %d ns, is %s', (kind, ns, text) => {
  expect(format.latencyTime({ kind, ns })).toBe(text);
});

test.each([
  [1, 'launch', '1 launch'],
  [1200, 'launch', '1,200 launches'],
  [0, 'server process', '0 server processes'],
  [2, 'slice', '2 slices'],
])('%d of %s are %s', (value, one, text) => {
  expect(format.plural(value, one)).toBe(text);
});

test.each([
  [interval(52_345.6, 52_000.6, 52_690.6), '52,346 ±345'],
  [interval(1000, 988, 1012), '1,000 ±12'],
  [interval(21.456, 20.956, 21.956), '21.46 ±0.50'],
  [interval(21.456, 18.056, 24.856), '21.5 ±3.4'],
  [interval(5, 4.9999, 5.0001), '5.00 ±0.00'],
  [interval(5, 5, 5), '5.00 ±0.00'],
  [interval(-3, -5, -1), '-3.0 ±2.0'],
  // What rounds to nothing has no sign.
  [interval(-0.001, -0.101, 0.099), '0.00 ±0.10'],
  [point(1234), '1,234 ±?'],
  [NONE, '–'],
])('an estimate %o has as many decimals as its interval deserves: %s', (estimate, text) => {
  expect(plusMinus(estimate)).toBe(text);
});

test.each([
  ['in a unit', plusMinus(interval(21_500, 20_500, 22_500), 1000), '21.5 ±1.0'],
  ['in a unit', plusMinus(point(21_456), 1000), '21.5 ±?'],
  ['of a difference', signedPlusMinus(interval(3, 1, 5)), '+3.0 ±2.0'],
  ['of a difference', signedPlusMinus(interval(-3, -5, -1)), '-3.0 ±2.0'],
  ['of a difference', signedPlusMinus(point(2.5)), '+2.50 ±?'],
  ['of a difference', signedPlusMinus(NONE), '–'],
  ['of a time', timePlusMinus(interval(96e6, 93e6, 99e6)), '96.0 ±3.0 ms'],
  ['of a time', timePlusMinus(interval(20_000, 19_000, 21_000)), '20.0 ±1.0 µs'],
  ['of a time', timePlusMinus(point(2e9)), '2.00 ±? s'],
  ['of a time', timePlusMinus(NONE), '–'],
  ['of a share', percentRange(interval(0.97, 0.95, 1)), '97.0 % [95.0, 100]'],
  ['of a share', percentRange(point(0.5)), '50.0 % [?]'],
  ['of a share', percentRange(NONE), '–'],
  ['of a ratio', ratioRange(interval(2, 1, 4)), '2.00 [1.00, 4.00]'],
  ['of a ratio', ratioRange(interval(0.123, 0.1, 12.34)), '0.12 [0.10, 12.3]'],
  ['of a ratio', ratioRange(point(1.5)), '1.50 [?]'],
  ['of a ratio', ratioRange(NONE), '–'],
])('an estimate %s is shown as %s', (_, shown, text) => {
  expect(shown).toBe(text);
});
