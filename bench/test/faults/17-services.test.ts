/** Row 17: databases that die or stop beside servers that need them. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { codeFor, ENDLESS, harnessPlace, on, rowOf, SHORT } from '../cli/harness.ts';
import { CAN_UNSHARE } from '../support/control-groups.ts';
import { missingHere, odd, SERVED } from '../support/fixtures.ts';

const place = harnessPlace();

const served = (...targets: string[]) => on(targets, 'single', SERVED);

/** The pids of what serves and is called so. */
function servicesRunning(program: string): number[] {
  const own = place.processes().filter(({ command }) => command.includes(program));
  return own.map(({ pid }) => pid);
}

const HAS_REDIS = missingHere('redis') === null;
const HAS_MARIADB = missingHere('mariadb') === null;

test.runIf(HAS_REDIS)('Redis that dies or stops costs its servers that launch alone', async () => {
  const rounds = ['-d', '2.4', '--slice', '0.4', '--launches', '3'];
  const harness = place.startRun([...served('redis-a', 'redis-b', 'plain'), ...ENDLESS, ...rounds]);
  // After the first of two rounds of the first launch, and of the last.
  for (const [round, signal] of [
    [1, 'SIGKILL'],
    [5, 'SIGSTOP'],
  ] as const) {
    await harness.untilSays('a round is over', round);
    const [pid = 0, ...more] = servicesRunning('redis-server');
    expect(more).toEqual([]);
    process.kill(pid, signal);
  }
  const run = await harness.finished;
  const record = place.record();
  expect(run.code).toBe(codeFor(record));
  expect(run.stderr).toContain('Redis failed: its process was stopped');
  const { plan, slices, services, failures, serviceFailures, state } = record;
  expect({ failures, state }).toEqual({ failures: [], state: 'complete' });
  const failed = { name: 'redis', when: 'slice', servers: ['redis-a/single', 'redis-b/single'] };
  expect(serviceFailures).toMatchObject([
    { ...failed, launch: 0, message: 'its process died' },
    { ...failed, launch: 2, message: 'its process was stopped' },
  ]);
  const known = services.map(({ name, launch }) => `${name} ${launch}`);
  expect(known).toEqual(['redis 0', 'redis 1', 'redis 2']);
  for (const { idleNsPerS } of services) expect(idleNsPerS).toBeGreaterThan(0);
  for (const { cell, measurement } of slices) {
    const used = Object.entries(measurement.services);
    expect(used.map(([name]) => name)).toEqual(cell.startsWith('redis-') ? ['redis'] : []);
    for (const [, { cpuNs, bytes }] of used) {
      expect(cpuNs).toBeGreaterThan(0);
      expect(bytes).toBeGreaterThan(1e6);
    }
  }
  for (const [launch, groups] of plan.launches.entries()) {
    const { length } = groups.flatMap((group) => group.rounds);
    const own = slices.filter((slice) => slice.launch === launch);
    const slicesOf = (target: string) => own.filter(({ cell }) => cell.startsWith(`${target}/`));
    expect(slicesOf('plain')).toHaveLength(length);
    expect(slicesOf('redis-a').length).toBeGreaterThan(0);
    expect(slicesOf('redis-a').length < length).toBe(launch !== 1);
  }
  expect(run.stdout).toMatch(/Redis\s+\d+\.\d+\.\d+\s+shares/);
  expect(rowOf(run.stdout, 'Redis A')).toMatch(/\d/);
});

describe.runIf(HAS_MARIADB)('MariaDB', () => {
  test('that is out of connections takes its server with it, whose last words say so', async () => {
    const hoards = { start: odd('hoards'), services: { mariadb: {} } };
    const { record, stdout } = await place.run(...place.targets({ hoards, fine: {} }), ...SHORT);
    const { failures, slices, state } = record;
    expect(state).toBe('complete');
    expect(failures).toMatchObject([{ server: 'hoards/single', died: true }]);
    expect(stdout).toContain('Too many connections');
    expect(slices.some(({ cell }) => cell.startsWith('fine/'))).toBe(true);
  });

  test.runIf(CAN_UNSHARE)('whose disk is full is out of the launch, others are not', async () => {
    const small = join(place.folder, 'small');
    mkdirSync(small);
    const commands = `mount -t tmpfs -o size=32m tmpfs ${small} && export TMPDIR=${small} XDG_CACHE_HOME=${small}`;
    const args = ['frameworks', ...served('mariadb-a', 'plain'), ...SHORT, '--out', place.out];
    const run = await place.startWithin('--mount', commands, args).finished;
    const { serviceFailures, failures, slices, state } = place.record();
    expect({ failures, state }).toEqual({ failures: [], state: 'complete' });
    expect(serviceFailures).toMatchObject([{ name: 'mariadb', servers: ['mariadb-a/single'] }]);
    expect(run.stdout).toMatch(/No space left on device|error 28/);
    expect(slices.some(({ cell }) => cell.startsWith('plain/'))).toBe(true);
  });

  test('leaves nothing after SIGKILL from before its first program until its data is made', async () => {
    const killed = [0, 150, 400, 900, 1800, 3600].map(async (delayMs) => {
      const environment = { XDG_CACHE_HOME: join(place.folder, `cache-${delayMs}`) };
      const path = join(place.folder, `record-${delayMs}.json`);
      const args = ['frameworks', ...served('mariadb-a'), ...ENDLESS, '--out', path];
      const harness = place.start(args, environment);
      await harness.untilSays('starting');
      await sleep(delayMs);
      process.kill(harness.pid, 'SIGKILL');
      await harness.finished;
    });
    await Promise.all(killed);
    await place.untilEmpty(10_000);
    expect(servicesRunning('mariadb')).toEqual([]);
  });
});
