import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { describe, expect, test } from 'vitest';
import { parallelism, quotaCores } from '../../src/system/parallelism.ts';

const quotaIn = (files: Record<string, string>) => quotaCores((path) => files[path] ?? null);

describe('the quota of control groups', () => {
  test('is infinite where there are none, and where none has one', () => {
    expect(quotaIn({})).toBe(Number.POSITIVE_INFINITY);
    const files = { '/proc/self/cgroup': '0::/a\n', '/sys/fs/cgroup/a/cpu.max': 'max 100000\n' };
    expect(quotaIn(files)).toBe(Number.POSITIVE_INFINITY);
  });

  test('of version 2 is quota over period', () => {
    const files = { '/proc/self/cgroup': '0::/a\n', '/sys/fs/cgroup/a/cpu.max': '250000 100000\n' };
    expect(quotaIn(files)).toBe(2.5);
  });

  test('is the least of a group and those above it', () => {
    const files = {
      '/proc/self/cgroup': '0::/a/b\n',
      '/sys/fs/cgroup/a/b/cpu.max': '400000 100000\n',
      '/sys/fs/cgroup/a/cpu.max': '300000 100000\n',
    };
    expect(quotaIn(files)).toBe(3);
  });

  test.each(['cpu', 'cpu,cpuacct'])('of version 1 is read where %s is mounted', (mount) => {
    const files = {
      '/proc/self/cgroup': `5:memory:/x\n4:${mount}:/a\n0::/\n`,
      [`/sys/fs/cgroup/${mount}/a/cpu.cfs_quota_us`]: '150000\n',
      [`/sys/fs/cgroup/${mount}/a/cpu.cfs_period_us`]: '50000\n',
    };
    expect(quotaIn(files)).toBe(3);
  });

  test('of -1 in version 1 is none', () => {
    const files = {
      '/proc/self/cgroup': '4:cpu:/\n',
      '/sys/fs/cgroup/cpu/cpu.cfs_quota_us': '-1\n',
      '/sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000\n',
    };
    expect(quotaIn(files)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('how many processes can run at once here', () => {
  const quota = quotaCores((path) => (existsSync(path) ? readFileSync(path, 'utf8') : null));
  const cores = availableParallelism();

  test.runIf(quota >= cores)('is the number of cores, where no quota is less', () => {
    expect(parallelism()).toBe(cores);
  });

  test.runIf(quota < cores)(
    'is the whole cores of the quota, where that is less, and at least 1',
    () => {
      expect(parallelism()).toBe(quota < 1 ? 1 : Math.floor(quota));
    },
  );
});
