import { describe, expect, test } from 'vitest';
import {
  count,
  duration,
  latencyTime,
  limit,
  megabytes,
  microseconds,
  milliseconds,
  number,
  percent,
  percentRange,
  perSecond,
  plusMinus,
  ratio,
  ratioRange,
  signedPercent,
  signedPlusMinus,
  time,
  timePlusMinus,
} from '../../src/report/format.ts';
import { interval } from '../support/make-record.ts';

const NONE = { kind: 'none' } as const;

test.each([
  [0, '0'],
  [7, '7.00'],
  [9.996, '10.0'],
  [99.97, '100'],
  [0.1234, '0.12'],
  [1.005, '1.00'],
  [9.87654, '9.88'],
  [12.345, '12.3'],
  [123.45, '123'],
  [1234567.8, '1,234,568'],
  [-12.345, '-12.3'],
  [-1234.5, '-1,235'],
])('the number %d is %s', (value, text) => {
  expect(number(value)).toBe(text);
});

test('counts are whole, with separators of thousands', () => {
  expect([count(0), count(999), count(21_000), count(210.4)]).toEqual([
    '0',
    '999',
    '21,000',
    '210',
  ]);
});

test('ns are shown as µs or ms, bytes as MB, shares as percent', () => {
  expect(microseconds(1234)).toBe('1.23');
  expect(milliseconds(1_234_000)).toBe('1.23');
  expect(milliseconds(42e6)).toBe('42.0');
  expect(megabytes(95_400_000)).toBe('95.4');
  expect(percent(0.125)).toBe('12.5 %');
  expect(percent(1)).toBe('100 %');
});

test.each([
  ['known', 1_234_000, '1.23'],
  ['known', 12e9, '12,000'],
  ['above', 10e9, '> 10 s'],
  ['above', 6.432e9, '> 6.43 s'],
  ['above', 35.44e6, '> 35.4 ms'],
] as const)('a latency that is %s, %d ns, is %s', (kind, ns, text) => {
  expect(latencyTime({ kind, ns })).toBe(text);
});

test.each([
  [0, '0 s'],
  [45.4e9, '45 s'],
  [59.4e9, '59 s'],
  [59.6e9, '1 min 0 s'],
  [200e9, '3 min 20 s'],
  [3600e9, '60 min 0 s'],
])('%d ns last %s', (ns, text) => {
  expect(duration(ns)).toBe(text);
});

test.each([
  [400, '0.40 µs'],
  [20_500, '20.5 µs'],
  [96_300_000, '96.3 ms'],
  [5_940_000_000, '5.94 s'],
])('%d ns are shown in the unit that suits them: %s', (ns, text) => {
  expect(time(ns)).toBe(text);
});

test('a limit has no zeros that say nothing', () => {
  expect([10e9, 2.5e9, 320e6, 45_000].map(limit)).toEqual(['10 s', '2.5 s', '320 ms', '45 µs']);
});

test('a rate is shown as it was asked for', () => {
  expect([0.25, 43, 500, 12_345].map(perSecond)).toEqual(['0.25', '43', '500', '12,345']);
});

test('a share that is a difference has a sign, unless it is nothing', () => {
  expect([0.058, -0.1, 0].map(signedPercent)).toEqual(['+5.80 %', '-10.0 %', '0 %']);
});

describe('an estimate', () => {
  test.each([
    [interval(52_345.6, 52_000.6, 52_690.6), '52,346 ±345'],
    [interval(1000, 988, 1012), '1,000 ±12'],
    [interval(21.456, 20.956, 21.956), '21.46 ±0.50'],
    [interval(21.456, 18.056, 24.856), '21.5 ±3.4'],
    [interval(5, 4.9999, 5.0001), '5.00 ±0.00'],
    [interval(5, 5, 5), '5.00 ±0.00'],
    [interval(-3, -5, -1), '-3.0 ±2.0'],
  ])('%o shows as many decimals as its interval deserves: %s', (estimate, text) => {
    expect(plusMinus(estimate)).toBe(text);
  });

  test('is shown in a unit of so many base units', () => {
    expect(plusMinus(interval(21_500, 20_500, 22_500), 1000)).toBe('21.5 ±1.0');
    expect(plusMinus({ kind: 'point', value: 21_456 }, 1000)).toBe('21.5 ±?');
  });

  test('of one launch has an unknown interval, and none is a dash', () => {
    expect(plusMinus({ kind: 'point', value: 1234 })).toBe('1,234 ±?');
    expect(plusMinus(NONE)).toBe('–');
    expect(ratioRange({ kind: 'point', value: 1.5 })).toBe('1.50 [?]');
    expect(ratioRange(NONE)).toBe('–');
  });

  test('has a sign where it is a difference', () => {
    expect(signedPlusMinus(interval(3, 1, 5))).toBe('+3.0 ±2.0');
    expect(signedPlusMinus(interval(-3, -5, -1))).toBe('-3.0 ±2.0');
    expect(signedPlusMinus({ kind: 'point', value: 2.5 })).toBe('+2.50 ±?');
    expect(signedPlusMinus(NONE)).toBe('–');
  });

  test('that rounds to nothing has no sign', () => {
    expect(plusMinus(interval(-0.001, -0.101, 0.099))).toBe('0.00 ±0.10');
  });

  test('of a time is shown with the unit that suits it', () => {
    expect(timePlusMinus(interval(96e6, 93e6, 99e6))).toBe('96.0 ±3.0 ms');
    expect(timePlusMinus(interval(20_000, 19_000, 21_000))).toBe('20.0 ±1.0 µs');
    expect(timePlusMinus({ kind: 'point', value: 2e9 })).toBe('2.00 ±? s');
    expect(timePlusMinus(NONE)).toBe('–');
  });

  test('of a share shows both ends in per cent', () => {
    expect(percentRange(interval(0.97, 0.95, 1))).toBe('97.0 % [95.0, 100]');
    expect(percentRange({ kind: 'point', value: 0.5 })).toBe('50.0 % [?]');
    expect(percentRange(NONE)).toBe('–');
  });

  test('of a ratio shows both ends, since they need not be symmetric', () => {
    expect(ratioRange(interval(2, 1, 4))).toBe('2.00 [1.00, 4.00]');
    expect(ratioRange(interval(0.123, 0.1, 12.34))).toBe('0.12 [0.10, 12.3]');
  });
});

test('a ratio has two decimals below 10, and one above', () => {
  expect([ratio(0.361), ratio(9.5), ratio(10), ratio(123.45)]).toEqual([
    '0.36',
    '9.50',
    '10.0',
    '123.5',
  ]);
});
