import { describe, expect, test } from 'vitest';
import { type CpuPairs, moreCpu } from '../../src/figures/figures.ts';
import { sumOfMore } from '../../src/figures/sums.ts';
import { estimateRatio, pointOf } from '../../src/math/statistics.ts';

/** One round in each launch, over a base of 100. */
function pairsOf(ratios: number[], base = 100): CpuPairs {
  return {
    ratios: ratios.map((value, launch) => ({ launch, value })),
    base: ratios.map((_, launch) => ({ launch, value: base })),
  };
}

const half = (of: ReturnType<typeof sumOfMore>) =>
  of.kind === 'interval' ? of.high - of.value : null;

describe('the sum of what things cost more', () => {
  const [first, second] = [pairsOf([1.1, 1.2, 1.3]), pairsOf([1.5, 1.4, 1.3], 200)];

  test('is that of the very figures that are shown for each', () => {
    const each = [first, second].map(({ base, ratios }) =>
      pointOf(moreCpu(base, estimateRatio(ratios))),
    );
    const sum = sumOfMore([
      { sign: 1, pairs: first },
      { sign: -1, pairs: second },
    ]);
    expect(pointOf(sum)).toBeCloseTo((each[0] ?? 0) - (each[1] ?? 0), 9);
  });

  test('of one thing is as well known as it is, nearly', () => {
    const alone = moreCpu(first.base, estimateRatio(first.ratios));
    const sum = sumOfMore([{ sign: 1, pairs: first }]);
    if (alone.kind !== 'interval') throw new Error('three launches give an interval');
    expect((half(sum) ?? 0) / ((alone.high - alone.low) / 2)).toBeCloseTo(1, 1);
  });

  test('is exact where what one is off by in a launch the other takes back', () => {
    const whole = pairsOf([1.1, 1.2, 1.3]);
    const rest = sumOfMore([
      { sign: 1, pairs: whole },
      { sign: -1, pairs: first },
    ]);
    expect(rest).toEqual({ kind: 'interval', value: 0, low: 0, high: 0 });
    const twice = sumOfMore([
      { sign: 1, pairs: whole },
      { sign: 1, pairs: first },
    ]);
    expect(half(twice)).toBeCloseTo(2 * (half(sumOfMore([{ sign: 1, pairs: first }])) ?? 0), 9);
  });

  test('is a point where there are fewer than two launches in common, and nothing where one is unknown', () => {
    const other: CpuPairs = { ratios: [{ launch: 7, value: 2 }], base: [{ launch: 7, value: 10 }] };
    expect(sumOfMore([{ sign: 1, pairs: pairsOf([1.5]) }])).toMatchObject({ kind: 'point' });
    const apart = [first, other].map((pairs) => ({ sign: 1, pairs }) as const);
    expect(sumOfMore(apart)).toMatchObject({ kind: 'point' });
    const unknown = [first, pairsOf([])].map((pairs) => ({ sign: 1, pairs }) as const);
    expect(sumOfMore(unknown)).toEqual({ kind: 'none' });
    expect(sumOfMore([])).toEqual({ kind: 'none' });
  });
});
