import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { type FollowedPids, startSeries } from '../../src/load/series.ts';
import * as usage from '../../src/system/usage.ts';
import { until } from './servers.ts';

vi.mock('../../src/system/usage.ts', { spy: true });

const SPINNING = 'for (;;);';
const SLEEPING = 'setInterval(() => {}, 1e9);';

/** A process that runs this code until it is disposed of. */
async function startChild(code: string): Promise<AsyncDisposable & { pid: number }> {
  const child = spawn(process.execPath, ['-e', code], { stdio: 'ignore' });
  await once(child, 'spawn');
  const { pid } = child;
  if (pid === undefined) throw new Error('a spawned process has a pid');
  return {
    pid,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

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
    await using busy = await startChild(SPINNING);
    await using idle = await startChild(SLEEPING);
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

  test('adds up several processes, and is 0 where there is none', async () => {
    await using one = await startChild(SLEEPING);
    await using two = await startChild(SLEEPING);
    const both = await sampled({ ...only(one.pid), server: [one.pid, two.pid] }, 1);
    const alone = await sampled(only(one.pid), 1);
    const [[all], [single]] = [await both.stop(), await alone.stop()];
    expect(all?.bytes.server).toBeGreaterThan(single?.bytes.server ?? Infinity);
    expect(all).toMatchObject({ bytes: { manager: 0 }, cpuNs: { manager: 0 }, services: {} });
  });

  test('is empty where it is stopped before the first second is over, without waiting for it', async () => {
    await using idle = await startChild(SLEEPING);
    const series = startSeries(only(idle.pid));
    const startedMs = performance.now();
    expect(await series.stop()).toEqual([]);
    expect(performance.now() - startedMs).toBeLessThan(900);
    expect(await series.stop()).toBe(await series.stop());
  });

  test('tells whoever stops it that a process went away, and nobody before', async () => {
    const unheard: unknown[] = [];
    const listen = (error: unknown) => unheard.push(error);
    process.on('unhandledRejection', listen);
    try {
      const child = await startChild(SLEEPING);
      const series = startSeries(only(child.pid));
      await child[Symbol.asyncDispose]();
      const failed = () => {
        const { settledResults } = vi.mocked(usage.readCpu).mock;
        return settledResults.some(({ type }) => type === 'rejected');
      };
      await until(failed);
      await expect(series.stop()).rejects.toThrow();
      expect(unheard).toEqual([]);
    } finally {
      process.off('unhandledRejection', listen);
    }
  });
});

test('a series keeps no timer once it was stopped', async () => {
  await using idle = await startChild(SLEEPING);
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout');
  const before = timers().length;
  await startSeries(only(idle.pid)).stop();
  await until(() => timers().length <= before, 1000);
});
