import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Surroundings, simulate } from '../support/command.ts';
import { FIXTURES } from '../support/fixtures.ts';
import type { World } from '../support/simulated/backend.ts';
import { of, simulateWell } from '../support/simulated-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { rowOf } from './harness.ts';

/** One launch, of an overload as short as can be: the rest follows from the service time. */
const SHORT = '-c 50 -d 0.3 --launches 1 --warmup 0.1';
const PILOT = 'Running a pilot to derive the loads from.';

test('`cluster` derives its loads from a pilot, and prints every table', async () => {
  const line = `cluster --packages '${FIXTURES}' --topology single,2 ${SHORT}`;
  const { stdout, stderr, record } = await simulateWell(line, {
    server: () => ({ coldTimes: 1, cpuNs: 20e6 }),
  });
  expect(record.targets.map(({ name }) => name)).toEqual(['slow-answers']);
  const { pilot, loads } = record.plan;
  if (pilot.kind !== 'service') throw new Error('there is no service time');
  expect(pilot.server).toBe('slow-answers/single');
  // As exactly as a histogram holds it.
  expect(pilot.serviceNs / 20e6).toBeCloseTo(1, 3);
  expect(loads.map(({ id }) => id)).toEqual(['feasible', 'alone', 'overload']);
  const measured = record.slices.map(({ cell, round }) => `${cell} ${round}`.split('/').slice(1));
  expect(measured.map((each) => each.join(' ')).sort()).toEqual([
    ...['2 feasible 0', '2 feasible 1', '2 overload 0', 'single alone 0', 'single alone 1'],
    ...['single feasible 0', 'single feasible 1', 'single overload 0'],
  ]);
  expect(stderr.split(PILOT)).toHaveLength(2);
  expect(stdout).toMatch(/^overhead cluster\n/);
  const [, feasible = '', overload = ''] = stdout.split(/^(?:Feasible|Overload).*$/m);
  expect(rowOf(feasible, 'single')).toMatch(/ ≤ 50\.0 +50\.0 ±\? +100 % /);
  expect(rowOf(feasible, '2')).toMatch(/ ≤ 100 +100 ±\? +100 % .* 2\.00 /);
  expect(rowOf(overload, 'single')).toMatch(/ 515 +15 +0 +500 /);
  expect(rowOf(overload, '2')).toMatch(/ 530 +30 +0 +500 /);
});

test('`cluster` subtracts the idle use of the processes that it measures, not of those before them', async () => {
  const line = `cluster --packages '${FIXTURES}' --topology single ${SHORT}`;
  const { record } = await simulateWell(line, {
    server: (_target, _topology, start) => ({ cpuNs: 20e6, idleNsPerS: 1e6 * start }),
  });
  const [groups = []] = record.plan.launches;
  const used = groups.map(({ cells }) => {
    const own = record.slices.filter(({ cell }) => cells.includes(cell));
    return new Set(own.map(({ measurement }) => measurement.idleNsPerS));
  });
  // Each group starts the server anew; the pilot was the first to.
  expect(used).toEqual(groups.map((_, index) => new Set([1e6 * (index + 1)])));
  expect(used.length).toBeGreaterThan(1);
});

/** A run that ends with its pilot. */
async function piloted(targets: string, world: World, onSaid?: Surroundings['onSaid']) {
  using folder = temporaryFolder();
  const out = join(folder.path, 'none.json');
  const run = await simulate(`cluster ${targets} ${SHORT} --out '${out}'`, world, onSaid);
  expect(existsSync(out)).toBe(false);
  return run;
}

test('`cluster` whose pilot has no answer says why and ends with 2, before anything is saved', async () => {
  const targets = of('crash-at-once,wrong-body', 'single,2');
  const { code, stdout, stderr } = await piloted(targets, {
    server: (target) => {
      if (target === 'wrong-body') return { failsAt: { when: 'verify', message: 'another body' } };
      const logTail = ['no licence file: giving up'];
      return { failsAt: { when: 'start', message: 'it ended while starting', logTail } };
    },
  });
  expect(code).toBe(2);
  expect(stderr).toContain(PILOT);
  expect(stderr).toContain('crash-at-once/single failed: it ended while starting');
  expect(stdout).toContain('\nCrashes at once (single) failed in launch 1 (start): it ended');
  expect(stdout).toContain('\n  no licence file: giving up');
  expect(stdout).toContain('\nWrong body (single) failed in launch 1 (verify): another body');
});

test('`cluster` that is ended by Ctrl-C during the pilot has measured nothing', async () => {
  const { code, stderr } = await piloted(of('slow-answers'), {}, (said, send) => {
    if (said.includes('launch 1 of 1') && !said.includes('Ending')) send('SIGINT');
  });
  expect(code).toBe(130);
  expect(stderr).toContain('Ending after this slice');
  expect(stderr.split('launch 1 of 1')).toHaveLength(2);
});
