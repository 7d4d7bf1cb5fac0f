import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  difference,
  differenceOfSums,
  type Estimate,
  estimate,
  inEachLaunch,
  lowerQuartiles,
  mapEstimate,
  pointOf,
  ratio,
  type Sample,
  type Sides,
  shares,
  standardError,
} from '../../src/math/statistics.ts';
import { property } from '../support/random.ts';

/** One value for each launch from 0 on; null for a launch that has none. */
function inLaunches(...values: (number | null)[]): Sample[] {
  return values.flatMap((value, launch) => (value === null ? [] : [{ launch, value }]));
}

function expectInterval(found: Estimate, value: number, half: number): void {
  if (found.kind !== 'interval') throw new Error(`${found.kind} is no interval`);
  expect(found.value).toBeCloseTo(value, 4);
  expect(found.low).toBeCloseTo(value - half, 4);
  expect(found.high).toBeCloseTo(value + half, 4);
}

const point = (value: number) => ({ kind: 'point', value });
const NONE: Estimate = { kind: 'none' };

describe('an estimate', () => {
  test.each([
    // t(0.975, 1) = 12.7062, s = 7.0711: half = 12.7062 × 7.0711 / √2
    { values: [10, 20], mean: 15, half: 63.531 },
    // t(0.975, 2) = 4.30265, s = 2: half = 4.30265 × 2 / √3
    { values: [10, 12, 14], mean: 12, half: 4.968275 },
    // All launches weigh alike: s = 30 √3, so the standard error is 30.
    { values: [10, 10, 100], mean: 40, half: 4.302653 * 30 },
    // t(0.975, 5) = 2.570582, s = √3.5: half = 2.570582 × √3.5 / √6
    { values: [1, 2, 3, 4, 5, 6], mean: 3.5, half: 1.963303 },
    { values: [5, 5, 5], mean: 5, half: 0 },
  ])('has the 95 % t interval over the launches $values', ({ values, mean, half }) => {
    expectInterval(estimate(inLaunches(...values)), mean, half);
  });

  test('has the interval of another confidence where that is asked for', () => {
    // t(0.95, 2) = 2.919986
    expectInterval(estimate(inLaunches(10, 12, 14), 0.9), 12, (2.919986 * 2) / Math.sqrt(3));
  });

  test('is a point from one launch, and none from nothing', () => {
    expect(estimate(inLaunches(2))).toEqual(point(2));
    expect(estimate([])).toEqual(NONE);
  });
});

const OWN = inLaunches(12, 18, 33);
const OTHER = inLaunches(10, 20, 30);
const SIDES: Sides = { own: OWN, other: OTHER };

describe.each([
  // 2, -2 and 3: mean 1, s = √7.
  {
    what: 'a difference',
    of: difference,
    value: 1,
    half: (4.302653 * Math.sqrt(7)) / Math.sqrt(3),
  },
  // Means 21 and 20, so R = 1.05; a − R·b is 1.5, −3 and 1.5: s = √6.75, which over √3 and 20 is 0.075.
  { what: 'a ratio', of: ratio, value: 1.05, half: 4.302653 * 0.075 },
])('$what', ({ of, value, half }) => {
  test('is that of the means, with the t interval of what launches differ by', () => {
    expectInterval(of(SIDES), value, half);
  });

  test('matches launches by their number, and counts those only that both sides have', () => {
    const far = { launch: 7, value: 999 };
    expect(of({ own: [...OWN, far], other: OTHER })).toEqual(of(SIDES));
    expect(of({ own: OWN, other: [far, ...OTHER] })).toEqual(of(SIDES));
    expect(of({ own: OWN, other: OTHER.toReversed() })).toEqual(of(SIDES));
  });

  test('is a point from one launch that both have, and none without', () => {
    expect(of({ own: OWN, other: inLaunches(null, 24) })).toEqual(point(of === ratio ? 0.75 : -6));
    expect(of({ own: OWN, other: [] })).toEqual(NONE);
    expect(of({ own: inLaunches(1), other: inLaunches(null, 1) })).toEqual(NONE);
  });
});

describe('a difference', () => {
  test('leaves out what both sides share in a launch', () => {
    const sides = { own: inLaunches(11, 501, 71), other: inLaunches(1, 491, 61) };
    expectInterval(difference(sides), 10, 0);
  });

  test('is as much less the other way round', () => {
    const back = difference({ own: OTHER, other: OWN });
    expect(mapEstimate(back, (value) => -value)).toEqual(difference(SIDES));
  });

  test('adds up to the level exactly where both have the same launches', () => {
    const [level, base] = [OWN, OTHER].map((samples) => pointOf(estimate(samples)));
    expect([level, base, pointOf(difference(SIDES))]).toEqual([21, 20, 1]);
  });
});

