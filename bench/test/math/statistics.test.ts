import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  changeBetween,
  difference,
  differenceOfSums,
  type Estimate,
  estimate,
  inEachLaunch,
  lowerQuartiles,
  mapEstimate,
  pointOf,
  ratio,
  type Sides,
  shares,
  standardError,
} from '../../src/math/statistics.ts';
import { around, inLaunches, NONE } from '../support/estimates.ts';
import { interval } from '../support/make-record.ts';
import { property } from '../support/random.ts';

const point = (value: number) => ({ kind: 'point' as const, value });

describe('an estimate', () => {
  test.each([
    // t(0.975, 1) = 12.7062, s = 7.0711: half = 12.7062 × 7.0711 / √2
    { values: [10, 20], mean: 15, half: 63.531 },
    // t(0.975, 2) = 4.30265, s = 2: half = 4.30265 × 2 / √3
    { values: [10, 12, 14], mean: 12, half: 4.968275 },
    // All launches have the same weight: s = 30 √3, so the standard error is 30.
    { values: [10, 10, 100], mean: 40, half: 4.302653 * 30 },
    // t(0.975, 5) = 2.570582, s = √3.5: half = 2.570582 × √3.5 / √6
    { values: [1, 2, 3, 4, 5, 6], mean: 3.5, half: 1.963303 },
    { values: [5, 5, 5], mean: 5, half: 0 },
  ])('has the 95 % t interval over the launches $values', ({ values, mean, half }) => {
    expect(estimate(inLaunches(...values))).toEqual(around(mean, half, 4));
  });

  test('has the interval of another confidence if asked', () => {
    // t(0.95, 2) = 2.919986
    const found = estimate(inLaunches(10, 12, 14), 0.9);
    expect(found).toEqual(around(12, (2.919986 * 2) / Math.sqrt(3), 4));
  });

  test('is a point from one launch, and none from nothing', () => {
    expect([estimate(inLaunches(2)), estimate([])]).toEqual([point(2), NONE]);
  });
});

const OWN = inLaunches(12, 18, 33);
const OTHER = inLaunches(10, 20, 30);
const SIDES: Sides = { own: OWN, other: OTHER };

describe.each([
  // 2, -2 and 3: mean 1, s = √7.
  { what: 'a difference', of: difference, value: 1, half: 4.302653 * Math.sqrt(7 / 3), once: -6 },
  // Means 21 and 20, so R = 1.05; a − R·b is 1.5, −3 and 1.5: s = √6.75, which over √3 and 20 is 0.075.
  { what: 'a ratio', of: ratio, value: 1.05, half: 4.302653 * 0.075, once: 0.75 },
])('$what', ({ of, value, half, once }) => {
  test('is that of the means, with the t interval of the differences between launches', () => {
    expect(of(SIDES)).toEqual(around(value, half, 4));
  });

  test('matches launches by number, and only counts those that both sides have', () => {
    const far = { launch: 7, value: 999 };
    for (const sides of [
      { own: [...OWN, far], other: OTHER },
      { own: OWN, other: [far, ...OTHER] },
      { own: OWN, other: OTHER.toReversed() },
    ]) {
      expect(of(sides)).toEqual(of(SIDES));
    }
  });

  test('is a point from one common launch, and none without', () => {
    expect(of({ own: OWN, other: inLaunches(null, 24) })).toEqual(point(once));
    expect(of({ own: OWN, other: [] })).toEqual(NONE);
    expect(of({ own: inLaunches(1), other: inLaunches(null, 1) })).toEqual(NONE);
  });
});

describe('a difference', () => {
  test('is without what both sides share in a launch', () => {
    const sides = { own: inLaunches(11, 501, 71), other: inLaunches(1, 491, 61) };
    expect(difference(sides)).toEqual(around(10, 0, 4));
  });

  test('is as much less the other way round', () => {
    const back = difference({ own: OTHER, other: OWN });
    expect(mapEstimate(back, (value) => -value)).toEqual(difference(SIDES));
  });

  test('adds up to the level exactly if both have the same launches', () => {
    const [level, base] = [OWN, OTHER].map((samples) => pointOf(estimate(samples)));
    expect([level, base, pointOf(difference(SIDES))]).toEqual([21, 20, 1]);
  });
});

describe('the sum of differences', () => {
  const floor = inLaunches(10, 20, 36);
  const middle = inLaunches(15, 24, 49);
  const top = inLaunches(34, 45, 60);
  const over = (other: typeof floor, ...all: (typeof floor)[]) =>
    all.map((own) => ({ own, other }));

  test('is the difference between the ends of a chain', () => {
    const chain = [...over(floor, middle), ...over(middle, top)];
    expect(differenceOfSums(chain)).toEqual(difference({ own: top, other: floor }));
  });

  test('counts a common base once for each term', () => {
    // 5 + 24, 4 + 25 and 13 + 24: mean 95 / 3, s = √(64 / 3), standard error √64 / 3.
    const found = differenceOfSums(over(floor, middle, top));
    expect(found).toEqual(around(95 / 3, (4.302653 * 8) / 3, 4));
  });

  test('only counts launches that all terms have', () => {
    // 5 + 24 and 13 + 24.
    expect(pointOf(differenceOfSums(over(floor, inLaunches(15, null, 49), top)))).toBe(33);
  });

  test('is none without terms', () => {
    expect(differenceOfSums([])).toEqual(NONE);
  });
});

