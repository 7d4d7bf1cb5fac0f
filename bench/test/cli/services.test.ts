import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunRecord } from '../../src/record/record.ts';
import { simulate } from '../support/command.ts';
import { onPathAlone } from '../support/fake-programs.ts';
import { SERVED } from '../support/services.ts';
import { simulateRun } from '../support/simulated-run.ts';
import { expectAnswers, rowOf } from './harness.ts';

const ALL = ['--packages', SERVED, '--topology', 'single'];
const SMALL = ['-d', '2', '--slice', '0.5', '--launches', '2', '--warmup', '0.2', '--seed', '1'];
const RUN = ['frameworks', ...ALL, '--targets', 'redis-a,redis-b,plain', ...SMALL];
const REDIS = ['redis-a/single', 'redis-b/single'];

/** The slices of a launch for each target, with those of the canned one. */
function slicesIn(launch: number, { slices }: RunRecord): Record<string, number> {
  const own = slices.filter((slice) => slice.launch === launch);
  const byTarget = Map.groupBy(own, ({ cell }) => cell.split('/')[0] ?? '');
  return Object.fromEntries([...byTarget].map(([target, those]) => [target, those.length]));
}

describe('where Redis is here', () => {
  let path: Disposable;
  beforeEach(() => {
    path = onPathAlone('redis-server');
  });
  afterEach(() => path[Symbol.dispose]());

  test('what it uses is read and shown for those who need it, and only for them', async () => {
    const { code, stdout, record } = await simulateRun(RUN);
    expect(code).toBe(0);
    expectAnswers(record);
    expect(record.plan.services).toMatchObject([
      { name: 'redis', targets: ['redis-a', 'redis-b'] },
    ]);
    expect(record.services).toEqual([
      { name: 'redis', launch: 0, version: '1.2.3', idleNsPerS: 1e6 },
      { name: 'redis', launch: 1, version: '1.2.3', idleNsPerS: 1e6 },
    ]);
    for (const { cell, measurement } of record.slices) {
      const names = cell.startsWith('redis-') ? ['redis'] : [];
      expect(Object.keys(measurement.services)).toEqual(names);
    }
    expect(stdout).toMatch(/Redis +1\.2\.3 +shares/);
  });

  test('one that dies at any moment takes its servers out of that launch alone', async () => {
    const { record: whole } = await simulateRun(RUN);
    const all = slicesIn(1, whole);
    const dies = async (ms: number) => {
      const serviceLivesNs = (_: string, launch: number) => (launch === 0 ? ms * 1e6 : Infinity);
      const { code, stdout, stderr, record } = await simulateRun(RUN, { serviceLivesNs });
      expect({ code, state: record.state, failures: record.failures }).toEqual({
        ...{ code: 0, state: 'complete', failures: [] },
      });
      const message = 'its process died';
      expect(record.serviceFailures).toEqual([
        {
          name: 'redis',
          launch: 0,
          when: expect.any(String),
          message,
          logTail: [],
          servers: REDIS,
        },
      ]);
      const [{ when = '' } = {}] = record.serviceFailures;
      expect(stderr).toContain(
        `Redis failed: its process died; out of this launch: ${REDIS.join(', ')}`,
      );
      expect(stdout).toContain(`Redis failed at ${when} in launch 1: its process died.`);
      expect(rowOf(stdout, 'Redis A')).toMatch(/\d/);
      // What was measured before is kept, and of all others and of the next launch nothing is missing.
      expect(slicesIn(1, record)).toEqual(all);
      const { 'redis-a': a = 0, 'redis-b': b = 0, ...others } = slicesIn(0, record);
      expect({ ...others, 'redis-a': 4, 'redis-b': 4 }).toEqual(all);
      expect(a + b).toBeLessThan(8);
    };
    await fc.assert(fc.asyncProperty(fc.noBias(fc.integer({ min: 0, max: 9000 })), dies), {
      numRuns: 6,
    });
  });

  test('one that does not start takes them out too, in each launch', async () => {
    const serviceFails = () => 'it ended with code 1 while starting';
    const { code, stdout, record } = await simulateRun(RUN, { serviceFails });
    expect({ code, state: record.state, failures: record.failures }).toEqual({
      ...{ code: 1, state: 'complete', failures: [] },
    });
    const failure = { name: 'redis', when: 'start', message: serviceFails(), logTail: [] };
    expect(record.serviceFailures).toEqual(
      [0, 1].map((launch) => ({ ...failure, launch, servers: REDIS })),
    );
    for (const launch of [0, 1]) {
      expect(Object.keys(slicesIn(launch, record)).sort()).toEqual(['canned', 'plain']);
    }
    expect(stdout).toContain('Redis failed at start in launch 1: it ended with code 1');
  });

  test.each([
    { signal: 'SIGINT', code: 130 },
    { signal: 'SIGTERM', code: 143 },
  ] as const)('$signal leaves nothing of it', async ({ signal, code }) => {
    let isSent = false;
    const { record, ...run } = await simulateRun(RUN, {}, (said, send) => {
      if (isSent || !said.includes('a round is over')) return;
      isSent = true;
      send(signal);
    });
    expect(run.code).toBe(code);
    expect(record).toMatchObject({ state: 'interrupted', failures: [], serviceFailures: [] });
  });

  test('`verify` starts it too, and tells of one that does not start', async () => {
    const verify = ['verify', ...ALL, '--targets', 'redis-a,plain'];
    expect(await simulate(verify)).toMatchObject({ code: 0 });
    const run = await simulate(verify, { serviceFails: () => 'it is out of memory' });
    expect(run.code).toBe(1);
    expect(run.stdout).toContain('Redis A, single: its Redis: it is out of memory.');
    expect(run.stdout).toContain('1 of 2 servers answer as declared');
  });
});

describe('where its program is not here', () => {
  let path: Disposable;
  beforeEach(() => {
    path = onPathAlone();
  });
  afterEach(() => path[Symbol.dispose]());

  test('a target that was named is refused, with the package that brings it', async () => {
    const run = await simulate(['frameworks', ...ALL, '--targets', 'redis-a,plain']);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain(
      'error: not on this machine: redis-a needs Redis (Debian: apt-get install redis-server)',
    );
    expect(run.stderr).toContain('apt-get install redis-server');
  });

  test('others are measured without it, and a line says so', async () => {
    const { code, stderr, record } = await simulateRun(['frameworks', ...ALL, ...SMALL]);
    expect(stderr).toContain('redis-a needs Redis (Debian: apt-get install redis-server)');
    expect({ code, targets: record.targets.map(({ name }) => name) }).toEqual({
      ...{ code: 0, targets: ['plain'] },
    });
    expectAnswers(record);
  });
});
