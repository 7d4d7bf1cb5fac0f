import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { drain } from '../../src/load/drain.ts';
import {
  groupForOthers,
  inGroups,
  makeGroup,
  removeGroup,
} from '../../src/system/control-groups.ts';
import { readThrottling } from '../../src/system/throttling.ts';
import { CAN_LIMIT } from '../support/control-groups.ts';

const CAP_NS = 0.5e9;

test.skipIf(!CAN_LIMIT)(
  'a server that waits for its CPU limit is not idle, and one that does nothing is',
  async () => {
    const { version, folder: parent } = groupForOthers(['cpu']);
    const group = { version, folder: join(parent, `overhead-test-drain-${process.pid}`) };
    makeGroup(group, [{ controller: 'cpu', cores: 0.05 }]);
    const start = (script: string) => {
      const [file, ...args] = inGroups([group], ['sh', '-c', script]);
      const child = execa(file, args, { reject: false });
      const pids = { server: [child.pid ?? 0], manager: [], harness: [], services: {} };
      return { child, order: { pids, group: group.folder, drainCapNs: CAP_NS } };
    };
    try {
      const busy = start('while :; do :; done');
      const throttled = () => readThrottling(group.folder).throttledPeriods;
      await expect.poll(throttled, { timeout: 10_000 }).toBeGreaterThan(0);
      expect(await drain(busy.order)).toMatchObject({ drainCapped: true });
      busy.child.kill('SIGKILL');
      await busy.child;
      const idle = start('exec sleep 60');
      expect(await drain(idle.order)).toMatchObject({ drainCapped: false });
    } finally {
      await removeGroup(group);
    }
  },
);
