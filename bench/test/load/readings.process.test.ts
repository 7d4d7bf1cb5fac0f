import { execa } from 'execa';
import { describe, expect, test, vi } from 'vitest';
import { drain, untilQuiet } from '../../src/load/drain.ts';
import { measureRoundTrip, READ_HERE } from '../../src/load/readings.ts';
import { type FollowedPids, startSeries } from '../../src/load/series.ts';
import { inGroups, readThrottling } from '../../src/system/control-groups.ts';
import * as usage from '../../src/system/usage.ts';
import { CAN_LIMIT, limitedGroup } from '../support/control-groups.ts';
import { startProgram } from '../support/processes.ts';
import { expectWithin, until } from './expectations.ts';
import { NEVER, readingsOf } from './generators.ts';
import { pidsOf } from './orders.ts';
import { closedOrigin, serveHere } from './servers.ts';

vi.mock('../../src/system/usage.ts', { spy: true });

const SPINNING = 'for (;;);';
const SLEEPING = 'setInterval(() => {}, 1e9);';

const startChild = (code: string) => startProgram(process.execPath, '-e', code);

const only = (pid: number): FollowedPids => ({ server: [pid], manager: [], services: {} });

/** A series that has as many samples: memory, which ends one, has been read as often. */
async function sampled(pids: FollowedPids, samples: number) {
  const series = startSeries(pids);
  const reads = () => {
    return vi.mocked(usage.readMemory).mock.calls.filter(([read]) => read === pids.server).length;
  };
  await until(() => reads() >= samples);
  return series;
}

// Each waits for a second.
describe.concurrent('the series of processes', () => {
  test('has a sample a second, with what the server, its manager and each service used in it', async () => {
    await using busy = startChild(SPINNING);
    await using idle = startChild(SLEEPING);
    const services = { redis: [busy.pid], mariadb: [idle.pid] };
    const pids = { server: [busy.pid], manager: [idle.pid], services };
    const samples = await (await sampled(pids, 2)).stop();
    expect(samples.length).toBeGreaterThanOrEqual(2);
    for (const { ns, cpuNs, bytes, services: used } of samples) {
      expect(ns).toBeGreaterThanOrEqual(1e9);
      // However busy the machine is, one spins and the other one sleeps.
      expect(cpuNs.server).toBeGreaterThan(cpuNs.manager);
      expect(cpuNs.server).toBeLessThan(ns * 1.1);
      expect(cpuNs.manager).toBeGreaterThanOrEqual(0);
      expect(Object.keys(used)).toEqual(['redis', 'mariadb']);
      expect(used.redis?.cpuNs).toBeGreaterThan(used.mariadb?.cpuNs ?? 0);
      const ofServices = Object.values(used).map((each) => each.bytes);
      expect(Math.min(bytes.server, bytes.manager, ...ofServices)).toBeGreaterThan(1e6);
    }
  });

  test('is empty if it is stopped within the first second, without waiting for it', async () => {
    await using idle = startChild(SLEEPING);
    const series = startSeries(only(idle.pid));
    const startedMs = performance.now();
    expect(await series.stop()).toEqual([]);
    expect(performance.now() - startedMs).toBeLessThan(900);
    expect(await series.stop()).toBe(await series.stop());
  });

  // Vitest fails if there is a rejection that nobody handles.
  test('tells whoever stops it that a process went away, and nobody before', async () => {
    const child = startChild(SLEEPING);
    const series = startSeries(only(child.pid));
    await child.end();
    const { mock } = vi.mocked(usage.readCpu);
    await until(() => mock.settledResults.some(({ type }) => type === 'rejected'));
    await expect(series.stop()).rejects.toThrow();
  });
});

describe.concurrent('a server', () => {
  /** Before and after each second, ns. */
  const usedNs = { atOnce: [0, 2.9e6], later: [0, 0.5e9, 0.5e9, 0.501e9], never: [0, 0.5e9] };

  test.each([
    ['is quiet once a second shows it, and uses that idle', usedNs.later, 5e9, 9e6, [1, 1e6]],
    ['uses no more idle than was known', usedNs.atOnce, 5e9, 1e6, [1e6, 1e6]],
    ['is not waited for past the cap', usedNs.never, 1e6, 9e6, [9e6, 9e6]],
  ] as const)('%s', async (_what, reads, quietCapNs, known, [least, most]) => {
    const left = [...reads];
    const sources = { pids: pidsOf(), group: null, firstThreadOf: null };
    const readings = readingsOf(() => left.shift() ?? Number.NaN);
    const order = { ...sources, quietCapNs, idleNsPerS: known };
    const found = await untilQuiet(order, NEVER, readings);
    expect(found.isQuiet).toBe(reads !== usedNs.never);
    expectWithin(found.idleNsPerS, least, most);
    expect(left).toEqual([]);
  });
});

const CAP_NS = 0.5e9;

test('a server that waits for its CPU limit is not idle, and one that does nothing is', async ({
  skip,
}) => {
  skip(!CAN_LIMIT, 'no control group can limit CPU time');
  await using group = limitedGroup(`overhead-test-drain-${process.pid}`, 0.05);
  const start = (script: string) => {
    const [file, ...args] = inGroups([group], ['sh', '-c', script]);
    const child = execa(file, args, { reject: false });
    const sources = { pids: pidsOf(child.pid ?? 0), group: group.folder, firstThreadOf: null };
    return { child, drained: () => drain({ ...sources, drainCapNs: CAP_NS }, READ_HERE) };
  };
  const busy = start('while :; do :; done');
  const throttled = () => readThrottling(group.folder).throttledPeriods;
  await expect.poll(throttled, { timeout: 10_000 }).toBeGreaterThan(0);
  expect(await busy.drained()).toBe(false);
  busy.child.kill('SIGKILL');
  await busy.child;
  expect(await start('exec sleep 60').drained()).toBe(true);
});

test('a handshake takes some time, asks nothing of the server, and fails if nobody listens', async () => {
  await using server = await serveHere();
  const { leastNs, medianNs, p95Ns } = await measureRoundTrip(server.origin);
  expect(leastNs).toBeGreaterThan(1000);
  expect(medianNs).toBeGreaterThanOrEqual(leastNs);
  expect(p95Ns).toBeGreaterThanOrEqual(medianNs);
  expect(server.requests).toBe(0);
  await expect(measureRoundTrip(await closedOrigin())).rejects.toThrow('ECONNREFUSED');
});
