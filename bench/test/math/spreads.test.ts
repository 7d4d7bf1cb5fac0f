import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { mean } from 'simple-statistics';
import { describe, expect, test } from 'vitest';
import { spreadRatio } from '../../src/math/spreads.ts';
import { normal } from '../support/simulation.ts';

/** So many values with this standard deviation: equally spaced, around a mean that must not matter. */
function valuesWith(deviation: number, count: number, around = 7): number[] {
  const spaced = Array.from({ length: count }, (_, index) => index - (count - 1) / 2);
  const unit = Math.sqrt(spaced.reduce((sum, each) => sum + each ** 2, 0) / (count - 1));
  return spaced.map((each) => around + (each / unit) * deviation);
}

describe('how many times as far values spread as others', () => {
  test.each([
    // F(0.975) with these degrees of freedom, and with both exchanged, as tables of it have them.
    { count: 2, others: 2, upper: 647.789, exchanged: 647.789 },
    { count: 5, others: 5, upper: 9.6045, exchanged: 9.6045 },
    { count: 6, others: 6, upper: 7.1464, exchanged: 7.1464 },
    { count: 6, others: 3, upper: 39.2982, exchanged: 8.4336 },
    { count: 11, others: 21, upper: 2.7737, exchanged: 3.4185 },
  ])('has the F interval of $count and $others values', ({ count, others, upper, exchanged }) => {
    const found = spreadRatio(valuesWith(3, count), valuesWith(0.5, others, -2));
    if (found.kind !== 'interval') throw new Error(`${found.kind} is no interval`);
    expect(found.value).toBeCloseTo(6, 9);
    expect((found.value / found.low) ** 2 / upper).toBeCloseTo(1, 4);
    expect((found.high / found.value) ** 2 / exchanged).toBeCloseTo(1, 4);
  });

  test('is the inverse of the others beside the values', () => {
    const [wide, narrow] = [valuesWith(3, 6), valuesWith(2, 4)];
    const [there, back] = [spreadRatio(wide, narrow), spreadRatio(narrow, wide)];
    if (there.kind !== 'interval' || back.kind !== 'interval') throw new Error('no intervals');
    expect(there.value * back.value).toBeCloseTo(1, 9);
    expect(there.low * back.high).toBeCloseTo(1, 9);
    expect(there.high * back.low).toBeCloseTo(1, 9);
  });

  test.each([
    [[1], [1, 2]],
    [[1, 2], [1]],
    [[], []],
    [
      [1, 2],
      [3, 3],
    ],
    [
      [3, 3],
      [1, 2],
    ],
  ])('is not known of %j and %j', (values, others) => {
    expect(spreadRatio(values, others)).toEqual({ kind: 'none' });
  });

  test('has an interval that holds the true ratio in 93 to 97 % of cases', () => {
    const random = xoroshiro128plus(20261120);
    const draw = (deviation: number) => Array.from({ length: 5 }, () => deviation * normal(random));
    const held = Array.from({ length: 8000 }, () => {
      const found = spreadRatio(draw(8), draw(1));
      return found.kind === 'interval' && found.low <= 8 && found.high >= 8 ? 1 : 0;
    });
    expect(mean(held)).toBeGreaterThan(0.93);
    expect(mean(held)).toBeLessThan(0.97);
  });
});
