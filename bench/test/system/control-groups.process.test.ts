import { execa } from 'execa';
import { afterEach, describe, expect, test } from 'vitest';
import { inGroups, readThrottling, removeGroup } from '../../src/system/control-groups.ts';
import { readCpu } from '../../src/system/usage.ts';
import { userError } from '../support/caught.ts';
import { CAN_LIMIT, controlGroups, limitedGroup } from '../support/control-groups.ts';

const NAME = `overhead-test-${process.pid}`;

describe.skipIf(!CAN_LIMIT)('a real group (skipped if none can be made)', () => {
  afterEach(() => expect(controlGroups()).not.toContain(NAME));

  test('limits its processes to its quota, counts the throttling, and is removed with them', async () => {
    await using group = limitedGroup(NAME, 0.1);
    const startedMs = performance.now();
    const [file, ...args] = inGroups([group], ['sh', '-c', 'while :; do :; done']);
    const child = execa(file, args, { reject: false, stderr: 'inherit' });
    const read = () => readThrottling(group.folder);
    const throttled = () => read().throttledPeriods;
    await expect.poll(throttled, { timeout: 10_000 }).toBeGreaterThanOrEqual(3);
    const { cpuNs } = await readCpu([child.pid ?? 0]);
    const wallMs = performance.now() - startedMs;
    const { periods, throttledPeriods, throttledNs } = read();
    expect(throttledPeriods).toBeLessThanOrEqual(periods);
    expect(throttledNs).toBeGreaterThan(0);
    expect(cpuNs / 1e6).toBeLessThan(0.5 * wallMs);
    await removeGroup(group.folder);
    expect((await child).signal).toBe('SIGKILL');
  });

  test('is not made with an impossible quota', () => {
    expect(userError(() => limitedGroup(NAME, 1e-5)).message).toContain("can't limit");
  });
});
