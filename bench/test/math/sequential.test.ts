import { describe, expect, test } from 'vitest';
import { anytimeInterval, judge, smallestSeen, valuesFor } from '../../src/math/sequential.ts';
import { type Estimate, estimate } from '../../src/math/statistics.ts';

const ALPHA = 0.05;
const values = (count: number) => Array.from({ length: count }, (_, place) => (place % 3) - 1);
const interval = (low: number, high: number): Estimate => {
  return { kind: 'interval', value: (low + high) / 2, low, high };
};
const halfOf = (found: Estimate) => {
  return found.kind === 'interval' ? (found.high - found.low) / 2 : Number.POSITIVE_INFINITY;
};

describe('an interval that holds at every look', () => {
  test('is none of nothing, a point of too few, and narrows with more', () => {
    expect(anytimeInterval([], ALPHA)).toEqual({ kind: 'none' });
    expect(anytimeInterval([5, 6, 7], ALPHA)).toEqual({ kind: 'point', value: 6 });
    const halves = [6, 9, 12, 24, 48].map((count) => halfOf(anytimeInterval(values(count), ALPHA)));
    expect(halves).toEqual(halves.toSorted((a, b) => b - a));
    expect(halves.every(Number.isFinite)).toBe(true);
  });

  test('is that of the formula', () => {
    // By hand: 10 values with s = 1, (√(10.3 / 0.3) / 0.05)^0.2 = 2.5926, 1 − 2.5926 · 0.3 / 10.3 = 0.92449.
    const ten = [-1, 1, -1, 1, -1, 1, -1, 1, -1, 1].map((value) => value * Math.sqrt(0.9));
    expect(halfOf(anytimeInterval(ten, ALPHA))).toBeCloseTo(Math.sqrt((1.5926 * 9) / 9.2449), 3);
  });

  test('is wider than one that is looked at once, and wider for more rows', () => {
    const once = halfOf(estimate(values(12).map((value, launch) => ({ launch, value }))));
    const own = halfOf(anytimeInterval(values(12), ALPHA));
    expect(own).toBeGreaterThan(once);
    expect(own).toBeLessThan(2 * once);
    expect(halfOf(anytimeInterval(values(12), ALPHA / 3))).toBeGreaterThan(own);
  });
});

test('so many values make it as narrow as is wanted, and one fewer do not', () => {
  const wanted = 0.4;
  const count = valuesFor(wanted, values(9), ALPHA) ?? 0;
  // Their spread is that of 9.
  const spread = Math.sqrt(6 / 8);
  const like = (length: number) => {
    const half = halfOf(anytimeInterval(values(length), ALPHA));
    return (half * spread) / Math.sqrt((2 * Math.floor(length / 3)) / (length - 1));
  };
  expect(count % 3 === 0 ? like(count) : wanted).toBeLessThanOrEqual(wanted);
  expect(valuesFor(1e-6, values(9), ALPHA)).toBeNull();
});

test('what can be seen is more than half the interval, and endless for too few values', () => {
  expect(smallestSeen(values(9), ALPHA)).toBeGreaterThan(halfOf(anytimeInterval(values(9), ALPHA)));
  expect(smallestSeen([1, 2], ALPHA)).toBe(Number.POSITIVE_INFINITY);
});

describe('the verdict', () => {
  const COPY = interval(-0.01, 0.01);
  test.each<[string, Estimate, Estimate, string]>([
    ['is slower above 0', interval(0.01, 0.05), COPY, 'slower'],
    ['is faster below 0', interval(-0.05, -0.01), COPY, 'faster'],
    ['is the same within the equivalence, though above 0', interval(0.01, 0.018), COPY, 'same'],
    [
      "can't be told where the interval holds 0 and more",
      interval(-0.01, 0.05),
      COPY,
      "can't tell",
    ],
    ["can't be told of a point", { kind: 'point', value: 0.3 }, COPY, "can't tell"],
    [
      "can't be told beside a copy that is off",
      interval(0.1, 0.2),
      interval(0.01, 0.02),
      "can't tell",
    ],
    ["can't be told without a copy", interval(0.1, 0.2), { kind: 'none' }, "can't tell"],
  ])('%s', (_what, found, copy, verdict) => {
    expect(judge(found, copy, 0.02)).toBe(verdict);
  });
});
