import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cellOf } from '../../src/plan/plan.ts';
import { command } from '../support/command.ts';
import { FIXTURES } from '../support/fixtures.ts';
import type { World } from '../support/simulated/backend.ts';
import { simulateRun } from '../support/simulated-run.ts';
import { expectAnswers, rowOf } from './harness.ts';

const BOARD = ['board', '--packages', join(FIXTURES, 'board')];
const AMOUNTS = ['-c', '4', '-d', '0.8', '--slice', '0.2', '--launches', '2', '--warmup', '0.1'];

/** What a request costs, µs; all others 200. */
const COSTS: Record<string, number> = {
  'fiber-home': 100,
  'elysia-static-home': 150,
  'fiber-n-plus-one-latest': 400,
  'fiber-prepared-latest': 250,
  'fiber-published-latest': 450,
};
const WORLD: World = {
  server: (target) => ({ coldTimes: 1, cpuNs: 1000 * (COSTS[target] ?? 200) }),
};

test('`board` measures each path on processes of its own, and says where the time goes', async () => {
  const args = [...BOARD, '--topology', 'single,2', ...AMOUNTS];
  const { code, stdout, record } = await simulateRun(args, WORLD);
  expect(code).toBe(0);
  expect(record).toMatchObject({ state: 'complete', failures: [], suite: 'board' });
  expectAnswers(record);
  const { plan, slices } = record;
  expect(plan.loads.map(({ id }) => id)).toEqual(['home-4', 'latest-4']);
  expect(plan.groups).toHaveLength(2);
  for (const { cell, measurement } of slices) {
    // What is sent in a slice of the slow path is answered in it.
    if (cellOf(plan, cell).load === 'latest-4') expect(measurement.ledger.inFlight).toBe(0);
  }
  expect(stdout).toMatch(/^overhead board\n/);
  const [opening = '', home = '', latest = ''] = stdout.split(
    /Requests on \/(?:home|latest) with 4 connections/,
  );
  expect(rowOf(home, 'Elysia (home as a literal) /home (single)')).toContain('150.00 ±0.00');
  expect(rowOf(home, 'Fiber /home (2)')).toMatch(/ 20,000\.00 ±0\.00 +100\.00 ±0\.00 /);
  expect(rowOf(latest, 'Fiber (as published) /latest (2)')).toContain('450.00 ±0.00');
  const [, changes = ''] = opening.split('What Fiber /latest costs more with each change');
  expect(rowOf(changes, 'five queries a post')).toContain('+200.00 ±0.00');
  expect(rowOf(changes, 'prepared each time')).toContain('+50.00 ±0.00');
});

test('`board` takes no load but its own', async () => {
  const { code, stdout, stderr } = await command([...BOARD, '--driver', 'k6']);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain("unknown option '--driver'");
});
