import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { startSeries } from '../../src/load/series.ts';
import * as usage from '../../src/system/usage.ts';
import { eventually } from '../support/processes.ts';

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

/** Waits until memory, which ends a sample, has been read for so many samples of this series. */
async function untilSampled(pids: readonly number[], samples: number): Promise<void> {
  const sampled = () => {
    return vi.mocked(usage.readMemory).mock.calls.filter(([read]) => read === pids).length;
  };
  expect(await eventually(() => sampled() >= samples, 20_000)).toBe(true);
}

// Each waits for a second.
describe.concurrent('the series of processes', () => {
  test('has a sample a second, with what the server and its manager used in it', async () => {
    await using busy = await startChild(SPINNING);
    await using idle = await startChild(SLEEPING);
    const pids = { server: [busy.pid], manager: [idle.pid], services: {} };
    const series = startSeries(pids);
    await untilSampled(pids.server, 2);
    const samples = await series.stop();
    expect(samples.length).toBeGreaterThanOrEqual(2);
    for (const { ns, cpuNs, bytes } of samples) {
      expect(ns).toBeGreaterThanOrEqual(1e9);
      // However busy the machine is, one spins and the other one sleeps.
      expect(cpuNs.server).toBeGreaterThan(cpuNs.manager);
      expect(cpuNs.server).toBeLessThan(ns * 1.1);
      expect(cpuNs.manager).toBeGreaterThanOrEqual(0);
      for (const each of [bytes.server, bytes.manager]) expect(each).toBeGreaterThan(1e6);
    }
  });

  test('has what each service used beside them', async () => {
    await using busy = await startChild(SPINNING);
    await using idle = await startChild(SLEEPING);
    const services = { redis: [busy.pid], mariadb: [idle.pid] };
    const pids = { server: [idle.pid], manager: [], services };
    const series = startSeries(pids);
    await untilSampled(pids.server, 1);
    const [first] = await series.stop();
    expect(Object.keys(first?.services ?? {})).toEqual(['redis', 'mariadb']);
    expect(first?.services.redis?.cpuNs).toBeGreaterThan(first?.services.mariadb?.cpuNs ?? 0);
    for (const { bytes } of Object.values(first?.services ?? {}))
      expect(bytes).toBeGreaterThan(1e6);
  });

  test('adds up several processes, and is 0 where there is none', async () => {
    await using one = await startChild(SLEEPING);
    await using two = await startChild(SLEEPING);
    const pids = { all: [one.pid, two.pid], alone: [one.pid] };
    const [all, alone] = [
      startSeries({ server: pids.all, manager: [], services: {} }),
      startSeries({ server: pids.alone, manager: [], services: {} }),
    ];
    await untilSampled(pids.all, 1);
    await untilSampled(pids.alone, 1);
    const [both, single] = [(await all.stop()).at(-1), (await alone.stop()).at(-1)];
    if (both === undefined || single === undefined) throw new Error('a second has passed');
    expect(both.bytes.server).toBeGreaterThan(single.bytes.server);
    expect(both.bytes.manager).toBe(0);
    expect(both.cpuNs.manager).toBe(0);
  });

  test('is empty where it is stopped before the first second is over, without waiting for it', async () => {
    await using idle = await startChild(SLEEPING);
    const series = startSeries({ server: [idle.pid], manager: [], services: {} });
    let secondIsOver = false;
    const timer = setTimeout(() => {
      secondIsOver = true;
    }, 900);
    expect(await series.stop()).toEqual([]);
    expect(secondIsOver).toBe(false);
    clearTimeout(timer);
  });

  test('gives the same samples however often it is stopped', async () => {
    await using idle = await startChild(SLEEPING);
    const pids = [idle.pid];
    const series = startSeries({ server: pids, manager: [], services: {} });
    await untilSampled(pids, 1);
    const samples = await series.stop();
    expect(samples).not.toEqual([]);
    expect(await series.stop()).toBe(samples);
  });

  test('tells whoever stops it that a process went away, and nobody before', async () => {
    const unheard: unknown[] = [];
    const listen = (error: unknown) => unheard.push(error);
    process.on('unhandledRejection', listen);
    try {
      const child = await startChild(SLEEPING);
      const series = startSeries({ server: [child.pid], manager: [], services: {} });
      await child[Symbol.asyncDispose]();
      const failed = () => {
        const { settledResults } = vi.mocked(usage.readCpu).mock;
        return settledResults.some(({ type }) => type === 'rejected');
      };
      expect(await eventually(failed, 20_000)).toBe(true);
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
  const series = startSeries({ server: [idle.pid], manager: [], services: {} });
  await series.stop();
  expect(await eventually(() => timers().length <= before, 1000)).toBe(true);
});
