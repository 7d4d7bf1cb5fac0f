import { expect, test } from 'vitest';
import { cellOf, type Plan } from '../../../src/plan/plan.ts';
import { makePricePlan, VARIANTS, variantOf } from '../../../src/studies/price/plan.ts';
import { truth } from '../../../src/suites/truth.ts';
import type { Machine } from '../../../src/system/machine.ts';
import { userError } from '../../support/caught.ts';
import { makeMachine, makeOptions } from '../../support/make-record.ts';

/** Four launches of five rounds. */
function planOn(parts: Partial<Machine> = {}, seed = 1): Plan {
  const load = { connections: 100, pipelining: 10, durationS: 6, sliceS: 0.3, launches: 4 };
  return makePricePlan(truth, makeOptions({ ...load, seed }), makeMachine(parts));
}

function groupsOf({ launches }: Plan) {
  return launches.map((groups) => {
    const [group] = groups;
    if (group === undefined || groups.length > 1) throw new Error('there is not one group');
    return group;
  });
}

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
