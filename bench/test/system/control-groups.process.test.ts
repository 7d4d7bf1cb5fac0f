import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, describe, expect, test } from 'vitest';
import { inGroups, readThrottling, removeGroup } from '../../src/system/control-groups.ts';
import { readCpu } from '../../src/system/usage.ts';
import { userError } from '../support/caught.ts';
import { CAN_LIMIT, controlGroups, limitedGroup } from '../support/control-groups.ts';

const WAIT = { timeout: 10_000 };
const NAME = `overhead-test-${process.pid}`;

function startIn(group: { folder: string }, ...command: [string, ...string[]]) {
  const [file, ...args] = inGroups([group], command);
  return execa(file, args, { reject: false, stderr: 'inherit' });
}

describe.skipIf(!CAN_LIMIT)('a real group (skipped if none can be made)', () => {
  afterEach(() => expect(controlGroups()).not.toContain(NAME));

  test('limits its processes to its quota, and counts the throttling', async () => {
    await using group = limitedGroup(NAME, 0.1);
    const startedMs = performance.now();
    const child = startIn(group, 'sh', '-c', 'while :; do :; done');
    const read = () => readThrottling(group.folder);
    await expect.poll(() => read().throttledPeriods, WAIT).toBeGreaterThanOrEqual(3);
    const { cpuNs } = await readCpu([child.pid ?? 0]);
    const wallMs = performance.now() - startedMs;
    child.kill('SIGKILL');
    await child;
    const { periods, throttledPeriods, throttledNs } = read();
    expect(throttledPeriods).toBeLessThanOrEqual(periods);
    expect(throttledNs).toBeGreaterThan(0);
    expect(cpuNs / 1e6).toBeLessThan(0.5 * wallMs);
  });

  test('is removed with its processes', async () => {
    const group = limitedGroup(NAME, 1);
    const child = startIn(group, process.execPath, '-e', 'setInterval(() => {}, 60_000)');
    const members = () => readFileSync(join(group.folder, 'cgroup.procs'), 'utf8').trim();
    await expect.poll(members, WAIT).toBe(String(child.pid));
    await removeGroup(group.folder);
    expect((await child).signal).toBe('SIGKILL');
  });

  test('is not made with an impossible quota', () => {
    expect(userError(() => limitedGroup(NAME, 1e-5)).message).toContain("can't limit");
  });
});
