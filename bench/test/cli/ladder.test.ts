import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FIXTURES } from '../support/fixtures.ts';
import type { World } from '../support/simulated/backend.ts';
import { simulateRun } from '../support/simulated-run.ts';
import { expectAnswers, rowOf } from './harness.ts';

const LADDER = ['ladder', '--packages', join(FIXTURES, 'ladder')];
const AMOUNTS = ['-d', '0.8', '--slice', '0.2', '--launches', '2', '--warmup', '3'];

/** What a request costs on each rung, µs. */
const COSTS: Record<string, number> = {
  floor: 10,
  'floor-json': 13,
  'floor-row': 20,
  'floor-error': 15,
  nest: 14,
  'nest-json': 18,
  'nest-row': 30,
  'nest-error': 19,
  'nest-row-ajv': 28,
};
const WORLD: World = {
  server: (target) => ({ coldTimes: 1, cpuNs: 1000 * (COSTS[target] ?? Number.NaN) }),
};

test('`ladder` says what each rung adds, and how much of the highest one is the framework', async () => {
  const { code, stdout, record } = await simulateRun([...LADDER, ...AMOUNTS], WORLD);
  expect(code).toBe(0);
  expect(record).toMatchObject({ state: 'complete', failures: [], suite: 'ladder' });
  expect(record.plan.cells).toHaveLength(9);
  expect(record.plan.loads).toMatchObject([{ connections: 50, pipelining: 4 }]);
  expect(record.slices).toHaveLength(9 * 2);
  expectAnswers(record);
  for (const { measurement } of record.slices) {
    expect(measurement.ledger).toMatchObject({ timedOut: 0, wrongBody: 0, wrongStatus: 0 });
  }
  for (const [rung, costs] of [
    ['text', /^text +10\.00 ±0\.00 +14\.00 ±0\.00 /],
    ['+ JSON', / \+3\.00 ±0\.00 +\+4\.00 ±0\.00 /],
    ['+ a row', / \+7\.00 ±0\.00 +\+12\.00 ±0\.00 /],
    ['beside: an error', / \+2\.00 ±0\.00 +\+1\.00 ±0\.00 /],
  ] as const) {
    expect(rowOf(stdout, rung)).toMatch(costs);
  }
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'Of the 30.00 ±0.00 µs that this endpoint costs on Nest, 8.00 ±0.00 µs are the framework;',
  );
});

test('`ladder --quick` has the ends alone, each rung over what is left below it', async () => {
  const { code, stdout, record } = await simulateRun([...LADDER, '--quick', ...AMOUNTS], WORLD);
  expect(code).toBe(0);
  expect(record.plan.cells.map(({ target }) => target).toSorted()).toEqual([
    'floor',
    'floor-row',
    'nest',
    'nest-row',
    'nest-row-ajv',
  ]);
  expect(rowOf(stdout, '+ all up to a row')).toMatch(/ \+10\.00 ±0\.00 +\+16\.00 ±0\.00 /);
});

test('`ladder --rate` sends the rungs that are named so many requests a second', async () => {
  const named = ['--targets', 'nest-json,nest-row', '--rate', '100', '--topology', 'single'];
  const { code, record } = await simulateRun([...LADDER, ...named, ...AMOUNTS], WORLD);
  expect(code).toBe(0);
  expect(record.plan.loads).toMatchObject([{ kind: 'open', ratePerS: 100 }]);
  expect(record.plan.cells.map(({ target }) => target)).toEqual(['nest-json', 'nest-row']);
  expectAnswers(record);
});
