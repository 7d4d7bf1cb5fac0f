import { expect, test } from 'vitest';
import { makePlan } from '../../../src/plan/make-plan.ts';
import { METHODS, type Method, methodOptions } from '../../../src/studies/methods/run-options.ts';
import { frameworks } from '../../../src/suites/frameworks.ts';
import { makeMachine, makeOptions, makeTarget } from '../../support/make-record.ts';

const NAMES = ['express-a', 'express-b', 'fastify-a', 'fastify-b'];
const TARGETS = NAMES.map((name) => makeTarget(name));

function optionsOf(method: Method, wallS: number, seed = 1) {
  return methodOptions(makeOptions(), method, wallS, seed);
}

function planOf(method: Method, wallS = 75, seed = 1) {
  return makePlan(frameworks, optionsOf(method, wallS, seed), TARGETS, makeMachine());
}

function ordersOf(method: Method, seed: number): string[] {
  const { launches } = planOf(method, 75, seed);
  return launches.flat().flatMap(({ rounds }) => rounds.map((order) => order.join()));
}

test.each(METHODS)('the %s method loads four single processes with the cost load', (method) => {
  const { cells, loads, probes } = planOf(method);
  expect(loads).toMatchObject([{ connections: 100, pipelining: 10 }]);
  expect(cells.map(({ server }) => server)).toEqual(NAMES.map((name) => `${name}/single`));
  expect(probes).toEqual([]);
});

test('the classic method measures each server once, without interruption, and without a warm-up', () => {
  const plan = planOf('classic');
  expect(plan).toMatchObject({ rounds: 1, warmup: { kind: 'none' } });
  expect(plan.loads).toMatchObject([{ method: 'contiguous' }]);
  expect(plan.launches).toHaveLength(1);
  expect(plan.groups.map((cells) => cells.length)).toEqual([1, 1, 1, 1]);
  // In order, whatever the seed.
  const inOrder = NAMES.map((name) => `${name}/single/custom`);
  for (const seed of [1, 2, 3]) expect(ordersOf('classic', seed)).toEqual(inOrder);
});

test('the classic method has all the wall time but the four starts', () => {
  const spent = (wallS: number) => wallS - 4 * optionsOf('classic', wallS).durationS;
  expect(spent(75)).toBeGreaterThan(1);
  for (const wallS of [8, 300]) expect(spent(wallS)).toBeCloseTo(spent(75));
});

test('the sliced method keeps all servers alive together, and deals slices in a random order', () => {
  expect(planOf('sliced').groups.map((cells) => cells.length)).toEqual([4]);
  expect(ordersOf('sliced', 1)).not.toEqual(ordersOf('sliced', 2));
});

test('the sliced method has as many launches as fit', () => {
  const counts = [8, 15, 75, 300].map((wallS) => planOf('sliced', wallS).launches.length);
  expect(counts).toEqual([1, 1, 6, 23]);
});

test.each([8, 9, 15, 19, 20, 40, 75, 300])('rounds of a run of %d s take about 0.3 s', (wallS) => {
  const { loads, rounds } = planOf('sliced', wallS);
  expect(rounds).toBeGreaterThanOrEqual(2);
  // One slice a launch.
  expect(loads).toMatchObject([{ everyNthRound: rounds }]);
  const roundS = (loads[0]?.sliceNs ?? Number.NaN) / rounds / 1e9;
  expect(roundS).toBeGreaterThan(0.2);
  expect(roundS).toBeLessThan(0.4);
});

test.each([8, 15, 40, 75, 300])('a sliced run fills its %d s, starts and pauses too', (wallS) => {
  const { launches, rounds, warmup, loads } = planOf('sliced', wallS);
  if (warmup.kind !== 'settled') throw new Error(`the warm-up is ${warmup.kind}`);
  const sliceNs = loads[0]?.sliceNs ?? Number.NaN;
  const warmupS = warmup.capNs / 1e9 + 0.2;
  const launchS = 2.75 + 4 * (warmupS + sliceNs / 1e9 + rounds * 0.08);
  expect(launches.length * launchS).toBeCloseTo(wallS);
});
