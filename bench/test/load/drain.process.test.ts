import { execa } from 'execa';
import { expect, test } from 'vitest';
import { drain } from '../../src/load/drain.ts';
import { READ_HERE } from '../../src/load/readings.ts';
import { inGroups, readThrottling } from '../../src/system/control-groups.ts';
import { CAN_LIMIT, cpuGroup } from '../support/control-groups.ts';
import { pidsOf } from './servers.ts';

const CAP_NS = 0.5e9;

test.skipIf(!CAN_LIMIT)(
  'a server that waits for its CPU limit is not idle, and one that does nothing is',
  async () => {
    await using group = cpuGroup(`overhead-test-drain-${process.pid}`, 0.05);
    const start = (script: string) => {
      const [file, ...args] = inGroups([group], ['sh', '-c', script]);
      const child = execa(file, args, { reject: false });
      const sources = { pids: pidsOf(child.pid ?? 0), group: group.folder, firstThreadOf: null };
      return { child, drained: () => drain({ ...sources, drainCapNs: CAP_NS }, READ_HERE) };
    };
    const busy = start('while :; do :; done');
    const throttled = () => readThrottling(group.folder).throttledPeriods;
    await expect.poll(throttled, { timeout: 10_000 }).toBeGreaterThan(0);
    expect(await busy.drained()).toMatchObject({ drainCapped: true });
    busy.child.kill('SIGKILL');
    await busy.child;
    expect(await start('exec sleep 60').drained()).toMatchObject({ drainCapped: false });
  },
);
