import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  changeBetween,
  difference,
  differenceOfSums,
  type Estimate,
  estimate,
  inEachLaunch,
  logRatios,
  lowerQuartiles,
  mapEstimate,
  pointOf,
  ratio,
  type Sample,
  type Sides,
  spreadRatio,
} from '../../src/math/statistics.ts';
import { around, inLaunches, NONE } from '../support/estimates.ts';
import { interval } from '../support/make-record.ts';
import { property } from '../support/random.ts';

const point = (value: number) => ({ kind: 'point' as const, value });

test.each<[values: number[], confidence: number | undefined, object]>([
  [[], undefined, NONE],
  [[2], undefined, point(2)],
  // t(0.975, 1) = 12.7062, s = 7.0711: half = 12.7062 × 7.0711 / √2
  [[10, 20], undefined, around(15, 63.531, 4)],
  // t(0.975, 2) = 4.30265 and t(0.95, 2) = 2.919986, s = 2: half = t × 2 / √3
  [[10, 12, 14], undefined, around(12, 4.968275, 4)],
  [[10, 12, 14], 0.9, around(12, (2.919986 * 2) / Math.sqrt(3), 4)],
  // All launches have the same weight: s = 30 √3, so the standard error is 30.
  [[10, 10, 100], undefined, around(40, 4.302653 * 30, 4)],
  // t(0.975, 5) = 2.570582, s = √3.5: half = 2.570582 × √3.5 / √6
  [[1, 2, 3, 4, 5, 6], undefined, around(3.5, 1.963303, 4)],
  [[5, 5, 5], undefined, around(5, 0, 4)],
])('an estimate over the launches %j has the t interval of its confidence, %s', (...given) => {
  const [values, confidence, found] = given;
  expect(estimate(inLaunches(...values), confidence)).toEqual(found);
});

const OWN = inLaunches(12, 18, 33);
const OTHER = inLaunches(10, 20, 30);
const SIDES: Sides = { own: OWN, other: OTHER };
const over = (other: Sample[], ...all: Sample[][]): Sides[] => all.map((own) => ({ own, other }));

test('a difference has the t interval over launches that both sides have', () => {
  // 2, -2 and 3: mean 1, s = √7.
  const found = around(1, 4.302653 * Math.sqrt(7 / 3), 4);
  const far = { launch: 7, value: 999 };
  const more = [...over([far, ...OTHER.toReversed()], OWN), ...over(OTHER, [...OWN, far])];
  for (const sides of [SIDES, ...more]) expect(difference(sides)).toEqual(found);
  const few = [...over(inLaunches(null, 24), OWN, inLaunches(1)), ...over([], OWN)];
  expect(few.map((sides) => difference(sides))).toEqual([point(-6), NONE, NONE]);
});

const floor = inLaunches(10, 20, 36);
const middle = inLaunches(15, 24, 49);
const top = inLaunches(34, 45, 60);

test('the sum of differences is the difference between the ends of a chain', () => {
  const chain = [...over(floor, middle), ...over(middle, top)];
  expect(differenceOfSums(chain)).toEqual(difference({ own: top, other: floor }));
});

test('the sum of differences counts a common base once for each term, in launches that all terms have', () => {
  // 5 + 24, 4 + 25 and 13 + 24: mean 95 / 3, s = √(64 / 3), standard error √64 / 3.
  expect(differenceOfSums(over(floor, middle, top))).toEqual(around(95 / 3, (4.302653 * 8) / 3, 4));
  // 5 + 24 and 13 + 24.
  expect(pointOf(differenceOfSums(over(floor, inLaunches(15, null, 49), top)))).toBe(33);
  expect(differenceOfSums([])).toEqual(NONE);
});

