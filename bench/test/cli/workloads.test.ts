/** Workloads, from the command line to the tables: those of this repository, and one of somebody else. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onPathAlone, onPathOfEach } from '../support/fake-programs.ts';
import { FIXTURES } from '../support/fixtures.ts';
import type { World } from '../support/simulated/backend.ts';
import { simulateRun, simulateTo, simulateWell } from '../support/simulated-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { rowOf } from './harness.ts';

onPathOfEach('redis-server');

/** What a text and a validated body cost in the saved run of the ladder, about, µs. */
const QUICK_LADDER: Record<string, number> = {
  ...{ floor: 7, express: 16, fastify: 8, nest: 18, 'nest-fastify': 10 },
  ...{ 'floor-body': 14, 'express-body': 29, 'fastify-body': 14, 'nest-body': 62 },
  'nest-fastify-body': 38,
};
/** What a request costs each bidder, µs of its own CPU; in Redis it takes a quarter as much. */
const BIDDERS: Record<string, number> = {
  ...{ nest: 100, 'nest-json': 108, 'nest-only-repeated': 116, 'nest-repeated': 124 },
  ...{ gin: 80, 'gin-json': 88, 'gin-only-repeated': 96, 'gin-repeated': 104 },
  'nest-2025-repeated': 124,
};

test('a bidder is measured at a quiet rate that a pilot finds, at the published one and at its limit', async () => {
  const amounts = '--topology single,pmx:2,2 -c 10 -d 1.2 --slice 0.6 --launches 2 --warmup 3';
  const line = `bidder --packages '${join(FIXTURES, 'bidder')}' ${amounts}`;
  const { stdout, stderr, record } = await simulateWell(line, {
    server: (target) => ({ coldTimes: 1, cpuNs: 1000 * (BIDDERS[target] ?? Number.NaN) }),
  });
  const { plan, starts, services } = record;
  const pilot = { kind: 'singleRequest', server: 'nest-repeated/single', cpuNs: 124_000 };
  expect(plan.pilot).toEqual(pilot);
  // A quarter of a core less a margin, over what the dearest takes.
  expect(plan.loads).toMatchObject([
    { id: 'quiet', ratePerS: 1800 },
    { id: 'rate-500', ratePerS: 500 },
    { id: 'limit', connections: 10 },
  ]);
  // Nine alone, two under pm2 and two on two cores, in each of both launches.
  expect(starts).toHaveLength(2 * (9 + 2 + 2));
  expect(services.map(({ name, launch }) => `${name} ${launch}`)).toEqual(['redis 0', 'redis 1']);
  expect(stderr).toContain('Running a pilot to derive the loads from.');
  const [, quiet = ''] = stdout.split(/(?=CPU per request, as)/);
  expect(rowOf(quiet, 'Nest')).toContain('100.00 ±0.00');
  expect(rowOf(quiet, 'Gin')).toMatch(/80\.00 ±0\.00 .*0\.80 \[0\.80, 0\.80] +faster/);
  const [, changes = ''] = stdout.split('What each change adds to Gin');
  expect(rowOf(changes, 'candidates repeated')).toMatch(/ {2}\+16\.00 .*\+4\.00 .*\+20\.00 /);
  expect(rowOf(changes, 'the rest')).toMatch(/ {2}\+?0\.00 ±0\.00 /);
  const [, published = ''] = stdout.split('Published versus measured');
  expect(published).toMatch(
    /^Nest \(as published\) \(pmx:2\) .*memory under load, MB +450 +160\.00 ±0\.00$/m,
  );
});

test('an image has what was found out about its answers, in the record and in a table', async () => {
  const figures = { width: 160, bytes: 5000, psnr: 34 };
  const amounts = '-c 2 -d 0.4 --slice 0.2 --launches 2 --warmup 0.1';
  const line = `image --packages '${join(FIXTURES, 'image')}' --targets all ${amounts}`;
  const { stdout, record } = await simulateWell(line, {
    server: () => ({ coldTimes: 1, cpuNs: 8e6, figures }),
  });
  expect(record.plan.pilot).toMatchObject({ kind: 'capacity', perS: 125 });
  for (const { judged } of record.starts) {
    expect(judged.map((each) => each.figures)).toEqual([figures, figures]);
  }
  expect(rowOf(stdout, 'Go, libvips (progressive)')).toMatch(/ 8\.00 ±0\.00 .* 5\.00 +34\.0 /);
});

test('a ladder with --quick settles within three minutes where requests cost twice as much as in the saved run', async () => {
  using _programs = onPathAlone('npm');
  const { stdout, record } = await simulateTo(0, 'ladder --quick --seed 1', {
    server: (target) => ({ cpuNs: 2000 * (QUICK_LADDER[target] ?? Number.NaN) }),
  });
  const targets = record.plan.cells.map(({ target }) => target);
  expect(targets.toSorted()).toEqual(Object.keys(QUICK_LADDER).toSorted());
  expect(record.wallNs).toBeLessThan(180e9);
  expect(stdout).not.toContain('had not settled');
  expect(rowOf(stdout, '+ all up to validated body')).toMatch(/ \+14\.\d\d ±/);
  const [, endpoints = ''] = stdout.split("The framework's share of the endpoint");
  expect(rowOf(endpoints, 'Nest + Express')).toMatch(/ \+96\.\d\d ±.* slower /);
});

test('a ladder with --rate sends the layers that are named so many requests a second', async () => {
  const named = '--targets nest-json,nest-row --rate 100 --topology single';
  const amounts = '-d 0.8 --slice 0.2 --launches 2 --warmup 3';
  const line = `ladder --packages '${join(FIXTURES, 'ladder')}' ${named} ${amounts}`;
  const { record } = await simulateWell(line);
  expect(record.plan.loads).toMatchObject([{ kind: 'open', ratePerS: 100 }]);
  const cells = record.plan.cells.map(({ id }) => id).toSorted();
  expect(cells).toEqual(['nest-json/single/rate-100', 'nest-row/single/rate-100']);
});

test('a folder of targets with a declaration is measured, judged and shown, and has targets for --as-published', async () => {
  using folder = temporaryFolder();
  for (const name of ['board', 'own-comparison']) {
    cpSync(join(FIXTURES, name), folder.path, { recursive: true });
  }
  const costs: Record<string, number> = { 'fiber-home': 400, 'elysia-home': 200 };
  const world: World = {
    server: (target) => ({ coldTimes: 1, cpuNs: 1000 * (costs[target] ?? 800) }),
  };
  const { stdout, text, record } = await simulateWell(`workload '${folder.path}'`, world);
  expect(record.workload).toMatchObject({ title: 'Two message boards' });
  expect(record.plan.loads).toMatchObject([
    { id: 'limit', connections: 4, headline: 'cpu', waitForAll: true },
    { id: 'shared', kind: 'open', ratePerS: 630 },
  ]);
  expect(text).toContain('twice holds 2.00 [2.00, 2.00]');
  expect(text).toContain('Bun: “Bun is cheaper”: so it says.');
  expect(text).toContain('eight cores not measured it needs 8 cores');
  expect(text).toContain('Published: An article, on a laptop. Read the article first.');
  expect(rowOf(stdout, 'Fiber /home')).toBeDefined();
  expect(stdout).toContain('Pages as single processes, at their limit (-c 4 -p 1)');
  const { targets } = (await simulateRun(`workload --as-published '${folder.path}'`)).record;
  const paths = targets.map(({ requests: [first] }) => first?.request.path);
  expect(new Set(paths)).toEqual(new Set(['/latest']));
});
