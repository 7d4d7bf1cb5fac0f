import { expect, test } from 'vitest';
import { findPrices, priceVerdict } from '../../../src/studies/price/findings.ts';
import { VARIANTS } from '../../../src/studies/price/plan.ts';
import { priceRecordOf } from '../../../src/studies/price/record.ts';
import { around } from '../../support/estimates.ts';
import { interval } from '../../support/make-record.ts';
import { makePriceRecord, makePriceRun } from './make-price-record.ts';

test('a price record has the variant of each slice of a run, and what it took', () => {
  const COSTS = { standard: 10, sampled: 11, alone: 12, unpinned: 13, unverified: 14 };
  const made = makePriceRun((variant) => COSTS[variant]);
  const run = { ...made, wallNs: 9e9 };
  const { slices, ...rest } = priceRecordOf(run);
  expect(rest).toMatchObject({
    ...{ schema: 'overhead.price', version: 2, state: 'complete', launches: 3, rounds: 5 },
    ...{ seed: run.plan.seed, startedAt: run.startedAt, machine: run.machine, wallNs: 9e9 },
    ...{ sliceNs: 0.3e9, variants: VARIANTS, neighbours: 10 },
  });
  for (const { variant, cpuNs, responses, windowNs } of slices) {
    expect({ responses, windowNs }).toEqual({ responses: 20_000, windowNs: 0.3e9 });
    expect(cpuNs).toBeCloseTo(COSTS[variant] * 1000 * 20_000);
  }
  const rounds = Map.groupBy(slices, ({ launch, round }) => `${launch} ${round}`);
  expect(rounds.size).toBe(3 * 5);
  for (const own of rounds.values()) {
    expect(own.map(({ variant }) => variant).sort()).toEqual(VARIANTS.toSorted());
  }
});

// Costs that no two ratios have in common; the machine is slower from launch to launch.
const COSTS = { standard: 10, sampled: 10.1, alone: 9, unpinned: 8, unverified: 12.5 };
const record = makePriceRecord((variant, launch) => COSTS[variant] * (1 + launch));
const first = (of: typeof record) => findPrices(of)[0];

test('a price is the ratio of with over without, within rounds', () => {
  expect(findPrices(record).map(({ name, ratio }) => [name, ratio])).toEqual([
    ['sampling', around(1.01, 0, 2)],
    ['verification', around(0.8, 0, 2)],
    ['neighbours', around(10 / 9, 0, 2)],
    ['pinning', around(1.25, 0, 2)],
  ]);
});

test('a price comes from the rounds that have both, and from slices with answers', () => {
  const partial = makePriceRecord((variant, launch, round) => {
    if (launch === 1 && round === 0) return variant === 'standard' ? null : 1;
    if (launch === 2) return variant === 'sampled' ? null : 1;
    return COSTS[variant];
  });
  const slices = record.slices.map((slice) => {
    return slice.round === 0 ? slice : { ...slice, cpuNs: 0, responses: 0 };
  });
  for (const each of [partial, { ...record, slices }]) {
    const ratio = { kind: 'interval', value: expect.closeTo(1.01) };
    expect(first(each)).toMatchObject({ name: 'sampling', ratio });
  }
});

test.each([
  { ratio: interval(1, 0.99, 1.0099), verdict: 'below' },
  { ratio: interval(0.9, 0.85, 0.95), verdict: 'below' },
  { ratio: interval(1.005, 0.99, 1.02), verdict: "can't tell" },
  { ratio: interval(1.02, 1.005, 1.035), verdict: "can't tell" },
  { ratio: interval(1.02, 1.0101, 1.03), verdict: 'above' },
  { ratio: { kind: 'point', value: 1.5 }, verdict: "can't tell" },
  { ratio: { kind: 'none' }, verdict: "can't tell" },
] as const)('a price is $verdict for $ratio', ({ ratio, verdict }) => {
  expect(priceVerdict(ratio)).toBe(verdict);
});