test('a ratio has the t interval on the log scale, over launches that both sides have', () => {
  const sides = { own: inLaunches(2, 80, 7), other: inLaunches(1, 10).toReversed() };
  const logOf = (of: Sides) => mapEstimate(ratio(of), Math.log);
  // Logarithms ln 2 and ln 8: mean ln 4, standard error ln 2; t(0.975, 1) is 12.7062.
  const half = 12.7062 * Math.log(2);
  expect(logOf(sides)).toEqual(around(Math.log(4), half, 3));
  expect(logOf({ own: sides.other, other: sides.own })).toEqual(around(-Math.log(4), half, 3));
  expect(ratio({ own: inLaunches(10, 150, 30), other: inLaunches(4, 60, 12) })).toEqual(
    around(2.5, 0, 4),
  );
  expect(ratio({ own: OWN, other: inLaunches(null, 24) })).toEqual(point(expect.closeTo(0.75, 12)));
});

test.each<[string, own: number[], other: number[]]>([
  ['no launch is common', [], [1]],
  ['the first side is 0 in a launch', [0, 5], [1, 2]],
  ['the second is', [12, 18, 33], [0, 4, 5]],
  ['one is less than 0', [12, 18, 33], [-10, 20, 30]],
])('there is no ratio if %s', (_, own, other) => {
  const sides = { own: inLaunches(...own), other: inLaunches(...other) };
  expect(logRatios(sides)).toEqual([]);
  expect(ratio(sides)).toEqual(NONE);
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
      expect(scaled[end] / there[end]).toBeCloseTo(1, 6);
    }
  },
);

test('launches are combined with the same ones of the other side, if the result is finite', () => {
  const [sides] = over(inLaunches(2, 4, null, 0).toReversed(), inLaunches(5, 8, 9, 7));
  expect(sides && inEachLaunch(sides, (a, b) => a / b)).toEqual(inLaunches(2.5, 2));
});

test('the lower quartile of each launch does not depend on order, nor on noise in nearly half', () => {
  const noisy = [10, 11, 12, 13, 14, 150, 160, 170, 180];
  const launches = [[10, 20, 30, 40, 50], [7], [3, 1], noisy];
  const samples = launches.flatMap((values, launch) => values.map((value) => ({ launch, value })));
  const quartiles = inLaunches(20, 7, 1.5, 12);
  expect(lowerQuartiles(samples)).toEqual(quartiles);
  expect(lowerQuartiles(samples.toReversed()).toReversed()).toEqual(quartiles);
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

/** So many values with this standard deviation: equally spaced, around a mean that must not matter. */
const valuesWith = (deviation: number, count: number, around = 7) => {
  const spaced = Array.from({ length: count }, (_, index) => index - (count - 1) / 2);
  const unit = Math.sqrt(spaced.reduce((sum, each) => sum + each ** 2, 0) / (count - 1));
  return spaced.map((each) => around + (each / unit) * deviation);
};
const intervalOf = (values: number[], others: number[]) => {
  const found = spreadRatio(values, others);
  if (found.kind !== 'interval') throw new Error(`${found.kind} is no interval`);
  return found;
};

test.each([
  // F(0.975) with these degrees of freedom, and with both exchanged, from tables.
  { count: 2, others: 2, upper: 647.789, exchanged: 647.789 },
  { count: 5, others: 5, upper: 9.6045, exchanged: 9.6045 },
  { count: 6, others: 6, upper: 7.1464, exchanged: 7.1464 },
  { count: 6, others: 3, upper: 39.2982, exchanged: 8.4336 },
  { count: 11, others: 21, upper: 2.7737, exchanged: 3.4185 },
])('the ratio of spreads has the F interval of $count and $others', ({ count, others, ...f }) => {
  const { value, low, high } = intervalOf(valuesWith(3, count), valuesWith(0.5, others, -2));
  expect(value).toBeCloseTo(6, 9);
  expect((value / low) ** 2 / f.upper).toBeCloseTo(1, 4);
  expect((high / value) ** 2 / f.exchanged).toBeCloseTo(1, 4);
});

test('the ratio of spreads of too few values, or of any to some without a spread, is unknown', () => {
  for (const few of [[], [1], [3, 3]]) {
    expect([spreadRatio(few, [1, 2]), spreadRatio([1, 2], few)]).toEqual([NONE, NONE]);
  }
});
