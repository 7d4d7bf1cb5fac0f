import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type Published,
  publishedClusters,
  publishedFrameworks,
} from '../../src/summary/published.ts';
import { readTargets } from '../../src/targets/targets.ts';

const PACKAGES = join(import.meta.dirname, '../../../packages');

const PUBLISHED: [name: string, published: Published][] = [
  ['frameworks', publishedFrameworks()],
  ['cluster', publishedClusters()],
];

test('the published frameworks are compared as single processes, with Express as the base', () => {
  const { results } = publishedFrameworks();
  expect(results[0]).toMatchObject({ target: 'express-app', topology: 'single' });
  expect(results.map(({ topology }) => topology)).toEqual(results.map(() => 'single'));
  expect(results.length).toBeGreaterThan(1);
});

test('the published clusters are all of fib-cpu, with the single process as the base', () => {
  const { results } = publishedClusters();
  expect(results.map(({ topology }) => topology)).toEqual(['single', 'max', '2']);
  for (const { target } of results) expect(target).toBe('fib-cpu');
});

test.each(PUBLISHED)(
  'every published result of %s is of a target that is here',
  (_, { results }) => {
    const names = readTargets(PACKAGES).map(({ name }) => name);
    expect(results).not.toEqual([]);
    for (const { target, requestsPerSecond } of results) {
      expect(names).toContain(target);
      expect(requestsPerSecond).toBeGreaterThan(0);
    }
  },
);

test.each(PUBLISHED)('%s names its source and its machine', (_, { source, cpu }) => {
  expect(source).toMatch(/\w{5}/);
  expect(cpu).toMatch(/\w{3}/);
});
