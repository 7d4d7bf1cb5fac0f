/** Runs on several runtimes, and with other versions of dependencies, from the command line to the tables. */
import { expect, test } from 'vitest';
import { UserError } from '../../src/base/errors.ts';
import type { Backend } from '../../src/run/backend.ts';
import { command, simulate } from '../support/command.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { simulatedBackend, type World } from '../support/simulated/backend.ts';
import { simulateRun } from '../support/simulated-run.ts';
import { expectAnswers, TINY } from './harness.ts';

const BOTH = ['--runtime', 'node@20.0.0,node@24.1.0'];
const SINGLE = ['--packages', FIXTURES, '--topology', 'single'];
const frameworks = (targets: string) => ['frameworks', '-t', targets, ...SINGLE, ...TINY];

test('a run on two runtimes names both, and compares them', async () => {
  const args = [...frameworks('ok'), ...BOTH, '--warmup', '3'];
  const { code, stdout, record } = await simulateRun(args, {
    server: (target) => ({ coldTimes: 1, cpuNs: target.endsWith('20.0.0') ? 40_000 : 20_000 }),
  });
  expect(code).toBe(0);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'The servers ran on Node 20.0.0 and Node 24.1.0',
  );
  const { targets, plan } = record;
  expect(targets.map(({ name, runtime }) => [name, runtime])).toEqual([
    ['ok@node-20.0.0', { kind: 'node', version: '20.0.0' }],
    ['ok@node-24.1.0', { kind: 'node', version: '24.1.0' }],
  ]);
  expect(plan.cells).toHaveLength(6);
  expectAnswers(record);
  const [, runtimes = ''] = stdout.split('\nRuntimes, read as single processes');
  expect(runtimes).toMatch(/^Fine +Node 24\.1\.0 +20\.00 ±0\.00 +0\.50 \[0\.50, 0\.50\] +faster /m);
  // Where runtimes are is of this machine alone.
  expect(JSON.stringify(record)).not.toContain('/simulated/node');
});

test('a target that a runtime fails on fails there alone, with its words', async () => {
  const failed = 'not-on-20@node-20.0.0';
  const logTail = ['Error: not on this one'];
  const world: World = {
    server: (target) => {
      if (target !== failed) return {};
      return { failsAt: { when: 'start', message: 'it ended while starting', logTail } };
    },
  };
  const args = [...frameworks('ok,not-on-20'), ...BOTH];
  const { code, stdout, record } = await simulateRun(args, world);
  expect(code).toBe(1);
  const { failures, slices, plan } = record;
  expect(failures).toMatchObject([{ server: `${failed}/single`, logTail }]);
  const measured = plan.cells.filter(({ id }) => slices.some(({ cell }) => cell === id));
  expect(measured).toHaveLength(9);
  expect(measured.filter(({ target }) => target === failed)).toEqual([]);
  expect(stdout).toContain('not on this one');
  expect(stdout).toMatch(/^Not on 20 +Node 20\.0\.0 +failed/m);
});

test('a verification starts each target on each runtime', async () => {
  const { stdout, code } = await simulate(['verify', '-t', 'ok', ...BOTH, ...SINGLE]);
  expect(code).toBe(0);
  expect(stdout).toContain('2 of 2 servers answer as declared');
});

test('another version of a dependency is measured beside the one that is there', async () => {
  const args = ['-t', 'node-http,express-app', '--with', 'express@4', '--topology', 'single'];
  const { code, stdout, record } = await simulateRun(['frameworks', ...args, ...TINY]);
  expect(code).toBe(0);
  expectAnswers(record);
  expect(record.targets).toContainEqual(
    expect.objectContaining({ variantOf: 'express-app', over: 'node-http' }),
  );
  expect(stdout).toMatch(/^Express \(express 4\) +Express /m);
});

test('a runtime that can not be had ends with exit code 2, the next step, and nothing left', async () => {
  const backend: Backend = {
    ...simulatedBackend(),
    provideRuntimes: async () => {
      throw new UserError('there is no Node 99', 'Name another one.');
    },
  };
  const run = await command([...frameworks('ok'), '--runtime', 'node@99'], { backend });
  const stderr = 'error: there is no Node 99\nName another one.\n';
  expect(run).toEqual({ code: 2, stdout: '', stderr });
});

test('an unknown dependency ends with exit code 2', async () => {
  const { code, stdout, stderr } = await simulate([...frameworks('ok'), '--with', 'nothing@1']);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^error: --with nothing: ok does not depend .*\n.*\n$/);
});
