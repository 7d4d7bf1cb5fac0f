import { expect, test } from 'vitest';
import type { Load } from '../../src/plan/loads.ts';
import { resolveTopologies, type Topology } from '../../src/plan/topology.ts';
import {
  capitalized,
  conditionName,
  loadName,
  loadWords,
  rowName,
  topologyName,
} from '../../src/report/names.ts';
import type { TopologyName } from '../../src/request/option-values.ts';
import { makeMachine, makeTarget } from '../support/make-record.ts';

const TIMING = { method: 'sliced', sliceNs: 1e9, timeoutNs: 10e9 } as const;
const COST: Load = { kind: 'closed', id: 'cost', connections: 100, pipelining: 10, ...TIMING };
const NAMES: TopologyName[] = ['single', 'max', 2, 'fork', 'pmx:1', 'cluster:max'];
const TOPOLOGIES = resolveTopologies(NAMES, makeMachine({ parallelism: 2 }));

test('a topology has all its names, and its number', () => {
  const all = ['single', 'max = 2', 'fork', 'pmx:1', 'cluster:max = cluster:2'];
  expect(TOPOLOGIES.map(topologyName)).toEqual(all);
});

test("a load is named with autocannon's own flags", () => {
  expect(loadName(COST)).toBe('under the cost load (-c 100 -p 10)');
});

test('an open load is named with its rate', () => {
  const id = 'rate-12500';
  const at = { driver: 'pacer', ratePerS: 12_500, connections: 1000 } as const;
  const load: Load = { kind: 'open', id, ...at, ...TIMING };
  expect(loadName(load)).toBe('at 12,500 requests/s');
});

test('a load of the cluster suite is named in words', () => {
  const ids = ['alone', 'feasible', 'overload'] as const;
  expect(ids.map((id) => loadWords({ ...COST, id }))).toEqual([
    'with one request at a time',
    'under the feasible load',
    'under the overload',
  ]);
});

test('a target in a topology is named by both', () => {
  expect(TOPOLOGIES.slice(0, 2).map((topology) => rowName(makeTarget('app'), topology))).toEqual([
    'app (single)',
    'app (max = 2)',
  ]);
});

test('a condition is a topology and a load in words', () => {
  const nameOf = (topology: Topology) => conditionName({ topology, load: COST, cells: [] });
  const load = 'under the cost load (-c 100 -p 10)';
  expect(TOPOLOGIES.map(nameOf)).toEqual([
    `as single processes, ${load}`,
    `as pm2 clusters of 2 (max = 2), ${load}`,
    `as single processes under pm2 (fork mode), ${load}`,
    `as pm2 clusters of 1 with pm2's monitoring, ${load}`,
    `as clusters of 2 by node:cluster (cluster:max), ${load}`,
  ]);
});

test('capitalizes the first letter only', () => {
  expect(capitalized('as pm2 clusters')).toBe('As pm2 clusters');
  expect(capitalized('')).toBe('');
});
