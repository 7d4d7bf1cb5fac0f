import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Published, readPublished } from '../../src/summary/published.ts';
import { readTargets, SUITES, type Suite } from '../../src/targets/targets.ts';

const PACKAGES = join(import.meta.dirname, '../../../packages');

/** The published figures of a suite that has some. */
function publishedOf(suite: Suite): Published {
  const published = readPublished(suite);
  if (published === null) throw new Error(`nobody has published anything of ${suite}`);
  return published;
}

test('the published frameworks are compared as single processes, with Express as the base', () => {
  const { results } = publishedOf('frameworks');
  expect(results[0]).toMatchObject({ target: 'express-app', topology: 'single' });
  expect(results.map(({ topology }) => topology)).toEqual(results.map(() => 'single'));
  expect(results.length).toBeGreaterThan(1);
});

test('the published clusters are all of fib-cpu, with the single process as the base', () => {
  const { results } = publishedOf('cluster');
  expect(results.map(({ topology }) => topology)).toEqual(['single', 'max', '2']);
  for (const { target } of results) expect(target).toBe('fib-cpu');
});

test.each(SUITES)('every published result of %s is of a target that is here', (suite) => {
  const names = readTargets(PACKAGES).map(({ name }) => name);
  for (const { target, requestsPerSecond } of publishedOf(suite).results) {
    expect(names).toContain(target);
    expect(requestsPerSecond).toBeGreaterThan(0);
  }
});

test.each(SUITES)('%s names its source and its machine', (suite) => {
  const { source, cpu } = publishedOf(suite);
  expect(source).toMatch(/\w{5}/);
  expect(cpu).toMatch(/\w{3}/);
});

test('nobody has published anything to compare the servers of known cost with', () => {
  expect(readPublished('truth')).toBeNull();
});
