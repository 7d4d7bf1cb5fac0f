/** Servers of many routes, which changes of a framework are compared on. */
import { describe, expect, test } from 'vitest';
import { ownPlace } from '../support/leftovers.ts';
import { startAnswering, workload } from '../support/workload.ts';

const { targets, isBuilt } = workload('routes');

ownPlace();

test('every framework is sent the same, and declares the same answers', () => {
  expect(targets.map(({ name }) => name)).toEqual(['express', 'fastify', 'nest', 'nest-fastify']);
  const [first, ...others] = targets.map(({ requests }) => requests);
  for (const other of others) expect(other).toEqual(first);
});

describe('the servers', () => {
  isBuilt();

  test('answer on the first route, on the last one, and what an order comes to', async () => {
    await using _servers = await startAnswering(targets);
  });
});
