import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { parallelism, quotaCores } from '../../src/system/parallelism.ts';

const inV2 = (group: string, ...maxima: [folder: string, max: string][]) => {
  const files = maxima.map(([folder, max]) => [`/sys/fs/cgroup${folder}/cpu.max`, `${max}\n`]);
  return { '/proc/self/cgroup': `0::${group}\n`, ...Object.fromEntries(files) };
};
const inV1 = (mount: string, quota: number) => ({
  '/proc/self/cgroup': `5:memory:/x\n4:${mount}:/a\n0::/\n`,
  [`/sys/fs/cgroup/${mount}/a/cpu.cfs_quota_us`]: `${quota}\n`,
  [`/sys/fs/cgroup/${mount}/a/cpu.cfs_period_us`]: '50000\n',
});

test.each<[string, Record<string, string>, number]>([
  ['is infinite without control groups', {}, Infinity],
  ['is infinite where none has one', inV2('/a', ['/a', 'max 100000']), Infinity],
  [
    'of version 2 is the least of a group and those above it',
    inV2('/a/b', ['/a/b', '400000 100000'], ['/a', '250000 100000']),
    2.5,
  ],
  ['of version 1 is read where cpu is mounted', inV1('cpu', 150_000), 3],
  ['of version 1 is read where cpu,cpuacct is mounted', inV1('cpu,cpuacct', 150_000), 3],
  ['of -1 in version 1 is none', inV1('cpu', -1), Infinity],
])('the quota of control groups %s', (_what, files, cores) => {
  expect(quotaCores((path) => files[path] ?? null)).toBe(cores);
});

test('as many processes can run at once as there are cores, or whole ones of the quota, and at least 1', () => {
  const quota = quotaCores((path) => (existsSync(path) ? readFileSync(path, 'utf8') : null));
  expect(parallelism()).toBe(Math.max(1, Math.min(availableParallelism(), Math.floor(quota))));
});
