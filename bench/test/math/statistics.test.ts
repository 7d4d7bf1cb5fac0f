import { describe, expect, test } from 'vitest';
import {
  betweenLaunches,
  difference,
  differenceOfSums,
  type Estimate,
  estimate,
  lowerQuartiles,
  mapEstimate,
  negated,
  pointOf,
  ratio,
  type Sample,
  type Sides,
  shares,
  standardError,
} from '../../src/math/statistics.ts';

/** Samples of launches: one list of values for each. */
function samplesOf(...launches: number[][]): Sample[] {
  return launches.flatMap((values, launch) => values.map((value) => ({ launch, value })));
}

function expectInterval(found: Estimate, value: number, low: number, high: number): void {
  if (found.kind !== 'interval') throw new Error(`${found.kind} is no interval`);
  expect(found.value).toBeCloseTo(value, 4);
  expect(found.low).toBeCloseTo(low, 4);
  expect(found.high).toBeCloseTo(high, 4);
}

describe('an estimate', () => {
  test.each([
    // t(0.975, 1) = 12.7062, s = 7.0711: half = 12.7062 × 7.0711 / √2
    { values: [10, 20], mean: 15, half: 63.531 },
    // t(0.975, 2) = 4.30265, s = 2: half = 4.30265 × 2 / √3
    { values: [10, 12, 14], mean: 12, half: 4.968275 },
    // t(0.975, 5) = 2.570582, s = √3.5: half = 2.570582 × √3.5 / √6
    { values: [1, 2, 3, 4, 5, 6], mean: 3.5, half: 1.963303 },
  ])('has the 95 % t interval over the launches $values', ({ values, mean, half }) => {
    const launches = values.map((value) => [value]);
    expectInterval(estimate(samplesOf(...launches)), mean, mean - half, mean + half);
  });

  test('weighs all launches alike, however far off one is', () => {
    // s = √(2 × 30² + 60²) / √2 = 30 √3, so the standard error is 30.
    const half = 4.302653 * 30;
    expectInterval(estimate(samplesOf([10], [10], [100])), 40, 40 - half, 40 + half);
  });

  test('has the interval of another confidence where that is asked for', () => {
    // t(0.95, 2) = 2.919986
    const half = (2.919986 * 2) / Math.sqrt(3);
    expectInterval(estimate(samplesOf([10], [12], [14]), 0.9), 12, 12 - half, 12 + half);
  });

  test('takes launches as samples: more values of a launch make no narrower interval', () => {
    const few = estimate(samplesOf([10], [14]));
    const many = estimate(samplesOf(Array(50).fill(10), Array(50).fill(14)));
    expect(many).toEqual(few);
  });

  test('does not depend on the order of the samples', () => {
    const samples = samplesOf([10, 30, 20], [5, 6], [7]);
    expect(estimate([...samples].reverse())).toEqual(estimate(samples));
  });

  test('is a point from one launch, and none from nothing', () => {
    expect(estimate(samplesOf([3, 1, 2]))).toEqual({ kind: 'point', value: 2 });
    expect(estimate([])).toEqual({ kind: 'none' });
  });

  test('has an interval of no width where all launches agree', () => {
    expectInterval(estimate(samplesOf([5], [5], [5])), 5, 5, 5);
  });
});

/** One value for each launch from 0 on; null for a launch that has none. */
function inLaunches(...values: (number | null)[]): Sample[] {
  return values.flatMap((value, launch) => (value === null ? [] : [{ launch, value }]));
}

const OWN = inLaunches(12, 18, 33);
const OTHER = inLaunches(10, 20, 30);

