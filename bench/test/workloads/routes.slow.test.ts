/** Servers of many routes, which changes of a framework are compared on. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WORKLOADS } from '../../src/base/places.ts';
import { readTargets } from '../../src/targets/targets.ts';
import { ownPlace } from '../support/leftovers.ts';
import { startAnswering } from '../support/workload.ts';

const targets = readTargets(join(WORKLOADS, 'routes'));

ownPlace();

test('every framework is sent the same, and declares the same answers', () => {
  expect(targets.map(({ name }) => name)).toEqual(['express', 'fastify', 'nest', 'nest-fastify']);
  const [first, ...others] = targets.map(({ requests }) => requests);
  for (const other of others) expect(other).toEqual(first);
});

test('the servers answer on the first route, on the last one, and what an order comes to', async () => {
  await using _servers = await startAnswering(targets);
});

test('what they have in common is the same in all', () => {
  const common = targets.map(({ directory }) => {
    const text = readFileSync(join(directory, 'main.mjs'), 'utf8');
    return text.slice(text.indexOf('const RESOURCES'), text.indexOf('return { items'));
  });
  expect(new Set(common).size).toBe(1);
});
