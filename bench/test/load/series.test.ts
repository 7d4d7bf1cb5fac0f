import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { startSeries } from '../../src/load/series.ts';
import { eventually } from '../support/processes.ts';

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

describe('the series of processes', () => {
  test('has a sample a second, with what the server and its manager used in it', async () => {
    await using busy = await startChild(SPINNING);
    await using idle = await startChild(SLEEPING);
    const series = startSeries({ server: [busy.pid], manager: [idle.pid] });
    await sleep(3300);
    const samples = await series.stop();
    expect(samples.length).toBeGreaterThanOrEqual(1);
    expect(samples.length).toBeLessThanOrEqual(3);
    for (const { ns, cpuNs, bytes } of samples) {
      expect(ns).toBeGreaterThanOrEqual(1e9);
      // However busy the machine is, one spins and the other one sleeps.
      expect(cpuNs.server).toBeGreaterThan(cpuNs.manager);
      expect(cpuNs.server).toBeLessThan(ns * 1.1);
      expect(cpuNs.manager).toBeGreaterThanOrEqual(0);
      for (const each of [bytes.server, bytes.manager]) expect(each).toBeGreaterThan(1e6);
    }
  });

  test('adds up several processes, and is 0 where there is none', async () => {
    await using one = await startChild(SLEEPING);
    await using two = await startChild(SLEEPING);
    const [all, alone] = [
      startSeries({ server: [one.pid, two.pid], manager: [] }),
      startSeries({ server: [one.pid], manager: [] }),
    ];
    await sleep(1300);
    const [both, single] = [(await all.stop()).at(-1), (await alone.stop()).at(-1)];
    if (both === undefined || single === undefined) throw new Error('a second has passed');
    expect(both.bytes.server).toBeGreaterThan(single.bytes.server);
    expect(both.bytes.manager).toBe(0);
    expect(both.cpuNs.manager).toBe(0);
  });

  test('is empty where it is stopped before the first second is over, and ends at once', async () => {
    await using idle = await startChild(SLEEPING);
    const series = startSeries({ server: [idle.pid], manager: [] });
    const before = performance.now();
    expect(await series.stop()).toEqual([]);
    expect(performance.now() - before).toBeLessThan(900);
  });

  test('gives the same samples however often it is stopped', async () => {
    await using idle = await startChild(SLEEPING);
    const series = startSeries({ server: [idle.pid], manager: [] });
    await sleep(1300);
    const samples = await series.stop();
    expect(await series.stop()).toBe(samples);
  });

  test('tells whoever stops it that a process went away, and nobody before', async () => {
    const unheard: unknown[] = [];
    const listen = (error: unknown) => unheard.push(error);
    process.on('unhandledRejection', listen);
    try {
      const child = await startChild(SLEEPING);
      const series = startSeries({ server: [child.pid], manager: [] });
      await child[Symbol.asyncDispose]();
      await sleep(1300);
      await expect(series.stop()).rejects.toThrow();
      expect(unheard).toEqual([]);
    } finally {
      process.off('unhandledRejection', listen);
    }
  });

  test('keeps no timer once it was stopped', async () => {
    await using idle = await startChild(SLEEPING);
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout');
    const before = timers().length;
    const series = startSeries({ server: [idle.pid], manager: [] });
    await series.stop();
    expect(await eventually(() => timers().length <= before, 1000)).toBe(true);
  });
});
