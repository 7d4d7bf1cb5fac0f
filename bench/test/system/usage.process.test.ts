import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { minus } from '../../src/math/counters.ts';
import {
  CPU_SOURCE,
  readCpu,
  readMainThread,
  readMemory,
  readPeak,
  readPidusage,
  readScheduling,
  readSystem,
} from '../../src/system/usage.ts';

const OWN = [process.pid];
/** Above the largest pid that Linux can give. */
const NOBODY = 2 ** 22 + 1;

/** Uses the CPU for so long. */
function burn(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** What Node itself says that this process has used since then, ns. */
function usedSince(from?: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(from);
  return (user + system) * 1000;
}

test('of no process nothing is used, and of one that is gone nothing can be read', async () => {
  expect(await readCpu([])).toEqual({ cpuNs: 0, waitNs: 0 });
  expect(await readMemory([])).toBe(0);
  await expect(readCpu([process.pid, NOBODY])).rejects.toThrow();
  await expect(readMemory([NOBODY])).rejects.toThrow();
});

describe.runIf(process.platform === 'linux')('on Linux', () => {
  test('the system is read as counters that only grow', () => {
    const before = readSystem();
    burn(100);
    const used = minus(readSystem(), before);
    expect(used?.busyNs).toBeGreaterThan(0);
    expect(used?.stealNs).toBeGreaterThanOrEqual(0);
    expect(used?.throttledNs).toBeGreaterThanOrEqual(0);
  });

  test('the peak of memory is summed over processes, and stays when memory goes', () => {
    const own = readPeak(OWN) ?? 0;
    expect(own).toBeGreaterThan(10e6);
    expect(readPeak([process.pid, process.ppid]) ?? 0).toBeGreaterThan(own);
    expect(readPeak([])).toBe(0);
    expect(() => readPeak([NOBODY])).toThrow();
    const block = Buffer.alloc(own, 1);
    expect((readPeak(OWN) ?? 0) - own).toBeGreaterThan(block.length / 2);
  });

  test('what the first thread of a process uses grows with what it does', () => {
    const before = readMainThread(process.pid);
    burn(60);
    const used = minus(readMainThread(process.pid), before);
    expect(used?.cpuNs).toBeGreaterThan(5e6);
    expect(used?.kernelNs).toBeGreaterThanOrEqual(0);
    expect(() => readMainThread(NOBODY)).toThrow();
  });

  test('what the scheduler did only grows: it waited, and touched memory for the first time', async () => {
    const before = readScheduling(OWN);
    const block = Buffer.alloc(16e6, 1);
    await sleep(20);
    const more = minus(readScheduling(OWN), before);
    expect(more?.voluntary).toBeGreaterThan(0);
    expect(more?.involuntary).toBeGreaterThanOrEqual(0);
    expect(more?.faults).toBeGreaterThan(100);
    expect(block).toHaveLength(16e6);
    expect(readScheduling([])).toEqual({ voluntary: 0, involuntary: 0, faults: 0 });
    expect(() => readScheduling([NOBODY])).toThrow();
  });
});

describe('CPU time', () => {
  test('of this process grows with the work it does, as Node itself counts it', async () => {
    const node = process.cpuUsage();
    const before = await readCpu(OWN);
    burn(100);
    const { cpuNs, waitNs } = minus(await readCpu(OWN), before);
    expect(cpuNs).toBeGreaterThan(0);
    expect(Math.abs(cpuNs - usedSince(node))).toBeLessThan(60e6);
    expect(waitNs).toBeGreaterThanOrEqual(0);
  });

  test.runIf(CPU_SOURCE === 'schedstat')(
    'has that of threads which have ended, to two ticks of the system',
    async () => {
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
    },
  );

  test('of several processes is their sum', async () => {
    const once = await readCpu(OWN);
    const twice = await readCpu([process.pid, process.pid]);
    if (CPU_SOURCE === 'schedstat') expect(twice.cpuNs).toBeGreaterThanOrEqual(2 * once.cpuNs);
    expect(twice.cpuNs).toBeGreaterThanOrEqual(once.cpuNs);
  });

  test('is about the same by the portable way', async () => {
    burn(150);
    const leastNs = usedSince();
    const portable = await readPidusage(OWN);
    expect(portable.waitNs).toBe(0);
    // It counts in ticks of 10 ms, of user and of system time.
    expect(portable.cpuNs).toBeGreaterThan(leastNs - 50e6);
    expect(portable.cpuNs).toBeLessThan(usedSince() + 50e6);
  });
});

test('memory is some share of the resident size, and of several processes their sum', async () => {
  const once = await readMemory(OWN);
  expect(once).toBeGreaterThan(5e6);
  expect(once).toBeLessThan(2 * process.memoryUsage.rss());
  const twice = await readMemory([process.pid, process.pid]);
  expect(twice / once).toBeGreaterThan(process.platform === 'linux' ? 1.5 : 0.5);
});