describe('a ratio', () => {
  test('is not the mean of the ratios of launches', () => {
    // Those are 3 and 1; the sums are 33 and 31.
    const sides = { own: inLaunches(3, 30), other: inLaunches(1, 30) };
    expect(pointOf(ratio(sides))).toBeCloseTo(33 / 31, 12);
  });

  test('has no width if it is the same in every launch, however fast the launch is', () => {
    const sides = { own: inLaunches(15, 150, 30), other: inLaunches(10, 100, 20) };
    expect(ratio(sides)).toEqual(around(1.5, 0, 4));
    expect(ratio({ own: inLaunches(0, 0), other: inLaunches(1, 3) })).toEqual(around(0, 0, 4));
  });

  test.each([
    ['0', inLaunches(0, 0, 0)],
    ['less than 0', inLaunches(-10, -20, -30)],
  ])('is none over a base of %s, and there are no shares of it', (_, other) => {
    expect(ratio({ own: OWN, other })).toEqual(NONE);
    expect(shares({ own: OWN, other })).toEqual([]);
  });
});

test('the change between samples without common launches has Welch’s interval', () => {
  // Means 21 and 20, s² = 117 and 100: errors √39 / 20 and 1.05 · √(100 / 3) / 20, together 0.43517; t(0.975, 3.9965) is
  // 2.7774.
  expect(changeBetween(SIDES)).toEqual(around(0.05, 1.2087, 3));
  expect(changeBetween({ own: OWN, other: inLaunches(10) })).toEqual(NONE);
  expect(changeBetween({ own: [], other: OTHER })).toEqual(NONE);
});

const cost = fc.double({ min: 1, max: 1000, noNaN: true });
property(
  'a ratio does not depend on the unit, and is the inverse of that the other way round',
  fc.tuple(fc.array(fc.tuple(cost, cost), { minLength: 2, maxLength: 8 }), cost),
  ([launches, unit]) => {
    const sidesIn = (scale: number): Sides => ({
      own: inLaunches(...launches.map(([value]) => value * scale)),
      other: inLaunches(...launches.map(([, value]) => value * scale)),
    });
    const { own, other } = sidesIn(1);
    const [there, back] = [ratio({ own, other }), ratio({ own: other, other: own })];
    expect((pointOf(there) ?? 0) * (pointOf(back) ?? 0)).toBeCloseTo(1, 9);
    const scaled = ratio(sidesIn(unit));
    if (there.kind !== 'interval' || scaled.kind !== 'interval') throw new Error('no intervals');
    for (const end of ['value', 'low', 'high'] as const) {
      expect(scaled[end] / there.value).toBeCloseTo(there[end] / there.value, 6);
    }
  },
);

test("shares are the differences of launches over the other's mean, in common launches", () => {
  expect(shares(SIDES)).toEqual([0.1, -0.1, 0.15].map((share) => expect.closeTo(share, 12)));
  expect(shares({ own: OWN, other: inLaunches(10, null, null, 990) })).toEqual([0.2]);
  expect(shares({ own: OWN, other: [] })).toEqual([]);
});

test('launches are combined with the same ones of the other side, if the result is finite', () => {
  const own = inLaunches(5, 8, 9, 7);
  const other = [...inLaunches(2, 4).toReversed(), { launch: 3, value: 0 }];
  expect(inEachLaunch({ own, other }, (a, b) => a / b)).toEqual(inLaunches(2.5, 2));
});

describe('the lower quartile', () => {
  const inSlices = (...launches: number[][]) => {
    return launches.flatMap((values, launch) => values.map((value) => ({ launch, value })));
  };

  test('is one value for each launch, whatever the order of its samples', () => {
    const samples = inSlices([10, 20, 30, 40, 50], [7], [3, 1]);
    const quartiles = inLaunches(20, 7, 1.5);
    expect(lowerQuartiles(samples)).toEqual(quartiles);
    expect(lowerQuartiles(samples.toReversed()).toReversed()).toEqual(quartiles);
  });

  test('is not moved by noise that adds to nearly half of the slices', () => {
    const noisy = inSlices([10, 11, 12, 13, 14, 150, 160, 170, 180]);
    expect(lowerQuartiles(noisy)).toEqual(inLaunches(12));
  });
});

test('the standard error is that of the mean', () => {
  expect(standardError([10, 12, 14])).toBeCloseTo(2 / Math.sqrt(3));
  expect(standardError([5, 5])).toBe(0);
});

test.each<[Estimate, at: number | null, twice: Estimate, negated: Estimate]>([
  [NONE, null, NONE, NONE],
  [point(3), 3, point(6), point(-3)],
  [interval(2, -1, 5), 2, interval(4, -2, 10), interval(-2, -5, 1)],
])('%o has its value, and its ends in order after a function', (from, at, ...mapped) => {
  expect(pointOf(from)).toBe(at);
  const functions = [(value: number) => 2 * value, (value: number) => -value];
  expect(functions.map((by) => mapEstimate(from, by))).toEqual(mapped);
});
