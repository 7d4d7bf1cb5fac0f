import { describe, expect, test } from 'vitest';
import { makePricePlan, VARIANTS } from '../../../src/studies/price/plan.ts';
import { userError } from '../../support/caught.ts';
import { makeMachine, makeOptions } from '../../support/make-record.ts';

const OPTIONS = makeOptions({
  suite: 'truth',
  connections: 100,
  pipelining: 10,
  durationS: 6,
  sliceS: 0.3,
  launches: 4,
});

describe('the plan of a price run', () => {
  const plan = makePricePlan(OPTIONS, makeMachine());

  test('has every variant once in each round, in an order that changes', () => {
    expect(plan.launches).toHaveLength(4);
    const rounds = plan.launches.flatMap((launch) => launch.rounds);
    expect(rounds).toHaveLength(4 * 5);
    for (const round of rounds) expect(round.toSorted()).toEqual(VARIANTS.toSorted());
    expect(new Set(rounds.map((round) => round.join())).size).toBeGreaterThan(10);
  });

  test('is the same for the same seed, and another one for another', () => {
    expect(makePricePlan(OPTIONS, makeMachine())).toEqual(plan);
    const other = makePricePlan({ ...OPTIONS, seed: 2 }, makeMachine());
    expect(other.launches).not.toEqual(plan.launches);
  });

  test('verifies each twin in every other launch', () => {
    const pairs = plan.launches.map((launch) => [launch.verified.target, launch.unverified.target]);
    const [first, second] = pairs;
    expect(first).toEqual(['twin-a', 'twin-b']);
    expect(second).toEqual(['twin-b', 'twin-a']);
    expect(pairs.slice(2)).toEqual([first, second]);
  });

  test('is under the cost load', () => {
    expect(plan.base.loads).toMatchObject([{ id: 'cost', connections: 100, pipelining: 10 }]);
  });

  test.each([
    { what: 'processes can not be pinned', machine: makeMachine({ canPin: false }) },
    { what: 'there is one core', machine: makeMachine({ cores: [0], parallelism: 1 }) },
  ])('leaves pinning out where $what', ({ machine }) => {
    const { variants, launches } = makePricePlan(OPTIONS, machine);
    expect(variants).toEqual(VARIANTS.filter((variant) => variant !== 'unpinned'));
    for (const round of launches.flatMap(({ rounds }) => rounds)) {
      expect(round.toSorted()).toEqual(variants.toSorted());
    }
  });

  test('has ten neighbours, or as many as memory allows', () => {
    const neighboursIn = (memoryAvailableBytes: number) => {
      const { neighbours } = makePricePlan(OPTIONS, makeMachine({ memoryAvailableBytes }));
      return new Set(neighbours.map(({ server }) => server)).size;
    };
    expect(neighboursIn(30e9)).toBe(10);
    // 75 % of it holds seven processes of 200 MB beside 700 MB; two of them are the twins.
    expect(neighboursIn(3e9)).toBe(5);
    expect(neighboursIn(1.5e9)).toBe(0);
  });

  test('is refused where memory does not hold both twins', () => {
    // For one there would be enough.
    const small = makeMachine({ memoryAvailableBytes: 1.3e9 });
    expect(userError(() => makePricePlan(OPTIONS, small)).message).toMatch(/not enough memory/);
  });
});
