import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { minus } from '../../src/math/counters.ts';
import {
  CPU_SOURCE,
  readCpu,
  readCpuOfTrees,
  readMainThread,
  readMemory,
  readPeak,
  readPidusage,
  readScheduling,
  readSystem,
} from '../../src/system/usage.ts';

const IS_LINUX = process.platform === 'linux';
const OWN = [process.pid];
/** Above the largest pid that Linux can give. */
const NOBODY = 2 ** 22 + 1;

/** The CPU time of this process as Node counts it, ns. */
function usedSince(from?: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(from);
  return (user + system) * 1000;
}

/** Uses so much CPU time. */
function burn(ms: number): void {
  const from = process.cpuUsage();
  while (usedSince(from) < ms * 1e6);
}

test('no processes have used nothing, and one that is gone can not be read', async () => {
  expect(await readCpu([])).toEqual({ cpuNs: 0, waitNs: 0 });
  expect(await readMemory([])).toBe(0);
  await expect(readCpu([process.pid, NOBODY])).rejects.toThrow();
  await expect(readMemory([NOBODY])).rejects.toThrow();
  if (!IS_LINUX) return;
  expect(readPeak([])).toBe(0);
  expect(readScheduling([])).toEqual({ voluntary: 0, involuntary: 0, faults: 0 });
  for (const read of [readPeak, readScheduling]) expect(() => read([NOBODY])).toThrow();
  expect(() => readMainThread(NOBODY)).toThrow();
});

describe.runIf(IS_LINUX)('on Linux', () => {
  test('counters of the system and of the main thread grow with the work', () => {
    const before = [readSystem(), readMainThread(process.pid)] as const;
    burn(100);
    const system = minus(readSystem(), before[0]);
    expect(system?.busyNs).toBeGreaterThan(0);
    expect(system?.stealNs).toBeGreaterThanOrEqual(0);
    expect(system?.throttledNs).toBeGreaterThanOrEqual(0);
    const thread = minus(readMainThread(process.pid), before[1]);
    expect(thread?.cpuNs).toBeGreaterThan(5e6);
    expect(thread?.kernelNs).toBeGreaterThanOrEqual(0);
  });

  test('the peak of memory is summed over processes, and stays when memory is freed', () => {
    const own = readPeak(OWN) ?? 0;
    expect(own).toBeGreaterThan(10e6);
    expect(readPeak([process.pid, process.ppid]) ?? 0).toBeGreaterThan(own);
    const block = Buffer.alloc(own, 1);
    expect((readPeak(OWN) ?? 0) - own).toBeGreaterThan(block.length / 2);
  });

  test('page faults count, and the switches and the waiting of a thread, also once it has ended', async () => {
    const waits = `const { parentPort } = require('node:worker_threads');
      const cell = new Int32Array(new SharedArrayBuffer(4));
      for (let waits = 0; waits < 100; waits++) Atomics.wait(cell, 0, 0, 1);
      parentPort.postMessage('waited');
      parentPort.once('message', () => process.exit());`;
    const idle = readScheduling(OWN);
    const block = Buffer.alloc(16e6, 1);
    const worker = new Worker(waits, { eval: true });
    await once(worker, 'message');
    const [switches, cpu] = [readScheduling(OWN), await readCpuOfTrees(OWN)];
    const more = minus(switches, idle);
    expect(more?.voluntary).toBeGreaterThanOrEqual(100);
    expect(more?.faults).toBeGreaterThan(100);
    expect(block).toHaveLength(16e6);
    worker.postMessage('end');
    await once(worker, 'exit');
    const after = minus(readScheduling(OWN), switches);
    expect(after?.voluntary).toBeGreaterThanOrEqual(0);
    expect(after?.involuntary).toBeGreaterThanOrEqual(0);
    const waited = minus(await readCpuOfTrees(OWN), cpu);
    expect(waited[0]?.waitNs).toBeGreaterThanOrEqual(0);
  });
});

describe('CPU time', () => {
  test.runIf(CPU_SOURCE === 'schedstat')('includes ended threads, to two ticks', async () => {
    const first = await readCpu(OWN);
    const spin = 'const until = performance.now() + 200; while (performance.now() < until);';
    for (let threads = 0; threads < 3; threads++) {
      await once(new Worker(spin, { eval: true }), 'exit');
    }
    const leastNs = usedSince();
    const last = await readCpu(OWN);
    expect(last.cpuNs).toBeGreaterThan(leastNs - 20e6);
    expect(last.cpuNs).toBeGreaterThan(first.cpuNs);
    expect(last.cpuNs).toBeLessThan(usedSince() + 20e6);
  });

  test('of several processes is their sum, and about the same without /proc', async () => {
    const one = await readCpu(OWN);
    const two = await readCpu([process.pid, process.pid]);
    if (CPU_SOURCE === 'schedstat') expect(two.cpuNs).toBeGreaterThanOrEqual(2 * one.cpuNs);
    expect(two.cpuNs).toBeGreaterThanOrEqual(one.cpuNs);
    burn(150);
    const leastNs = usedSince();
    const portable = await readPidusage(OWN);
    expect(portable.waitNs).toBe(0);
    // In ticks of 10 ms, for user and for system time.
    expect(portable.cpuNs).toBeGreaterThan(leastNs - 50e6);
    expect(portable.cpuNs).toBeLessThan(usedSince() + 50e6);
  });
});

test('memory is a share of the resident size, and of several processes their sum', async () => {
  const one = await readMemory(OWN);
  expect(one).toBeGreaterThan(5e6);
  expect(one).toBeLessThan(2 * process.memoryUsage.rss());
  const two = await readMemory([process.pid, process.pid]);
  expect(two / one).toBeGreaterThan(IS_LINUX ? 1.5 : 0.5);
});
