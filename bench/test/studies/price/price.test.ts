/** The study of prices: its plan, what it keeps of a run, and the price of each arrangement. */
import { expect, test } from 'vitest';
import { cellOf, type Plan } from '../../../src/plan/plan.ts';
import { findPrices, priceVerdict } from '../../../src/studies/price/findings.ts';
import { makePricePlan, VARIANTS, variantOf } from '../../../src/studies/price/plan.ts';
import { priceRecordOf } from '../../../src/studies/price/record.ts';
import { truth } from '../../../src/suites/truth.ts';
import type { Machine } from '../../../src/system/machine.ts';
import { userError } from '../../support/caught.ts';
import { around } from '../../support/estimates.ts';
import { interval, makeMachine, makeOptions } from '../../support/make-record.ts';
import { makePriceRecord, makePriceRun } from './make-price-record.ts';

/** Four launches of five rounds. */
function planOn(parts: Partial<Machine> = {}, seed = 1): Plan {
  const load = { connections: 100, pipelining: 10, durationS: 6, sliceS: 0.3, launches: 4 };
  return makePricePlan(truth, makeOptions({ ...load, seed }), makeMachine(parts));
}

const groupsOf = ({ launches }: Plan) => launches.flat();

function variantsIn(plan: Plan): string[][] {
  return groupsOf(plan).flatMap(({ rounds }, launch) => {
    return rounds.map((order) => order.map((id) => variantOf(plan, launch, id)));
  });
}

const plan = planOn();
const groups = groupsOf(plan);

test('a price run has a slice of every variant in each round, in an order that changes with the seed', () => {
  const rounds = variantsIn(plan);
  expect([groups.length, rounds.length]).toEqual([4, 4 * 5]);
  for (const round of rounds) expect(round.toSorted()).toEqual(VARIANTS.toSorted());
  expect(new Set(rounds.map((round) => round.join())).size).toBeGreaterThan(10);
  expect(planOn()).toEqual(plan);
  expect(variantsIn(planOn({}, 2))).not.toEqual(rounds);
});

test('a price run verifies each twin in every other launch, and looks at the other as it is', () => {
  const [a, b] = ['twin-a/single', 'twin-b/single'];
  expect(groups.flatMap(({ unverified }) => unverified)).toEqual([b, a, b, a]);
  for (const { cells, unverified } of groups) {
    const measured = cells.map((id) => cellOf(plan, id));
    const others = measured.filter(({ server }) => unverified.includes(server));
    expect(others.map(({ arrangement }) => arrangement)).toEqual(['standard']);
    expect(new Set(measured.map(({ server }) => server)).size).toBe(2);
  }
});

test('a price run has each cell that it measures, all of the twins and under the cost load', () => {
  const measured = new Set(groups.flatMap(({ cells }) => cells));
  expect([...measured].sort()).toEqual(plan.cells.map(({ id }) => id).sort());
  expect(new Set(plan.cells.map(({ target }) => target))).toEqual(new Set(['twin-a', 'twin-b']));
  expect(plan.loads).toMatchObject([{ id: 'cost', connections: 100, pipelining: 10 }]);
});

test.each([
  { what: 'processes can not be pinned', machine: { canPin: false } },
  { what: 'there is one core', machine: { cores: [0], parallelism: 1 } },
])('a price run leaves pinning out if $what', ({ machine }) => {
  const variants = VARIANTS.filter((variant) => variant !== 'unpinned').toSorted();
  for (const round of variantsIn(planOn(machine))) expect(round.toSorted()).toEqual(variants);
  expect(planOn(machine).cells.map(({ arrangement }) => arrangement)).not.toContain('unpinned');
});

test.each([
  [30e9, 10],
  // 75 % of it holds seven processes of 200 MB beside 700 MB; two of them are the twins.
  [3e9, 5],
  [1.5e9, 0],
])('a price run has ten neighbours, or what memory allows: of %d bytes', (bytes, neighbours) => {
  const idle = groupsOf(planOn({ memoryAvailableBytes: bytes })).map((group) => {
    return new Set(group.idle.map(({ server }) => server)).size;
  });
  expect(new Set(idle)).toEqual(new Set([neighbours]));
  // Enough for one of the twins.
  const refused = userError(() => planOn({ memoryAvailableBytes: 1.3e9 }));
  expect(refused.message).toMatch(/not enough memory/);
});

// Costs that no two ratios have in common; the machine is slower from launch to launch.
const COSTS = { standard: 10, sampled: 10.1, alone: 9, unpinned: 8, unverified: 12.5 };
const record = makePriceRecord((variant, launch) => COSTS[variant] * (1 + launch));

test('a price record has the variant of each slice of a run, and what it took', () => {
  const run = { ...makePriceRun((variant) => COSTS[variant]), wallNs: 9e9 };
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
});

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
    expect(findPrices(each)[0]).toMatchObject({ name: 'sampling', ratio });
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
