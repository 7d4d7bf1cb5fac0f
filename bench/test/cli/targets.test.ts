/** What a target can declare and need, from the bench block to the tables. */
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mixOf } from '../../src/load/mix.ts';
import type { RunRecord } from '../../src/record/record.ts';
import { simulate } from '../support/command.ts';
import { onPathAlone, onPathOfEach } from '../support/fake-programs.ts';
import { SERVED } from '../support/fixtures.ts';
import { folderOfEach } from '../support/folder-of-each.ts';
import { of, simulateRun, simulateTo, simulateWell } from '../support/simulated-run.ts';
import { recordIn, rowOf } from './harness.ts';

const SMALL = '-d 2 --slice 0.5 --launches 2 --warmup 0.2 --seed 1';

const folder = folderOfEach();

const SEVERAL = `frameworks ${of('several-requests')}`;

test('several requests are sent in their mix, counted each, and in a table of the details', async () => {
  const out = join(folder.path, 'record.json');
  const { stdout } = await simulate(`${SEVERAL} ${SMALL} --details --out '${out}'`);
  const record = recordIn(out);
  const weights = record.targets[0]?.requests.map(({ weight }) => weight) ?? [];
  expect(mixOf(weights)).toHaveLength(6);
  const own = record.slices.filter(({ cell }) => cell.startsWith('several-requests/'));
  for (const { measurement } of own) {
    const { requests, window } = measurement;
    const shares = weights.map((weight) => expect.closeTo(weight / 6, 3));
    expect(requests.map(({ ok }) => ok / window.ok)).toEqual(shares);
  }
  for (const request of ['GET /greeting', 'POST /orders', 'GET /picture']) {
    const row = new RegExp(`^Several requests +${request} +[13] +[\\d,]+ `, 'm');
    expect(stdout).toMatch(row);
  }
});

test('several requests leave at a rate too', async () => {
  const { record } = await simulateWell(`${SEVERAL} ${SMALL} --rate 200 --warmup 0`);
  for (const { cell, measurement } of record.slices) {
    expect(measurement.requests).toHaveLength(cell.startsWith('several-') ? 4 : 0);
  }
});

describe('a service', () => {
  const ALL = `--packages '${SERVED}' --topology single`;
  const RUN = `frameworks ${ALL} --targets redis-a,redis-b,plain ${SMALL}`;
  const REDIS = ['redis-a/single', 'redis-b/single'];
  onPathOfEach('redis-server');

  /** The slices of a launch for each target, with those of the canned one. */
  const slicesIn = (launch: number, { slices }: RunRecord): Record<string, number> => {
    const own = slices.filter((slice) => slice.launch === launch);
    const byTarget = Map.groupBy(own, ({ cell }) => cell.split('/')[0] ?? '');
    return Object.fromEntries([...byTarget].map(([target, those]) => [target, those.length]));
  };

  test('is read and shown for those who need it, and only for them', async () => {
    const { stdout, record } = await simulateWell(RUN);
    const services = [{ name: 'redis', targets: ['redis-a', 'redis-b'] }];
    expect(record.plan.services).toMatchObject(services);
    const used = { name: 'redis', version: '1.2.3', idleNsPerS: 1e6 };
    expect(record.services).toEqual([0, 1].map((launch) => ({ ...used, launch })));
    for (const { cell, measurement } of record.slices) {
      const names = cell.startsWith('redis-') ? ['redis'] : [];
      expect(Object.keys(measurement.services)).toEqual(names);
    }
    expect(stdout).toMatch(/Redis +1\.2\.3 +shares/);
  });

  test('that dies at any moment takes its servers out of that launch alone', async () => {
    const { record: whole } = await simulateRun(RUN);
    const all = slicesIn(1, whole);
    const dies = async (ms: number) => {
      const serviceLivesNs = (_: string, launch: number) => (launch === 0 ? ms * 1e6 : Infinity);
      const { stdout, stderr, record } = await simulateTo(0, RUN, { serviceLivesNs });
      expect(record.failures).toEqual([]);
      const failure = { name: 'redis', launch: 0, message: 'its process died', logTail: [] };
      expect(record.serviceFailures).toEqual([
        { ...failure, when: expect.any(String), servers: REDIS },
      ]);
      const [{ when = '' } = {}] = record.serviceFailures;
      const out = `left out of this launch: ${REDIS.join(', ')}`;
      expect(stderr).toContain(`Redis failed: its process died; ${out}`);
      expect(stdout).toContain(`Redis failed in launch 1 (${when}): its process died.`);
      expect(rowOf(stdout, 'Redis A')).toMatch(/\d/);
      // What was measured before is kept, and of all others and of the next launch nothing is missing.
      expect(slicesIn(1, record)).toEqual(all);
      const { 'redis-a': a = 0, 'redis-b': b = 0, ...others } = slicesIn(0, record);
      expect({ ...others, 'redis-a': 4, 'redis-b': 4 }).toEqual(all);
      expect(a + b).toBeLessThan(8);
    };
    const moments = fc.noBias(fc.integer({ min: 0, max: 9000 }));
    await fc.assert(fc.asyncProperty(moments, dies), { numRuns: 6 });
  });

  test('that does not start takes them out too, in each launch', async () => {
    const serviceFails = () => 'it ended with code 1 while starting';
    const { stdout, record } = await simulateTo(1, RUN, { serviceFails });
    expect(record.failures).toEqual([]);
    const failure = { name: 'redis', when: 'start', message: serviceFails(), logTail: [] };
    const failures = [0, 1].map((launch) => ({ ...failure, launch, servers: REDIS }));
    expect(record.serviceFailures).toEqual(failures);
    for (const launch of [0, 1]) {
      expect(Object.keys(slicesIn(launch, record)).sort()).toEqual(['canned', 'plain']);
    }
    expect(stdout).toContain('Redis failed in launch 1 (start): it ended with code 1');
  });

  test('is started by `verify` too, which tells of one that does not start', async () => {
    const verify = `verify ${ALL} --targets redis-a,plain`;
    expect(await simulate(verify)).toMatchObject({ code: 0 });
    const run = await simulate(verify, { serviceFails: () => 'it is out of memory' });
    expect(run.code).toBe(1);
    expect(run.stdout).toContain('Redis A, single: its Redis: it is out of memory.');
    expect(run.stdout).toContain('1 of 2 servers answer as declared');
  });

  test('whose program is not here is refused where it is named, with the package that brings it', async () => {
    using _none = onPathAlone();
    const needs = 'redis-a needs Redis (Debian: apt-get install redis-server)';
    const named = await simulate(`frameworks ${ALL} --targets redis-a,plain`);
    expect(named).toMatchObject({ code: 2, stdout: '' });
    expect(named.stderr).toContain(`error: not on this machine: ${needs}`);
    const { stderr, record } = await simulateWell(`frameworks ${ALL} ${SMALL}`);
    expect(stderr).toContain(needs);
    expect(record.targets.map(({ name }) => name)).toEqual(['plain']);
  });
});