describe('the sum of differences', () => {
  const [floor, middle, top] = [
    [10, 20, 36],
    [15, 24, 49],
    [34, 45, 60],
  ].map((values) => {
    return inLaunches(...values);
  }) as [Sample[], Sample[], Sample[]];

  test('is the difference of the ends of a chain', () => {
    const chain = [
      { own: middle, other: floor },
      { own: top, other: middle },
    ];
    expect(differenceOfSums(chain)).toEqual(difference({ own: top, other: floor }));
  });

  test('has a base that several terms share in it as often as they do', () => {
    const both = [middle, top].map((own) => ({ own, other: floor }));
    // 5 + 24, 4 + 25 and 13 + 24: mean 95 / 3, s = √(64 / 3), standard error √64 / 3.
    expectInterval(differenceOfSums(both), 95 / 3, (4.302653 * 8) / 3);
  });

  test('counts the launches only that all terms have', () => {
    const both = [inLaunches(15, null, 49), top].map((own) => ({ own, other: floor }));
    // 5 + 24 and 13 + 24.
    expect(pointOf(differenceOfSums(both))).toBe(33);
  });

  test('is none of no terms', () => {
    expect(differenceOfSums([])).toEqual(NONE);
  });
});

describe('a ratio', () => {
  test('is not the mean of the ratios of launches', () => {
    // Those are 3 and 1; the sums are 33 and 31.
    const sides = { own: inLaunches(3, 30), other: inLaunches(1, 30) };
    expect(pointOf(ratio(sides))).toBeCloseTo(33 / 31, 12);
  });

  test('has no width where one costs so many times as much in every launch, however fast that is', () => {
    const sides = { own: inLaunches(15, 150, 30), other: inLaunches(10, 100, 20) };
    expectInterval(ratio(sides), 1.5, 0);
    expectInterval(ratio({ own: inLaunches(0, 0), other: inLaunches(1, 3) }), 0, 0);
  });

  test.each<[string, Sample[]]>([
    ['0', inLaunches(0, 0, 0)],
    ['less than 0', inLaunches(-10, -20, -30)],
  ])('is none over a base of %s, and there are no shares of it', (_, other) => {
    expect(ratio({ own: OWN, other })).toEqual(NONE);
    expect(shares({ own: OWN, other })).toEqual([]);
  });
});

const cost = fc.double({ min: 1, max: 1000, noNaN: true });
property(
  'a ratio does not depend on the unit, and is one over it the other way round',
  fc.tuple(fc.array(fc.tuple(cost, cost), { minLength: 2, maxLength: 8 }), cost),
  ([launches, unit]) => {
    const own = inLaunches(...launches.map(([value]) => value));
    const other = inLaunches(...launches.map(([, value]) => value));
    const [there, back] = [ratio({ own, other }), ratio({ own: other, other: own })];
    expect((pointOf(there) ?? 0) * (pointOf(back) ?? 0)).toBeCloseTo(1, 9);
    const [a, b] = [own, other].map((all) =>
      all.map(({ launch, value }) => ({ launch, value: value * unit })),
    );
    const scaled = ratio({ own: a ?? [], other: b ?? [] });
    if (there.kind !== 'interval' || scaled.kind !== 'interval') throw new Error('no intervals');
    for (const end of ['value', 'low', 'high'] as const) {
      expect(scaled[end] / there.value).toBeCloseTo(there[end] / there.value, 6);
    }
  },
);

test("shares are the differences of launches over the other's mean, in the launches that both have", () => {
  const [first, second, third, ...others] = shares(SIDES);
  expect(first).toBeCloseTo(0.1, 12);
  expect(second).toBeCloseTo(-0.1, 12);
  expect(third).toBeCloseTo(0.15, 12);
  expect(others).toEqual([]);
  expect(shares({ own: OWN, other: inLaunches(10, null, null, 990) })).toEqual([0.2]);
  expect(shares({ own: OWN, other: [] })).toEqual([]);
});

test('launches are put together with the same ones of the other, where that is finite', () => {
  const own = inLaunches(5, 8, 9, 7);
  const other = [...inLaunches(2, 4).toReversed(), { launch: 3, value: 0 }];
  expect(inEachLaunch({ own, other }, (a, b) => a / b)).toEqual(inLaunches(2.5, 2));
});

describe('the lower quartile', () => {
  const inSlices = (...launches: number[][]) => {
    return launches.flatMap((values, launch) => values.map((value) => ({ launch, value })));
  };

  test('is one value of each launch, whatever the order of its samples', () => {
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

test.each<[Estimate, point: number | null, twice: Estimate, negated: Estimate]>([
  [NONE, null, NONE, NONE],
  [{ kind: 'point', value: 3 }, 3, { kind: 'point', value: 6 }, { kind: 'point', value: -3 }],
  [
    { kind: 'interval', value: 2, low: -1, high: 5 },
    2,
    { kind: 'interval', value: 4, low: -2, high: 10 },
    { kind: 'interval', value: -2, low: -5, high: 1 },
  ],
])(
  '%o has its point, and goes through a function with its ends in order',
  (from, at, ...mapped) => {
    expect(pointOf(from)).toBe(at);
    const through = [(value: number) => 2 * value, (value: number) => -value];
    expect(through.map((by) => mapEstimate(from, by))).toEqual(mapped);
  },
);
