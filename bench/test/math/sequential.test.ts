import tQuantile from '@stdlib/stats-base-dists-t-quantile';
import { sampleStandardDeviation } from 'simple-statistics';
import { expect, test } from 'vitest';
import { judge, levelAtLook, smallestSeen, valuesFor } from '../../src/math/sequential.ts';
import {
  changeAt,
  type Estimate,
  estimate,
  mapEstimate,
  pointOf,
} from '../../src/math/statistics.ts';
import { inLaunches } from '../support/estimates.ts';

const ALPHA = 0.05;
const NINE = [-1, 0, 1, -1, 0, 1, -1, 0, 1];
/** Their estimate with Student's t interval, for one look. */
const ONCE = estimate(inLaunches(...NINE));
const interval = (low: number, high: number): Estimate => {
  return { kind: 'interval', value: (low + high) / 2, low, high };
};
const halfOf = (found: Estimate) => {
  return found.kind === 'interval' ? (found.high - found.low) / 2 : Number.POSITIVE_INFINITY;
};

const even = (looks: number) => Array.from({ length: looks }, (_, look) => (look + 1) / looks);
const normal = (level: number) => tQuantile(1 - level / 2, 1e9);

test('the level at a look is all there is where nobody looks before the end', () => {
  expect(levelAtLook([1], ALPHA)).toBeCloseTo(ALPHA, 4);
  expect(levelAtLook([0, 0, 1], ALPHA)).toBeCloseTo(ALPHA, 3);
});

test('the level at a look is that of published boundaries', () => {
  // Pocock 1977: two looks at 2.178 each, of which the first spends 0.0294.
  const pocock = [Math.sqrt(0.0294 / ALPHA), 1];
  expect(normal(levelAtLook(pocock.slice(0, 1), ALPHA))).toBeCloseTo(2.178, 2);
  expect(normal(levelAtLook(pocock, ALPHA))).toBeCloseTo(2.178, 2);
});

test('the level at a look grows towards the end, and is smaller for more rows', () => {
  const levels = even(20).map((_, look) => levelAtLook(even(20).slice(0, look + 1), ALPHA));
  expect(levels).toEqual(levels.toSorted((a, b) => a - b));
  expect(levels.at(-1)).toBeLessThan(ALPHA);
  expect(levelAtLook(even(20), ALPHA / 3)).toBeLessThan((levels.at(-1) ?? 0) / 2);
});

test('a change at a level is none of nothing, a point of one value, and has the interval of Student otherwise', () => {
  expect(changeAt(ALPHA, [])).toEqual({ kind: 'none' });
  const point = { kind: 'point', value: expect.closeTo(0.25, 9) };
  expect(changeAt(ALPHA, [Math.log(1.25)])).toEqual(point);
  expect(changeAt(ALPHA, NINE)).toEqual(mapEstimate(ONCE, Math.expm1));
});

test('a change at a level hardly depends on one of ten values at either end', () => {
  const logs = [0.01, 0.02, 0.03, 0.02, 0.01, 0.03, 0.02, 0.02, 0.01, 0.03];
  const with38 = changeAt(ALPHA, [...logs.slice(1), 0.38]);
  const without = changeAt(ALPHA, logs);
  expect(halfOf(with38)).toBeLessThan(1.2 * halfOf(without));
  expect(pointOf(with38)).toBeCloseTo(0.022, 2);
  // As published for g values at either end: the winsorized deviation over (1 - 2g/n) and the root of n.
  const winsorized = [1, 1, 1, 2, 2, 3, 4, 5, 6, 6].map((value) => value / 100);
  const half = (tQuantile(0.975, 7) * sampleStandardDeviation(winsorized)) / 0.8 / Math.sqrt(10);
  const values = [-9, 1, 1, 2, 2, 3, 4, 5, 6, 9].map((value) => value / 100);
  const found = changeAt(ALPHA, values);
  expect(found).toMatchObject({ low: expect.closeTo(Math.expm1(0.03 - half), 9) });
});

test.each([0, 0.001])('a change is a point where the level is too low for so few: %d', (level) => {
  const logs = [0.5, 1, 2].map(Math.log);
  expect(changeAt(level, logs)).toEqual({ kind: 'point', value: expect.closeTo(0, 9) });
});

test('so many values make it as narrow as is wanted, and one fewer do not', () => {
  const level = levelAtLook(even(20), ALPHA);
  const spread = Math.sqrt(6 / 8);
  const half = (count: number) => {
    return (tQuantile(1 - level / 2, count - 1) * spread) / Math.sqrt(count);
  };
  const count = valuesFor(0.3, NINE, ALPHA) ?? 0;
  expect(half(count)).toBeLessThanOrEqual(0.3);
  expect(half(count - 1)).toBeGreaterThan(0.3);
  expect(valuesFor(1e-6, NINE, ALPHA)).toBeNull();
});

test('what can be seen is more than half the interval, and endless for too few values', () => {
  expect(smallestSeen(ALPHA, NINE)).toBeGreaterThan(halfOf(ONCE));
  expect(smallestSeen(ALPHA, [1])).toBe(Number.POSITIVE_INFINITY);
});

const UNTOLD = "can't tell";
test.each<[string, Estimate, verdict: string, copy?: Estimate]>([
  ['is slower above 0', interval(0.01, 0.05), 'slower'],
  ['is faster below 0', interval(-0.05, -0.01), 'faster'],
  ['is the same within the equivalence, though above 0', interval(0.01, 0.018), 'same'],
  ["can't be told where the interval holds 0 and more", interval(-0.01, 0.05), UNTOLD],
  ["can't be told of a point", { kind: 'point', value: 0.3 }, UNTOLD],
  ["can't be told beside a copy that is off", interval(0.1, 0.2), UNTOLD, interval(0.01, 0.02)],
  ["can't be told without a copy", interval(0.1, 0.2), UNTOLD, { kind: 'none' }],
])('the verdict %s', (_what, found, verdict, copy = interval(-0.01, 0.01)) => {
  expect(judge(found, copy, 0.02)).toBe(verdict);
});
