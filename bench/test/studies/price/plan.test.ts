import { describe, expect, test } from 'vitest';
import { cellOf, type Plan } from '../../../src/plan/plan.ts';
import { makePricePlan, VARIANTS, variantOf } from '../../../src/studies/price/plan.ts';
import { truth } from '../../../src/suites/truth.ts';
import type { Machine } from '../../../src/system/machine.ts';
import { userError } from '../../support/caught.ts';
import { makeMachine, makeOptions } from '../../support/make-record.ts';

const OPTIONS = makeOptions({
  connections: 100,
  pipelining: 10,
  durationS: 6,
  sliceS: 0.3,
  launches: 4,
});

function planOn(machine: Machine, options = OPTIONS): Plan {
  return makePricePlan(truth, options, machine);
}

/** The only group of each launch. */
function groupsOf({ launches }: Plan) {
  return launches.map((groups) => {
    const [group] = groups;
    if (group === undefined || groups.length > 1) throw new Error('there is not one group');
    return group;
  });
}

/** The variants of each round, launch by launch. */
function variantsIn(plan: Plan): string[][] {
  return groupsOf(plan).flatMap(({ rounds }, launch) =>
    rounds.map((order) => order.map((id) => variantOf(plan, launch, id))),
  );
}

describe('the plan of a price run', () => {
  const plan = planOn(makeMachine());

  test('has a slice of every variant in each round, in an order that changes', () => {
    expect(plan.launches).toHaveLength(4);
    const rounds = variantsIn(plan);
    expect(rounds).toHaveLength(4 * 5);
    for (const round of rounds) expect(round.toSorted()).toEqual(VARIANTS.toSorted());
    expect(new Set(rounds.map((round) => round.join())).size).toBeGreaterThan(10);
  });

  test('is the same for the same seed, and another one for another', () => {
    expect(planOn(makeMachine())).toEqual(plan);
    const other = planOn(makeMachine(), { ...OPTIONS, seed: 2 });
    expect(variantsIn(other)).not.toEqual(variantsIn(plan));
  });

  test('verifies each twin in every other launch, and looks at the other as it is', () => {
    const unverified = groupsOf(plan).map((group) => group.unverified);
    const [a, b] = [['twin-a/single'], ['twin-b/single']];
    expect(unverified).toEqual([b, a, b, a]);
    for (const { cells, unverified: own } of groupsOf(plan)) {
      const looked = cells.map((id) => cellOf(plan, id));
      const [other, ...more] = looked.filter(({ server }) => own.includes(server));
      expect(other).toMatchObject({ arrangement: 'standard' });
      expect(more).toEqual([]);
      expect(new Set(looked.map(({ server }) => server)).size).toBe(2);
    }
  });

  test('has each cell that it measures, and all of them are of the twins', () => {
    const measured = new Set(groupsOf(plan).flatMap(({ cells }) => cells));
    expect([...measured].sort()).toEqual(plan.cells.map(({ id }) => id).sort());
    expect(new Set(plan.cells.map(({ target }) => target))).toEqual(new Set(['twin-a', 'twin-b']));
  });

  test('is under the cost load', () => {
    expect(plan.loads).toMatchObject([{ id: 'cost', connections: 100, pipelining: 10 }]);
  });

  test.each([
    { what: 'processes can not be pinned', machine: makeMachine({ canPin: false }) },
    { what: 'there is one core', machine: makeMachine({ cores: [0], parallelism: 1 }) },
  ])('leaves pinning out where $what', ({ machine }) => {
    const variants = VARIANTS.filter((variant) => variant !== 'unpinned');
    for (const round of variantsIn(planOn(machine))) {
      expect(round.toSorted()).toEqual(variants.toSorted());
    }
    expect(planOn(machine).cells.map(({ arrangement }) => arrangement)).not.toContain('unpinned');
  });

  test('has ten neighbours, or as many as memory allows', () => {
    const neighboursIn = (memoryAvailableBytes: number) => {
      const groups = groupsOf(planOn(makeMachine({ memoryAvailableBytes })));
      const [count, ...others] = new Set(
        groups.map(({ idle }) => new Set(idle.map(({ server }) => server)).size),
      );
      expect(others).toEqual([]);
      return count;
    };
    expect(neighboursIn(30e9)).toBe(10);
    // 75 % of it holds seven processes of 200 MB beside 700 MB; two of them are the twins.
    expect(neighboursIn(3e9)).toBe(5);
    expect(neighboursIn(1.5e9)).toBe(0);
  });

  test('is refused where memory does not hold both twins', () => {
    // For one there would be enough.
    const small = makeMachine({ memoryAvailableBytes: 1.3e9 });
    expect(userError(() => planOn(small)).message).toMatch(/not enough memory/);
  });
});