describe('a difference', () => {
  test('is the mean of those within launches, with their t interval', () => {
    // 2, -2 and 3: mean 1, s = √7, half = 4.302653 × √7 / √3.
    expectInterval(difference({ own: OWN, other: OTHER }), 1, 1 - 6.572411, 1 + 6.572411);
  });

  test('leaves out what both sides share in a launch', () => {
    expectInterval(
      difference({ own: inLaunches(11, 501, 71), other: inLaunches(1, 491, 61) }),
      10,
      10,
      10,
    );
  });

  test('is as much less the other way round', () => {
    const there = difference({ own: OWN, other: OTHER });
    expect(difference({ own: OTHER, other: OWN })).toEqual(negated(there));
  });

  test.each<[string, Sides]>([
    ['own', { own: [...OWN, { launch: 3, value: 999 }], other: OTHER }],
    ['the other', { own: OWN, other: [...OTHER, { launch: 7, value: 999 }] }],
  ])('does not count launches that only %s side has', (_, sides) => {
    expect(difference(sides)).toEqual(difference({ own: OWN, other: OTHER }));
  });

  test('matches launches by their number, whatever their order', () => {
    const sides = { own: OWN.toReversed(), other: OTHER };
    expect(difference(sides)).toEqual(difference({ own: OWN, other: OTHER }));
  });

  test('adds up to the level exactly where both have the same launches', () => {
    const [level, base] = [OWN, OTHER].map((samples) => pointOf(estimate(samples)) ?? Number.NaN);
    const more = pointOf(difference({ own: OWN, other: OTHER })) ?? Number.NaN;
    expect([level, base, more]).toEqual([21, 20, 1]);
    expect(level).toBe((base ?? Number.NaN) + more);
  });

  test('is a point from one launch that both have, and none from nothing', () => {
    const other = inLaunches(null, 15);
    expect(difference({ own: OWN, other })).toEqual({ kind: 'point', value: 3 });
    expect(difference({ own: OWN, other: [] })).toEqual({ kind: 'none' });
    expect(difference({ own: inLaunches(1), other: inLaunches(null, 1) })).toEqual({
      kind: 'none',
    });
  });
});

describe('the sum of differences', () => {
  const [floor, middle, top] = [
    inLaunches(10, 20, 36),
    inLaunches(15, 24, 49),
    inLaunches(34, 45, 60),
  ];

  test('is the difference of the ends of a chain', () => {
    const chain = [
      { own: middle, other: floor },
      { own: top, other: middle },
    ];
    expect(differenceOfSums(chain)).toEqual(difference({ own: top, other: floor }));
    // 24, 25 and 24.
    expect(pointOf(differenceOfSums(chain))).toBeCloseTo(73 / 3, 12);
  });

  test('has a base that several terms share in it as often as they do', () => {
    // 5 + 24, 4 + 25 and 13 + 24: mean 95 / 3, s = √(64 / 3), standard error √64 / 3.
    const both = differenceOfSums([
      { own: middle, other: floor },
      { own: top, other: floor },
    ]);
    const half = (4.302653 * 8) / 3;
    expectInterval(both, 95 / 3, 95 / 3 - half, 95 / 3 + half);
  });

  test('counts the launches only that all terms have', () => {
    const short = inLaunches(15, null, 49);
    // 5 + 24 and 13 + 24.
    const sum = differenceOfSums([
      { own: short, other: floor },
      { own: top, other: floor },
    ]);
    expect(pointOf(sum)).toBe(33);
  });

  test('is none of no terms', () => {
    expect(differenceOfSums([])).toEqual({ kind: 'none' });
  });
});

describe('a ratio', () => {
  test('is that of the means, with the interval of its residuals', () => {
    // Means 21 and 20, so R = 1.05; a − R·b is 1.5, −3 and 1.5: s = √6.75, which over √3 and 20 is 0.075.
    const half = 4.302653 * 0.075;
    expectInterval(ratio({ own: OWN, other: OTHER }), 1.05, 1.05 - half, 1.05 + half);
  });

  test('is not the mean of the ratios of launches', () => {
    // Those are 3 and 1; the sums are 33 and 31.
    const sides = { own: inLaunches(3, 30), other: inLaunches(1, 30) };
    expect(pointOf(ratio(sides))).toBeCloseTo(33 / 31, 12);
  });

  test('has no width where one costs so many times as much in every launch, however fast that is', () => {
    expectInterval(
      ratio({ own: inLaunches(15, 150, 30), other: inLaunches(10, 100, 20) }),
      1.5,
      1.5,
      1.5,
    );
  });

  test('is one over it the other way round', () => {
    expect(pointOf(ratio({ own: OTHER, other: OWN }))).toBeCloseTo(1 / 1.05, 12);
  });

  test('does not depend on the unit', () => {
    const micro = (samples: Sample[]) => {
      return samples.map(({ launch, value }) => ({ launch, value: value / 1000 }));
    };
    const half = 4.302653 * 0.075;
    const sides = { own: micro(OWN), other: micro(OTHER) };
    expectInterval(ratio(sides), 1.05, 1.05 - half, 1.05 + half);
  });

  test('does not count launches that only one side has', () => {
    const known = ratio({ own: OWN, other: OTHER });
    const far = { launch: 3, value: 999 };
    expect(ratio({ own: [...OWN, far], other: OTHER })).toEqual(known);
    expect(ratio({ own: OWN, other: [...OTHER, far] })).toEqual(known);
  });

  test('is a point from one launch', () => {
    const sides = { own: OWN, other: inLaunches(null, 24) };
    expect(ratio(sides)).toEqual({ kind: 'point', value: 0.75 });
  });

  test('is 0 of nothing', () => {
    expectInterval(ratio({ own: inLaunches(0, 0), other: inLaunches(1, 3) }), 0, 0, 0);
  });

  test.each<[string, Sample[]]>([
    ['nothing', []],
    ['a base of 0', inLaunches(0, 0, 0)],
    ['a base below 0', inLaunches(-10, -20, -30)],
  ])('is none over %s', (_, other) => {
    expect(ratio({ own: OWN, other })).toEqual({ kind: 'none' });
  });
});

