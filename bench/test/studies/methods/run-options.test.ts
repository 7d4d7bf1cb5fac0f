import { describe, expect, test } from 'vitest';
import { makePlan } from '../../../src/plan/make-plan.ts';
import { type Method, methodOptions } from '../../../src/studies/methods/run-options.ts';
import { frameworks } from '../../../src/suites/frameworks.ts';
import { makeMachine, makeOptions, makeTarget } from '../../support/make-record.ts';

const NAMES = ['express-a', 'express-b', 'fastify-a', 'fastify-b'];

function planOf(method: Method, wallS: number, seed = 1) {
  const targets = NAMES.map((name) => makeTarget(name));
  return makePlan(frameworks, optionsOf(method, wallS, seed), targets, makeMachine());
}

function optionsOf(method: Method, wallS: number, seed = 1) {
  return methodOptions(makeOptions(), method, wallS, seed);
}

/** The order of the targets in each round of each group. */
function ordersOf(method: Method, seed: number): string[] {
  const { launches } = planOf(method, 75, seed);
  return launches.flat().flatMap(({ rounds }) => rounds.map((order) => order.join()));
}

describe.each(['classic', 'sliced'] as const)('the %s way', (method) => {
  test('loads single processes of all four servers with 100 connections of 10 requests', () => {
    const { cells, loads, probes } = planOf(method, 75);
    expect(loads).toMatchObject([{ connections: 100, pipelining: 10 }]);
    expect(cells.map(({ server }) => server)).toEqual(NAMES.map((name) => `${name}/single`));
    expect(probes).toEqual([]);
  });

  test.each([8, 15, 40, 75, 300])('has windows that leave time for the rest of %d s', (wallS) => {
    const { durationS } = optionsOf(method, wallS);
    expect(durationS * NAMES.length).toBeGreaterThan(wallS * 0.2);
    expect(durationS * NAMES.length).toBeLessThan(wallS - 1);
  });
});

describe('the classic way', () => {
  test('measures each server once, unbroken, without a warm-up', () => {
    const plan = planOf('classic', 75);
    expect(plan).toMatchObject({ rounds: 1, warmup: { kind: 'none' } });
    expect(plan.loads).toMatchObject([{ method: 'contiguous' }]);
    expect(plan.launches).toHaveLength(1);
    expect(plan.groups.map((cells) => cells.length)).toEqual([1, 1, 1, 1]);
  });

  test('measures them in order, whatever the seed', () => {
    const inOrder = NAMES.map((name) => `${name}/single/custom`);
    for (const seed of [1, 2, 3]) expect(ordersOf('classic', seed)).toEqual(inOrder);
  });

  test('has all the wall time but the four starts', () => {
    const spent = (wallS: number) => wallS - 4 * optionsOf('classic', wallS).durationS;
    expect(spent(75)).toBeGreaterThan(1);
    expect(spent(300)).toBeCloseTo(spent(75));
  });
});

describe('the sliced way', () => {
  test('keeps all servers alive together, and deals slices in a random order', () => {
    const { groups } = planOf('sliced', 75);
    expect(groups.map((cells) => cells.length)).toEqual([4]);
    expect(ordersOf('sliced', 1)).not.toEqual(ordersOf('sliced', 2));
  });

  test.each([
    { wallS: 8, launches: 1 },
    { wallS: 15, launches: 1 },
    { wallS: 75, launches: 6 },
    { wallS: 300, launches: 23 },
  ])('has $launches launches in $wallS s', ({ wallS, launches }) => {
    expect(planOf('sliced', wallS).launches).toHaveLength(launches);
  });

  test.each([8, 9, 15, 19, 20, 40, 75, 300])(
    'has one slice a launch of rounds of about 0.3 s in %d s',
    (wallS) => {
      const { loads, rounds } = planOf('sliced', wallS);
      expect(rounds).toBeGreaterThanOrEqual(2);
      expect(loads).toMatchObject([{ everyNthRound: rounds }]);
      for (const { sliceNs } of loads) {
        expect(sliceNs / rounds / 1e9).toBeGreaterThan(0.2);
        expect(sliceNs / rounds / 1e9).toBeLessThan(0.4);
      }
    },
  );

  test.each([15, 75, 300])(
    'fills %d s with starts, warm-ups, slices and what is between',
    (wallS) => {
      const { launches, rounds, warmup, loads } = planOf('sliced', wallS);
      if (warmup.kind !== 'settled') throw new Error(`the warm-up is ${warmup.kind}`);
      const sliceNs = loads[0]?.sliceNs ?? Number.NaN;
      const warmupS = warmup.capNs / 1e9 + 0.2;
      const launchS = 2.75 + 4 * (warmupS + sliceNs / 1e9 + rounds * 0.08);
      expect(launches.length * launchS).toBeCloseTo(wallS);
    },
  );
});
