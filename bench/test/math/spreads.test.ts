import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { mean } from 'simple-statistics';
import { expect, test } from 'vitest';
import { spreadRatio } from '../../src/math/statistics.ts';
import { NONE } from '../support/estimates.ts';
import { normal } from '../support/simulation.ts';

/** So many values with this standard deviation: equally spaced, around a mean that must not matter. */
function valuesWith(deviation: number, count: number, around = 7): number[] {
  const spaced = Array.from({ length: count }, (_, index) => index - (count - 1) / 2);
  const unit = Math.sqrt(spaced.reduce((sum, each) => sum + each ** 2, 0) / (count - 1));
  return spaced.map((each) => around + (each / unit) * deviation);
}

function intervalOf(values: number[], others: number[]) {
  const found = spreadRatio(values, others);
  if (found.kind !== 'interval') throw new Error(`${found.kind} is no interval`);
  return found;
}

test.each([
  // F(0.975) with these degrees of freedom, and with both exchanged, from tables.
  { count: 2, others: 2, upper: 647.789, exchanged: 647.789 },
  { count: 5, others: 5, upper: 9.6045, exchanged: 9.6045 },
  { count: 6, others: 6, upper: 7.1464, exchanged: 7.1464 },
  { count: 6, others: 3, upper: 39.2982, exchanged: 8.4336 },
  { count: 11, others: 21, upper: 2.7737, exchanged: 3.4185 },
])('the ratio has the F interval of $count and $others values', ({ count, others, ...f }) => {
  const { value, low, high } = intervalOf(valuesWith(3, count), valuesWith(0.5, others, -2));
  expect(value).toBeCloseTo(6, 9);
  expect((value / low) ** 2 / f.upper).toBeCloseTo(1, 4);
  expect((high / value) ** 2 / f.exchanged).toBeCloseTo(1, 4);
});

test('the ratio is the inverse of that the other way round', () => {
  const [wide, narrow] = [valuesWith(3, 6), valuesWith(2, 4)];
  const [there, back] = [intervalOf(wide, narrow), intervalOf(narrow, wide)];
  expect(there.value * back.value).toBeCloseTo(1, 9);
  expect(there.low * back.high).toBeCloseTo(1, 9);
  expect(there.high * back.low).toBeCloseTo(1, 9);
});

const [TWO, SAME] = [
  [1, 2],
  [3, 3],
];
test.each([
  [[1], TWO],
  [TWO, [1]],
  [[], []],
  [TWO, SAME],
  [SAME, TWO],
])('the ratio of %j to %j is unknown', (values = [], others = []) => {
  expect(spreadRatio(values, others)).toEqual(NONE);
});

test('the interval holds the true ratio in 93 to 97 % of cases', () => {
  const random = xoroshiro128plus(20261120);
  const draw = (deviation: number) => Array.from({ length: 5 }, () => deviation * normal(random));
  const held = Array.from({ length: 8000 }, () => {
    const { low, high } = intervalOf(draw(8), draw(1));
    return low <= 8 && high >= 8 ? 1 : 0;
  });
  expect(mean(held)).toBeGreaterThan(0.93);
  expect(mean(held)).toBeLessThan(0.97);
});