describe('shares', () => {
  test("are the differences of launches over the other's mean", () => {
    const found = shares({ own: OWN, other: OTHER });
    expect(found).toHaveLength(3);
    for (const [launch, share] of [0.1, -0.1, 0.15].entries()) {
      expect(found[launch]).toBeCloseTo(share, 12);
    }
  });

  test('take the mean of the launches only that both have', () => {
    expect(shares({ own: OWN, other: inLaunches(10, 20, null, 990) })).toHaveLength(2);
    expect(shares({ own: OWN, other: inLaunches(10, null, null, 990) })).toEqual([0.2]);
  });

  test('are none over what is not above 0', () => {
    expect(shares({ own: OWN, other: [] })).toEqual([]);
    expect(shares({ own: OWN, other: inLaunches(0, 0, 0) })).toEqual([]);
    expect(shares({ own: OWN, other: inLaunches(-1, -1, -1) })).toEqual([]);
  });
});

test('what is negated has its interval the other way round', () => {
  const interval = { kind: 'interval', value: 2, low: -1, high: 5 } as const;
  expect(negated(interval)).toEqual({ kind: 'interval', value: -2, low: -5, high: 1 });
  expect(negated({ kind: 'point', value: 3 })).toEqual({ kind: 'point', value: -3 });
  expect(negated({ kind: 'none' })).toEqual({ kind: 'none' });
});

describe('the lower quartile', () => {
  test('is one value of each launch, whatever the order of its samples', () => {
    const samples = samplesOf([10, 20, 30, 40, 50], [7], [3, 1]);
    const quartiles = samplesOf([20], [7], [1.5]);
    expect(lowerQuartiles(samples)).toEqual(quartiles);
    expect(lowerQuartiles([...samples].reverse()).toReversed()).toEqual(quartiles);
    expect(lowerQuartiles([])).toEqual([]);
  });

  test('is not moved by noise that adds to nearly half of the slices', () => {
    const quiet = samplesOf([10, 11, 12, 13, 14, 15, 16, 17, 18]);
    const noisy = samplesOf([10, 11, 12, 13, 14, 150, 160, 170, 180]);
    expect(lowerQuartiles(noisy)).toEqual(lowerQuartiles(quiet));
  });
});

test('launches are compared with the same ones of the other, where both have a finite value', () => {
  const samples = [5, 8, 9, 7].map((value, launch) => ({ launch, value }));
  const others = [
    { launch: 1, value: 4 },
    { launch: 0, value: 2 },
    { launch: 3, value: 0 },
  ];
  expect(betweenLaunches(samples, others, (a, b) => a / b)).toEqual([
    { launch: 0, value: 2.5 },
    { launch: 1, value: 2 },
  ]);
  expect(betweenLaunches(samples, [], (a, b) => a - b)).toEqual([]);
});

test('the standard error is that of the mean', () => {
  expect(standardError([10, 12, 14])).toBeCloseTo(2 / Math.sqrt(3));
  expect(standardError([5, 5])).toBe(0);
});

test('a rising function maps value and interval alike', () => {
  const twice = (value: number) => 2 * value;
  const interval = { kind: 'interval', value: 2, low: 1, high: 3 } as const;
  expect(mapEstimate(interval, twice)).toEqual({ kind: 'interval', value: 4, low: 2, high: 6 });
  expect(mapEstimate({ kind: 'point', value: 2 }, twice)).toEqual({ kind: 'point', value: 4 });
  expect(mapEstimate({ kind: 'none' }, twice)).toEqual({ kind: 'none' });
});

test('the point of an estimate is its value, or null', () => {
  expect(pointOf({ kind: 'interval', value: 2, low: 1, high: 3 })).toBe(2);
  expect(pointOf({ kind: 'point', value: 0 })).toBe(0);
  expect(pointOf({ kind: 'none' })).toBeNull();
});
