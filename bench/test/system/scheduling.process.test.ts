import { describe, expect, test } from 'vitest';
import { minus } from '../../src/math/counters.ts';
import { readScheduling } from '../../src/system/scheduling.ts';

/** Above the largest pid that Linux can give. */
const NOBODY = 2 ** 22 + 1;

describe.runIf(process.platform === 'linux')('what the scheduler did to a process', () => {
  test('only grows: it waited, and touched memory for the first time', async () => {
    const before = readScheduling([process.pid]);
    const block = Buffer.alloc(16e6, 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const more = minus(readScheduling([process.pid]), before);
    expect(more?.voluntary).toBeGreaterThan(0);
    expect(more?.involuntary).toBeGreaterThanOrEqual(0);
    expect(more?.faults).toBeGreaterThan(100);
    expect(block).toHaveLength(16e6);
  });

  test('is nothing where there is no process, and not to be read of one that is gone', () => {
    expect(readScheduling([])).toEqual({ voluntary: 0, involuntary: 0, faults: 0 });
    expect(() => readScheduling([NOBODY])).toThrow();
  });
});
