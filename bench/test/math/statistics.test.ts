import { describe, expect, test } from 'vitest';
import {
  betweenLaunches,
  type Estimate,
  estimate,
  estimateRatio,
  launchLogRatios,
  lowerQuartiles,
  mapEstimate,
  pointOf,
  type Sample,
  spreadOf,
  standardError,
} from '../../src/math/statistics.ts';

/** Samples of launches: one list of values, by round, for each. */
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

  test('takes the median of each launch, so that a burst of noise is dropped', () => {
    const quiet = samplesOf([10, 10, 10, 10, 10], [14, 14, 14, 14, 14]);
    const burst = samplesOf([10, 900, 10, 10, 800], [14, 14, 0, 14, 14]);
    expect(estimate(burst)).toEqual(estimate(quiet));
  });

  test('takes launches, not rounds, as samples: more rounds make no narrower interval', () => {
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

describe('an estimated ratio', () => {
  const ratios = samplesOf([2, 2.2], [2.5], [1.8]);

  test('is the geometric mean, with an interval symmetric in log', () => {
    const found = estimateRatio(samplesOf([2], [8]));
    // Logs ln 4 ± ln 2: s = ln 2 × √2, half = 12.7062 × ln 2
    const factor = Math.exp(12.706205 * Math.log(2));
    if (found.kind !== 'interval') throw new Error(`${found.kind} is no interval`);
    expect(found.value).toBeCloseTo(4);
    expect(found.high / found.value / factor).toBeCloseTo(1, 4);
    expect(found.value / found.low / factor).toBeCloseTo(1, 4);
  });

  test('agrees with the estimate of the inverse ratio', () => {
    const inverse = ratios.map(({ launch, value }) => ({ launch, value: 1 / value }));
    const there = estimateRatio(ratios.filter(({ value }) => value !== 2.2));
    const back = estimateRatio(inverse.filter(({ value }) => value !== 1 / 2.2));
    if (there.kind !== 'interval') throw new Error(`${there.kind} is no interval`);
    expectInterval(back, 1 / there.value, 1 / there.high, 1 / there.low);
  });

  test('leaves out samples that have no logarithm', () => {
    const usable = estimateRatio(ratios);
    expect(estimateRatio([...ratios, { launch: 0, value: 0 }, { launch: 1, value: -1 }])).toEqual(
      usable,
    );
  });

  test('is a point from one launch, and none from nothing', () => {
    expect(estimateRatio([{ launch: 4, value: 1 }])).toEqual({ kind: 'point', value: 1 });
    expect(estimateRatio([{ launch: 0, value: 0 }])).toEqual({ kind: 'none' });
  });
});

test('the log ratios of launches are medians of logs, of launches that have any', () => {
  const found = launchLogRatios(samplesOf([Math.E, 1, 1e9], [0, -1], [Math.E ** -2]));
  expect(found).toHaveLength(2);
  expect(found[0]).toBeCloseTo(1);
  expect(found[1]).toBeCloseTo(-2);
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
  expect(standardError(spreadOf([10, 12, 14]), 3)).toBeCloseTo(2 / Math.sqrt(3));
  expect(standardError(spreadOf([5, 5]), 2)).toBe(0);
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
