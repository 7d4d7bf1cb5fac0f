import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPublished } from '../src/published.ts';
import { readTargets, SUITES } from '../src/targets.ts';

const PACKAGES = join(import.meta.dirname, '../../packages');

test('the published frameworks are compared as single processes, with Express as the base', () => {
  const { results } = readPublished('frameworks');
  expect(results[0]).toMatchObject({ target: 'express-app', topology: 'single' });
  expect(results.map(({ topology }) => topology)).toEqual(results.map(() => 'single'));
  expect(results.length).toBeGreaterThan(1);
});

test('the published clusters are all of fib-cpu, with the single process as the base', () => {
  const { results } = readPublished('cluster');
  expect(results.map(({ topology }) => topology)).toEqual(['single', 'max', '2']);
  for (const { target } of results) expect(target).toBe('fib-cpu');
});

test.each(SUITES)('every published result of %s is of a target that is here', (suite) => {
  const names = readTargets(PACKAGES).map(({ name }) => name);
  for (const { target, requestsPerSecond } of readPublished(suite).results) {
    expect(names).toContain(target);
    expect(requestsPerSecond).toBeGreaterThan(0);
  }
});

test.each(SUITES)('%s names its source and its machine', (suite) => {
  const { source, cpu } = readPublished(suite);
  expect(source).toMatch(/\w{5}/);
  expect(cpu).toMatch(/\w{3}/);
});
