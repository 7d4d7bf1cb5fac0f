import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { command } from '../support/command.ts';
import { onPathAlone } from '../support/fake-programs.ts';
import { FIXTURES } from '../support/fixtures.ts';
import type { World } from '../support/simulated/backend.ts';
import { simulateRun } from '../support/simulated-run.ts';
import { expectAnswers, rowOf } from './harness.ts';

const BIDDER = ['bidder', '--packages', join(FIXTURES, 'bidder')];
const SHORT = ['-c', '10', '-d', '1.2', '--slice', '0.6', '--launches', '2', '--warmup', '3'];

/** What a request costs a server and its variants, µs of its own CPU; in Redis it takes a quarter as much. */
const BASE = { nest: 100, gin: 80 };
const MORE = { '': 0, '-json': 8, '-only-repeated': 16, '-repeated': 24 };
const COSTS = new Map(
  Object.entries(BASE).flatMap(([name, us]) => {
    return Object.entries(MORE).map(([variant, more]) => [name + variant, us + more] as const);
  }),
);
const WORLD: World = {
  server: (target) => ({ coldTimes: 1, cpuNs: 1000 * (COSTS.get(target) ?? Number.NaN) }),
};

let programs: Disposable;
beforeAll(() => {
  programs = onPathAlone('redis-server');
});
afterAll(() => programs[Symbol.dispose]());

test('is measured at a quiet rate that a pilot finds, at the published one and at its limit', async () => {
  const { code, stdout, stderr, record } = await simulateRun([...BIDDER, ...SHORT], WORLD);
  expect(code).toBe(0);
  expect(record).toMatchObject({ suite: 'bidder', state: 'complete' });
  expect(record).toMatchObject({ failures: [], serviceFailures: [] });
  expectAnswers(record);
  const { plan, starts, services } = record;
  expect(plan.basis).toEqual({ kind: 'lone', server: 'nest-repeated/single', cpuNs: 124_000 });
  // A quarter of a core less a margin, over what the dearest takes.
  expect(plan.loads).toMatchObject([
    { id: 'quiet', ratePerS: 1800 },
    { id: 'rate-500', ratePerS: 500 },
    { id: 'limit', connections: 10 },
  ]);
  // Eight alone, and four on two cores, in each of both launches.
  expect(starts).toHaveLength(2 * (8 + 4));
  for (const { bytes } of starts) expect(bytes).toBeGreaterThan(1e6);
  expect(services.map(({ name, launch }) => [name, launch])).toEqual([
    ['redis', 0],
    ['redis', 1],
  ]);
  expect(stderr).toContain('a pilot, which the loads are derived from');
  expect(stdout).toMatch(/^overhead bidder\n/);

  const [, quiet = '', ...rest] = stdout.split(/(?=CPU of a request, as)/);
  expect(rest).toEqual([]);
  expect(rowOf(quiet, 'Nest')).toContain('100.00 ±0.00');
  expect(rowOf(quiet, 'Gin')).toMatch(/80\.00 ±0\.00 .*0\.80 \[0\.80, 0\.80] +faster/);
  for (const label of ['Nest', 'Gin']) {
    const [, ladder = ''] = stdout.split(`What ${label} costs more with each change`);
    expect(rowOf(ladder, 'candidates repeated')).toMatch(/ {2}\+16\.00 .*\+4\.00 .*\+20\.00 /);
    expect(rowOf(ladder, 'JSON in Redis')).toMatch(/ {2}\+8\.00 .*\+2\.00 .*\+10\.00 /);
    expect(rowOf(ladder, 'the rest')).toMatch(/ {2}\+?0\.00 ±0\.00 /);
  }
  const [, published = ''] = stdout.split('Published beside measured');
  expect(published).toMatch(
    /^Nest \(JSON in Redis, candidates repeated\) \(2\) .*memory under load, MB +450 +160\.00 ±0\.00$/m,
  );
});

test('unbroken is measured at the published rate alone, without a pilot', async () => {
  const options = ['--contiguous', '-d', '1', '--warmup', '0.1', '--targets', 'nest,gin'];
  const { code, stdout, stderr, record } = await simulateRun([...BIDDER, ...options], WORLD);
  expect(code).toBe(0);
  const { plan, slices } = record;
  expect(plan).toMatchObject({ basis: { kind: 'none' }, loads: [{ id: 'rate-500' }] });
  expect(slices).toHaveLength(4);
  expectAnswers(record);
  expect(stderr).not.toContain('pilot');
  expect(stdout).toContain('Published beside measured');
});

test('by the names given is measured in these alone', async () => {
  const options = ['--topology', 'single', '--targets', 'nest,nest-json'];
  const { code, stdout, record } = await simulateRun([...BIDDER, ...SHORT, ...options], WORLD);
  expect(code).toBe(0);
  const { plan, targets } = record;
  expect(targets.map(({ name }) => name)).toEqual(['nest', 'nest-json']);
  expect(plan.cells.map(({ id }) => id).toSorted()).toEqual([
    'nest-json/single/quiet',
    'nest/single/limit',
    'nest/single/quiet',
    'nest/single/rate-500',
  ]);
  const [, others = ''] = stdout.split('Other variants');
  expect(rowOf(others, 'Nest (JSON in Redis)')).toContain('+8.00 ±0.00');
});

test('--driver needs no --rate, since there is one', async () => {
  const { code, stdout, stderr } = await command([...BIDDER, '--driver', 'wrk']);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).not.toContain('without --rate');
  expect(stderr).toContain("'wrk' is invalid");
});
