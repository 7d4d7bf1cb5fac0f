/** Workloads, from the command line to the tables: those of this repository, and one of somebody else. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { RunRecord } from '../../src/record/record.ts';
import { onPathAlone, onPathOfEach } from '../support/fake-programs.ts';
import { FIXTURES } from '../support/fixtures.ts';
import type { World } from '../support/simulated/backend.ts';
import { simulateRun, simulateTo, simulateWell } from '../support/simulated-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { rowOf } from './harness.ts';

onPathOfEach('redis-server');

/** What a request costs a server and its variants, µs of its own CPU; in Redis it takes a quarter as much. */
const VARIANTS = { '': 0, '-json': 8, '-only-repeated': 16, '-repeated': 24 };
const ofBidder = Object.entries({ nest: 100, gin: 80 }).flatMap(([name, us]) => {
  return Object.entries(VARIANTS).map(([variant, more]) => [name + variant, us + more] as const);
});
/** What a request costs, µs; those that are not named take as much as the last of their workload. */
const COSTS: Record<string, Record<string, number>> = {
  bidder: { ...Object.fromEntries(ofBidder), 'nest-2025-repeated': 124 },
  board: {
    ...{ 'fiber-home': 100, 'elysia-static-home': 150, 'fiber-n-plus-one-latest': 400 },
    ...{ 'fiber-prepared-latest': 250, 'fiber-published-latest': 450, others: 200 },
  },
  image: {
    ...{ 'php-imagick': 10_000, 'go-nfnt': 20_000, 'go-vips': 4000, sharp: 5000, others: 8000 },
  },
  ladder: {
    ...{ floor: 10, 'floor-json': 13, 'floor-row': 20, 'floor-error': 15, nest: 14 },
    ...{ 'nest-json': 18, 'nest-row': 30, 'nest-error': 19, 'nest-row-ajv': 28 },
  },
};
/** What a text and a validated body cost in the saved run of the ladder, about, µs. */
const QUICK_LADDER: Record<string, number> = {
  ...{ floor: 7, express: 16, fastify: 8, nest: 18, 'nest-fastify': 10 },
  ...{ 'floor-body': 14, 'express-body': 29, 'fastify-body': 14, 'nest-body': 62 },
  'nest-fastify-body': 38,
};
const AMOUNTS: Record<string, string> = {
  bidder: '-c 10 -d 1.2 --slice 0.6 --launches 2 --warmup 3',
  board: '-c 4 -d 0.8 --slice 0.2 --launches 2 --warmup 0.1',
  image: '-c 2 -d 0.4 --slice 0.2 --launches 2 --warmup 0.1',
  ladder: '-d 0.8 --slice 0.2 --launches 2 --warmup 3',
};
const FOUND = { width: 160, bytes: 5000, psnr: 34 };
const lineOf = (name: string) => `${name} --packages '${join(FIXTURES, name)}' ${AMOUNTS[name]}`;

/** A run of a workload that goes well. */
function measured(name: string, options = '') {
  const costs = COSTS[name] ?? {};
  return simulateWell(`${lineOf(name)} ${options}`, {
    server: (target) => {
      const us = costs[target] ?? costs.others ?? Number.NaN;
      return { coldTimes: 1, cpuNs: 1000 * us, figures: name === 'image' ? FOUND : {} };
    },
  });
}

const cellsOf = ({ plan }: RunRecord) => plan.cells.map(({ id }) => id).toSorted();

