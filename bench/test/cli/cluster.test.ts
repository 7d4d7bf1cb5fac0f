import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Surroundings, simulate } from '../support/command.ts';
import { FIXTURES } from '../support/fixtures.ts';
import type { World } from '../support/simulated/backend.ts';
import { simulateRun } from '../support/simulated-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { expectAnswers, on, rowOf } from './harness.ts';

/** One launch, of an overload as short as can be: the rest follows from the service time. */
const SHORT = ['-c', '50', '-d', '0.3', '--launches', '1', '--warmup', '0.1'];
const PILOT = 'a pilot, which the loads are derived from';

test('`cluster` derives its loads from a pilot, and prints every table', async () => {
  const targets = ['--packages', FIXTURES, '--topology', 'single,2'];
  const { code, stdout, stderr, record } = await simulateRun(['cluster', ...targets, ...SHORT], {
    server: () => ({ coldTimes: 1, cpuNs: 20e6 }),
  });
  expect(code).toBe(0);
  expect(record).toMatchObject({ state: 'complete', failures: [] });
  expect(record.targets.map(({ name }) => name)).toEqual(['slow-answers']);
  const { pilot } = record.plan;
  if (pilot.kind !== 'service') throw new Error('there is no service time');
  expect(pilot.server).toBe('slow-answers/single');
  // As exactly as a histogram holds it.
  expect(pilot.serviceNs / 20e6).toBeCloseTo(1, 3);
  expect(record.plan.loads.map(({ id }) => id)).toEqual(['feasible', 'alone', 'overload']);
  expect(record.slices.map(({ cell, round }) => `${cell} ${round}`).sort()).toEqual([
    'slow-answers/2/feasible 0',
    'slow-answers/2/feasible 1',
    'slow-answers/2/overload 0',
    'slow-answers/single/alone 0',
    'slow-answers/single/alone 1',
    'slow-answers/single/feasible 0',
    'slow-answers/single/feasible 1',
    'slow-answers/single/overload 0',
  ]);
  expectAnswers(record);
  expect(stderr.split(PILOT)).toHaveLength(2);
  expect(stdout).toMatch(/^overhead cluster\n/);
  const [, feasible = '', overload = ''] = stdout.split(/^(?:Feasible|Overload).*$/m);
  expect(rowOf(feasible, 'single')).toMatch(/ ≤ 50\.0 +50\.0 ±\? +100 % /);
  expect(rowOf(feasible, '2')).toMatch(/ ≤ 100 +100 ±\? +100 % .* 2\.00 /);
  expect(rowOf(overload, 'single')).toMatch(/ 515 +15 +0 +500 /);
  expect(rowOf(overload, '2')).toMatch(/ 530 +30 +0 +500 /);
});

async function withoutRecord(args: string[], world: World, onSaid?: Surroundings['onSaid']) {
  using folder = temporaryFolder();
  const out = join(folder.path, 'none.json');
  const run = await simulate(['cluster', ...args, ...SHORT, '--out', out], world, onSaid);
  expect(existsSync(out)).toBe(false);
  return run;
}

test('a pilot without an answer says why and ends with 2, before anything is saved', async () => {
  const targets = on(['crash-at-once', 'wrong-body'], 'single,2');
  const { code, stdout, stderr } = await withoutRecord(targets, {
    server: (target) => {
      if (target === 'wrong-body') return { failsAt: { when: 'verify', message: 'another body' } };
      const logTail = ['no licence file: giving up'];
      return { failsAt: { when: 'start', message: 'it ended while starting', logTail } };
    },
  });
  expect(code).toBe(2);
  expect(stderr).toContain(PILOT);
  expect(stderr).toContain('crash-at-once/single failed: it ended while starting');
  expect(stdout).toContain('\nCrashes at once (single) failed at start in launch 1: it ended');
  expect(stdout).toContain('\n  no licence file: giving up');
  expect(stdout).toContain('\nWrong body (single) failed at verify in launch 1: another body');
});

test('Ctrl-C during the pilot ends the run, which has measured nothing', async () => {
  const { code, stderr } = await withoutRecord(on(['slow-answers'], 'single'), {}, (said, send) => {
    if (said.includes('launch 1 of 1') && !said.includes('Ending')) send('SIGINT');
  });
  expect(code).toBe(130);
  expect(stderr).toContain('Ending after this slice');
  expect(stderr.split('launch 1 of 1')).toHaveLength(2);
});
