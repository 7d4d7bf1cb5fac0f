import { expect, test } from 'vitest';
import { capitalized, conditionName, loadName, topologyName } from '../../src/report/names.ts';
import { resolveTopologies } from '../../src/topology.ts';
import { makeMachine } from '../make-record.ts';

const COST = { id: 'cost', connections: 100, pipelining: 10 } as const;
const [single, two] = resolveTopologies(['single', 'max', 2], makeMachine({ parallelism: 2 }));
if (!single || !two) throw new Error('there are two topologies');

test('a topology has all its names', () => {
  expect(topologyName(single)).toBe('single');
  expect(topologyName(two)).toBe('max = 2');
});

test("a load is named with autocannon's own flags", () => {
  expect(loadName(COST)).toBe('under the cost load (-c 100 -p 10)');
});

test('a condition is a topology and a load in words', () => {
  const name = (topology: typeof single) => conditionName({ topology, load: COST, cells: [] });
  expect(name(single)).toBe('as single processes, under the cost load (-c 100 -p 10)');
  expect(name(two)).toBe('as pm2 clusters of 2 (max = 2), under the cost load (-c 100 -p 10)');
});

test('capitalizes the first letter only', () => {
  expect(capitalized('as pm2 clusters')).toBe('As pm2 clusters');
  expect(capitalized('')).toBe('');
});