describe('a bidder', () => {
  test('is measured at a quiet rate that a pilot finds, at the published one and at its limit', async () => {
    const { stdout, stderr, record } = await measured('bidder', '--topology single,pmx:2,2');
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
    expect(stdout).toMatch(/^overhead bidder\n/);
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

  test('unbroken is measured at the published rate alone, without a pilot', async () => {
    const options = '--contiguous -d 1 --targets nest,gin --launches 1 --warmup 0.1';
    const line = `bidder --packages '${join(FIXTURES, 'bidder')}' ${options}`;
    const { stderr, record } = await simulateRun(line);
    expect(record.plan).toMatchObject({ pilot: { kind: 'none' }, loads: [{ id: 'rate-500' }] });
    expect(record.slices).toHaveLength(3);
    expect(stderr).not.toContain('pilot');
  });

  test('is measured in those alone that are named', async () => {
    const named = '--topology single --targets nest,nest-json';
    const { stdout, record } = await measured('bidder', named);
    expect(cellsOf(record)).toEqual([
      ...['nest-json/single/quiet', 'nest/single/limit', 'nest/single/quiet'],
      'nest/single/rate-500',
    ]);
    const [, others = ''] = stdout.split('Other variants');
    expect(rowOf(others, 'Nest (JSON in Redis)')).toContain('+8.00 ±0.00');
  });
});

test('a board has each path on processes of its own, and says where the time goes', async () => {
  const { stdout, record } = await measured('board', '--topology single,2');
  const { plan, slices } = record;
  expect(plan.loads.map(({ id }) => id)).toEqual(['home-4', 'latest-4']);
  expect(plan.groups).toHaveLength(2);
  for (const { cell, measurement } of slices) {
    // What is sent in a slice of the slow path is answered in it.
    if (cell.endsWith('/latest-4')) expect(measurement.ledger.inFlight).toBe(0);
  }
  const [opening = '', home = '', latest = ''] = stdout.split(
    /Requests on \/(?:home|latest) with 4 connections/,
  );
  expect(rowOf(home, 'Elysia (home as a literal) /home (single)')).toContain('150.00 ±0.00');
  expect(rowOf(home, 'Fiber /home (2)')).toMatch(/ 20,000\.00 ±0\.00 +100\.00 ±0\.00 /);
  expect(rowOf(latest, 'Fiber (as published) /latest (2)')).toContain('450.00 ±0.00');
  const [, changes = ''] = opening.split('What each change adds to Fiber /latest');
  expect(rowOf(changes, 'five queries a post')).toContain('+200.00 ±0.00');
  expect(rowOf(changes, 'prepared each time')).toContain('+50.00 ±0.00');
});

test('an image is resized at the limit, at two rates and in a burst, with what was found out about the answers', async () => {
  const { stdout, record } = await measured('image', '--targets all');
  const { plan, starts } = record;
  expect(plan.pilot).toEqual({ kind: 'capacity', server: 'go-nfnt/single', perS: 50 });
  expect(plan.loads).toMatchObject([
    { id: 'limit', connections: 2 },
    { id: 'served', ratePerS: 30 },
    { id: 'overloaded', ratePerS: 100 },
    { id: 'burst', ratePerS: 300 },
  ]);
  for (const { judged } of starts) {
    expect(judged.map(({ figures }) => figures)).toEqual([FOUND, FOUND]);
  }
  expect(rowOf(stdout, 'Go, libvips (progressive)')).toMatch(/ 8\.00 ±0\.00 .* 5\.00 +34\.0 /);
  const [, published = ''] = stdout.split('Published versus measured');
  expect(rowOf(published, 'Go over PHP, production')).toMatch(
    / CPU +limit +0\.25 +0\.40 \[0\.40, 0\.40\] /,
  );
});

describe('a ladder', () => {
  test('says what each layer adds, and how much of the highest one is the framework', async () => {
    const { stdout, record } = await measured('ladder');
    expect(record.plan.loads).toMatchObject([{ connections: 50, pipelining: 4 }]);
    expect(record.slices).toHaveLength(9 * 2);
    expect(rowOf(stdout, 'text')).toMatch(/^text +10\.00 ±0\.00 +14\.00 ±0\.00 /);
    expect(rowOf(stdout, '+ JSON')).toMatch(/ \+3\.00 ±0\.00 +\+4\.00 ±0\.00 /);
    expect(rowOf(stdout, '+ a row')).toMatch(/ \+7\.00 ±0\.00 +\+12\.00 ±0\.00 /);
    expect(rowOf(stdout, 'beside: an error')).toMatch(/ \+2\.00 ±0\.00 +\+1\.00 ±0\.00 /);
    const [, endpoints = ''] = stdout.split("The framework's share of the endpoint");
    expect(rowOf(endpoints, 'Nest')).toMatch(/ 30\.00 ±0\.00 +\+8\.00 ±0\.00 /);
  });

  test('with --quick settles within three minutes where requests cost twice as much as in the saved run', async () => {
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

  test('with --rate sends the layers that are named so many requests a second', async () => {
    const named = '--targets nest-json,nest-row --rate 100 --topology single';
    const { record } = await measured('ladder', named);
    expect(record.plan.loads).toMatchObject([{ kind: 'open', ratePerS: 100 }]);
    expect(cellsOf(record)).toEqual(['nest-json/single/rate-100', 'nest-row/single/rate-100']);
  });
});

describe('a folder of targets with a declaration', () => {
  const folder = temporaryFolder();
  for (const name of ['board', 'own-comparison']) {
    cpSync(join(FIXTURES, name), folder.path, { recursive: true });
  }
  afterAll(() => folder[Symbol.dispose]());
  const pathsOf = ({ targets }: RunRecord) => {
    return new Set(targets.map(({ requests: [first] }) => first?.request.path));
  };

  test('is measured, judged and shown, whoever made it', async () => {
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
  });

  test('is measured in part with --quick', async () => {
    const { record } = await simulateRun(`workload --quick --seed 7 '${folder.path}'`);
    expect(record.workload).toMatchObject({ title: 'Two message boards' });
    expect(pathsOf(record)).toEqual(new Set(['/home']));
  });

  test('with --as-published has the literal load in one launch, after a warm-up at a rate', async () => {
    const { record, stdout } = await simulateRun(`workload --as-published '${folder.path}'`);
    expect(record.plan).toMatchObject({
      warmup: { kind: 'paced', ns: 2e9, driver: 'pacer', ratePerS: 100, connections: 5 },
      loads: [{ id: 'limit', method: 'contiguous', sliceNs: 3e9 }, { id: 'shared' }],
      launches: [expect.anything()],
    });
    expect(pathsOf(record)).toEqual(new Set(['/latest']));
    expect(stdout).toContain('One launch gives no interval.');
  });
});
