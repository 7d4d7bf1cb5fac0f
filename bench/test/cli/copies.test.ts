/** Targets on several runtimes, with other versions of dependencies, and under limits. */
import { describe, expect, test } from 'vitest';
import { UserError } from '../../src/base/errors.ts';
import { command, simulate } from '../support/command.ts';
import { simulatedBackend } from '../support/simulated/backend.ts';
import { of, simulateRun, simulateTo, simulateWell } from '../support/simulated-run.ts';
import { TINY } from './harness.ts';

const BOTH = '--runtime node@20.0.0,node@24.1.0';

test('--runtime measures on each runtime and compares them, without those that fail there', async () => {
  const failed = 'not-on-20@node-20.0.0';
  const logTail = ['Error: not on this one'];
  const failsAt = { when: 'start', message: 'it ended while starting', logTail } as const;
  const line = `frameworks ${of('ok,not-on-20')} ${TINY} ${BOTH} --warmup 3`;
  const { stdout, record } = await simulateTo(1, line, {
    server: (target) => {
      const cpuNs = target.endsWith('20.0.0') ? 40_000 : 20_000;
      return { coldTimes: 1, cpuNs, failsAt: target === failed ? failsAt : null };
    },
  });
  const { failures, slices, plan } = record;
  expect(failures).toMatchObject([{ server: `${failed}/single`, logTail }]);
  const measured = plan.cells.filter(({ id }) => slices.some(({ cell }) => cell === id));
  expect(measured).toHaveLength(9);
  expect(measured.filter(({ target }) => target === failed)).toEqual([]);
  expect(stdout).toContain('not on this one');
  const [, runtimes = ''] = stdout.split('\nRuntimes, as single processes');
  expect(runtimes).toMatch(/^Fine +Node 24\.1\.0 +20\.00 ±0\.00 +0\.50 \[0\.50, 0\.50\] +faster /m);
  expect(runtimes).toMatch(/^Not on 20 +Node 20\.0\.0 +failed/m);
  // Where runtimes are is of this machine alone.
  expect(JSON.stringify(record)).not.toContain('/simulated/node');
});

test('--runtime is verified too', async () => {
  const { stdout, code } = await simulate(`verify ${of('ok')} ${BOTH}`);
  expect(code).toBe(0);
  expect(stdout).toContain('2 of 2 servers answer as declared');
});

describe('--cpu-limit and --memory-limit', () => {
  const AMOUNTS = '-d 0.8 --slice 0.4 --launches 2 --warmup 0.1';

  test('run every target under each pair of both, and no process gets more CPU time', async () => {
    const asked = '--cpu-limit 0.25,0.5 --memory-limit 64,512';
    const line = `frameworks ${of('ok', 'single,cluster:2')} ${asked} -c 100 -p 10 ${AMOUNTS}`;
    const { stdout, record } = await simulateWell(line, { server: () => ({ coldTimes: 1 }) });
    for (const { measurement } of record.slices) {
      expect(measurement.throttling).toMatchObject({ periods: 4, throttledPeriods: 4 });
    }
    // Nor does it say what only a full run measures: that is for single processes alone.
    expect(stdout).not.toContain('Not measured');
    const [, limits = ''] = stdout.split(/^CPU and memory limits, under the cost load.*$/m);
    expect(limits).toMatch(/^Fine +0\.25 +64 +single +25,000\.00 /m);
    expect(limits).toMatch(/^Fine +0\.5 +512 +cluster:2 +50,000\.00 /m);
  });

  test.each([
    // 500 requests/s of 3 ms keep 1.5 cores busy.
    ['', ['single', '2', '3']],
    ['--topology single', ['single']],
  ])('at a rate take as many processes as that needs, and its neighbours: %s', async (...given) => {
    const [asked, ids] = given;
    const line = `run 'node a.js' --no-floor --cpu-limit 3 --rate 500 ${AMOUNTS} ${asked}`;
    const world = { server: () => ({ coldTimes: 1, cpuNs: 3e6 }) };
    const { topologies } = (await simulateRun(line, world)).record.plan;
    expect(topologies.map(({ id }) => id)).toEqual(ids);
  });

  test('are refused before anything starts where no control group may be made', async () => {
    const requireLimits = () => {
      throw new UserError('no control group may be made', 'Run it as root.');
    };
    const backend = { ...simulatedBackend(), requireLimits };
    const line = `frameworks ${of('ok')} ${TINY} --cpu-limit 0.25`;
    const stderr = 'error: no control group may be made\nRun it as root.\n';
    expect(await command(line, { backend })).toEqual({ code: 2, stdout: '', stderr });
  });
});
