import fc from 'fast-check';
import { expect } from 'vitest';
import { quotaCores } from '../../src/system/parallelism.ts';
import { property, textOf } from '../support/random.ts';

const us = fc.integer({ min: 1, max: 10_000_000 });
const quotas = fc.array(fc.record({ quota: fc.option(us), period: us }), {
  minLength: 1,
  maxLength: 4,
});

property('the quota is the least of all groups', quotas, (groups) => {
  const files = new Map([['/proc/self/cgroup', `0::${groups.map(() => '/g').join('')}\n`]]);
  for (const [depth, { quota, period }] of groups.entries()) {
    const folder = `/sys/fs/cgroup${'/g'.repeat(depth + 1)}`;
    files.set(`${folder}/cpu.max`, `${quota ?? 'max'} ${period}\n`);
  }
  const cores = groups.map(({ quota, period }) => (quota ?? Number.POSITIVE_INFINITY) / period);
  expect(quotaCores((path) => files.get(path) ?? null)).toBe(Math.min(...cores));
});

const texts = textOf('0::/a', '4:cpu:/', '\n', 'max ', '-1', '100000', ' ', '0', 'Infinity', '1e9');
property('of any text it is more than nothing', fc.tuple(texts, texts), ([membership, quota]) => {
  const cores = quotaCores((path) => (path === '/proc/self/cgroup' ? membership : quota));
  expect(cores).toBeGreaterThan(0);
});
