import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { minus } from '../../src/math/counters.ts';
import { readMainThread } from '../../src/system/main-thread.ts';
import {
  CPU_SOURCE,
  readCpu,
  readMemory,
  readPeak,
  readPidusage,
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

test.runIf(process.platform === 'linux')('the system is read as counters that only grow', () => {
  const before = readSystem();
  burn(100);
  const after = readSystem();
  if (before === null || after === null) throw new Error('Linux tells, and was not read');
  expect(after.busyNs - before.busyNs).toBeGreaterThan(0);
  expect(after.stealNs).toBeGreaterThanOrEqual(before.stealNs);
  expect(after.throttledNs).toBeGreaterThanOrEqual(before.throttledNs);
});

describe('the peak of memory', () => {
  test.runIf(process.platform === 'linux')(
    'is summed over processes, and stays when memory goes',
    () => {
      const own = readPeak(OWN) ?? 0;
      expect(own).toBeGreaterThan(10e6);
      expect(readPeak([process.pid, process.ppid]) ?? 0).toBeGreaterThan(own);
      expect(readPeak([])).toBe(0);
      expect(() => readPeak([NOBODY])).toThrow();
      const block = Buffer.alloc(own, 1);
      expect((readPeak(OWN) ?? 0) - own).toBeGreaterThan(block.length / 2);
    },
  );
});

describe('CPU time', () => {
  test('of this process grows with the work it does, as Node itself counts it', async () => {
    const node = process.cpuUsage();
    const before = await readCpu(OWN);
    burn(100);
    const { cpuNs, waitNs } = minus(await readCpu(OWN), before);
    const { user, system } = process.cpuUsage(node);
    expect(cpuNs).toBeGreaterThan(0);
    expect(Math.abs(cpuNs - (user + system) * 1000)).toBeLessThan(60e6);
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
      const { user, system } = process.cpuUsage();
      const last = await readCpu(OWN);
      expect(last.cpuNs).toBeGreaterThan((user + system) * 1000 - 20e6);
      expect(last.cpuNs).toBeGreaterThan(first.cpuNs);
      const after = process.cpuUsage();
      expect(last.cpuNs).toBeLessThan((after.user + after.system) * 1000 + 20e6);
    },
  );

  test('of several processes is their sum', async () => {
    const once = await readCpu(OWN);
    const twice = await readCpu([process.pid, process.pid]);
    if (CPU_SOURCE === 'schedstat') expect(twice.cpuNs).toBeGreaterThanOrEqual(2 * once.cpuNs);
    expect(twice.cpuNs).toBeGreaterThanOrEqual(once.cpuNs);
  });

  test('of no process is nothing', async () => {
    expect(await readCpu([])).toEqual({ cpuNs: 0, waitNs: 0 });
  });

  test('of a process that is gone is an error', async () => {
    await expect(readCpu([process.pid, NOBODY])).rejects.toThrow();
  });

  test('is about the same by the portable way', async () => {
    const used = () => {
      const { user, system } = process.cpuUsage();
      return (user + system) * 1000;
    };
    burn(150);
    const before = used();
    const portable = await readPidusage(OWN);
    expect(portable.waitNs).toBe(0);
    // It counts in ticks of 10 ms, of user and of system time.
    expect(portable.cpuNs).toBeGreaterThan(before - 50e6);
    expect(portable.cpuNs).toBeLessThan(used() + 50e6);
  });
});

describe('memory', () => {
  test('of this process is some share of its resident size', async () => {
    const bytes = await readMemory(OWN);
    expect(bytes).toBeGreaterThan(5e6);
    expect(bytes).toBeLessThan(2 * process.memoryUsage.rss());
  });

  test('of several processes is their sum, and of none nothing', async () => {
    const once = await readMemory(OWN);
    const twice = await readMemory([process.pid, process.pid]);
    expect(twice / once).toBeGreaterThan(process.platform === 'linux' ? 1.5 : 0.5);
    expect(await readMemory([])).toBe(0);
  });

  test('of a process that is gone is an error', async () => {
    await expect(readMemory([NOBODY])).rejects.toThrow();
  });
});

test.runIf(process.platform === 'linux')(
  'what the first thread of a process uses grows with what it does',
  () => {
    const before = readMainThread(process.pid);
    burn(60);
    const used = minus(readMainThread(process.pid), before);
    expect(used?.cpuNs).toBeGreaterThan(5e6);
    expect(used?.kernelNs).toBeGreaterThanOrEqual(0);
  },
);
