/** Servers with many routes, for comparing versions of a framework. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WORKLOADS } from '../../src/base/places.ts';
import { readTargets } from '../../src/targets/targets.ts';
import { ownPlace } from '../support/leftovers.ts';
import { startAnswering } from '../support/workload.ts';

const targets = readTargets(join(WORKLOADS, 'routes'));

ownPlace();

test('all frameworks have the same requests and answers', () => {
  expect(targets.map(({ name }) => name)).toEqual(['express', 'fastify', 'nest', 'nest-fastify']);
  const [first, ...others] = targets.map(({ requests }) => requests);
  for (const other of others) expect(other).toEqual(first);
});

test('the servers answer on the first and the last route, and add up an order', async () => {
  await using _servers = await startAnswering(targets);
});

test('the code that they share is the same in all', () => {
  const common = targets.map(({ directory }) => {
    const text = readFileSync(join(directory, 'main.mjs'), 'utf8');
    return text.slice(text.indexOf('const RESOURCES'), text.indexOf('return { items'));
  });
  expect(new Set(common).size).toBe(1);
});
