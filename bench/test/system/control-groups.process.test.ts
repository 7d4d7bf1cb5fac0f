import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import {
  type ControlGroup,
  groupForOthers,
  inGroups,
  makeGroup,
  removeGroup,
} from '../../src/system/control-groups.ts';
import { readThrottling } from '../../src/system/throttling.ts';
import { readCpu } from '../../src/system/usage.ts';
import { userError } from '../support/caught.ts';
import { CAN_LIMIT, controlGroups } from '../support/control-groups.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const WAIT = { timeout: 10_000 };
const PARALLELISM = join(import.meta.dirname, '../../src/system/parallelism.ts');

test('a command puts itself into its group, on a made-up tree', async () => {
  using temporary = temporaryFolder();
  const [file, ...args] = inGroups(
    [{ version: 2, folder: temporary.path }],
    ['sh', '-c', 'echo $$'],
  );
  const { stdout } = await execa(file, args);
  expect(readFileSync(join(temporary.path, 'cgroup.procs'), 'utf8').trim()).toBe(stdout);
});

const textIn = (group: ControlGroup, file: string) =>
  readFileSync(join(group.folder, file), 'utf8');

describe.skipIf(!CAN_LIMIT)('a real group (skipped where none may be made)', () => {
  const own = () => {
    const { version, folder: parent } = groupForOthers(['cpu']);
    return { version, folder: join(parent, `overhead-test-${process.pid}`) };
  };

  test('gives what runs in it no more than its quota, and tells how it held it back', async () => {
    const group = own();
    makeGroup(group, [{ controller: 'cpu', cores: 0.1 }]);
    try {
      const startedMs = performance.now();
      const [file, ...args] = inGroups([group], ['sh', '-c', 'while :; do :; done']);
      const child = execa(file, args, { reject: false });
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
    } finally {
      await removeGroup(group);
    }
    expect(controlGroups()).not.toContain(`overhead-test-${process.pid}`);
  });

  test('is removed with what still runs in it', async () => {
    const group = own();
    makeGroup(group, [{ controller: 'cpu', cores: 1 }]);
    const [file, ...args] = inGroups(
      [group],
      [process.execPath, '-e', 'setInterval(() => {}, 60_000)'],
    );
    const child = execa(file, args, { reject: false, stderr: 'inherit' });
    await expect.poll(() => textIn(group, 'cgroup.procs').trim(), WAIT).toBe(String(child.pid));
    await removeGroup(group);
    expect((await child).signal).toBe('SIGKILL');
    expect(controlGroups()).not.toContain(`overhead-test-${process.pid}`);
  });

  test('with a quota that no group can have is not made', () => {
    const group = own();
    const error = userError(() => makeGroup(group, [{ controller: 'cpu', cores: 1e-5 }]));
    expect(error).toMatchObject({ message: expect.stringContaining("can't limit") });
    expect(controlGroups()).not.toContain(`overhead-test-${process.pid}`);
  });

  test.skipIf(cpus().length < 2)(
    'with a quota of one core leaves one process, whatever the cores',
    async () => {
      const group = own();
      makeGroup(group, [{ controller: 'cpu', cores: 1 }]);
      try {
        const print = `import { parallelism } from ${JSON.stringify(PARALLELISM)};
          console.log(parallelism());`;
        const command = [process.execPath, '--input-type=module-typescript', '-e', print] as const;
        const [file, ...args] = inGroups([group], [...command]);
        expect((await execa(file, args)).stdout).toBe('1');
      } finally {
        await removeGroup(group);
      }
    },
  );
});
