import { expect, test } from 'vitest';
import { VARIANTS } from '../../../src/studies/price/plan.ts';
import { priceRecordOf } from '../../../src/studies/price/record.ts';
import { makePriceRun } from './make-price-record.ts';

test('a price record has the variant of each slice of a run, and what it took', () => {
  const COSTS = { standard: 10, sampled: 11, alone: 12, unpinned: 13, unverified: 14 };
  const made = makePriceRun((variant) => COSTS[variant], { launches: 2 });
  const run = { ...made, wallNs: 9e9 };
  const { slices, ...rest } = priceRecordOf(run);
  expect(rest).toMatchObject({
    ...{ schema: 'overhead.price', version: 2, state: 'complete', launches: 2, rounds: 5 },
    ...{ seed: run.plan.seed, startedAt: run.startedAt, machine: run.machine, wallNs: 9e9 },
    ...{ sliceNs: 0.3e9, variants: VARIANTS, neighbours: 10 },
  });
  for (const { variant, cpuNs, responses, windowNs } of slices) {
    expect({ responses, windowNs }).toEqual({ responses: 20_000, windowNs: 0.3e9 });
    expect(cpuNs).toBeCloseTo(COSTS[variant] * 1000 * 20_000);
  }
  const rounds = Map.groupBy(slices, ({ launch, round }) => `${launch} ${round}`);
  expect(rounds.size).toBe(2 * 5);
  for (const own of rounds.values()) {
    expect(own.map(({ variant }) => variant).sort()).toEqual(VARIANTS.toSorted());
  }
});
