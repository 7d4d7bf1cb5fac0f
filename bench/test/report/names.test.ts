import { expect, test } from 'vitest';
import { resolveTopologies, type Topology } from '../../src/plan/topology.ts';
import {
  capitalized,
  conditionName,
  loadName,
  rowName,
  topologyName,
  topologyWords,
} from '../../src/report/names.ts';
import type { TopologyName } from '../../src/request/option-values.ts';
import type { Target } from '../../src/targets/targets.ts';
import { makeLoad, makeMachine, makeOpenLoad, makeTarget } from '../support/make-record.ts';

const COST = makeLoad({ label: 'under the cost load', connections: 100, pipelining: 10 });
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
  expect(loadName(makeOpenLoad({ ratePerS: 12_500 }))).toBe('at 12,500 requests/s');
});

test('a target in a topology is named by both', () => {
  expect(TOPOLOGIES.slice(0, 2).map((topology) => rowName(makeTarget('app'), topology))).toEqual([
    'app (single)',
    'app (max = 2)',
  ]);
});

test('a condition is a topology and a load in words', () => {
  const nameOf = (topology: Topology) =>
    conditionName({ topology, load: COST, cells: [], pairs: [] });
  const load = 'under the cost load (-c 100 -p 10)';
  expect(TOPOLOGIES.map(nameOf)).toEqual([
    `as single processes, ${load}`,
    `as pm2 clusters of 2 (max = 2), ${load}`,
    `as single processes under pm2 (fork mode), ${load}`,
    `as pm2 clusters of 1 with pm2's monitoring, ${load}`,
    `as clusters of 2 by node:cluster (cluster:max), ${load}`,
  ]);
});

test('a number of cores is what each of its targets makes of it', () => {
  const threads = { ...makeTarget('go'), scale: { by: 'threads', env: 'GOMAXPROCS' } } as const;
  const sharing = { ...makeTarget('bun'), scale: { by: 'reuse-port' } } as const;
  const wordsOf = (...targets: Target[]) => {
    return TOPOLOGIES.slice(0, 2).map((topology) => topologyWords(topology, targets));
  };
  expect(wordsOf(threads)).toEqual(['as single processes', 'as processes of 2 threads (max = 2)']);
  expect(wordsOf(sharing)[1]).toBe('as 2 processes on one port (max = 2)');
  expect(wordsOf(makeTarget('nest'), threads)[1]).toBe(
    'as pm2 clusters of 2 or as processes of 2 threads (max = 2)',
  );
});

test('capitalizes the first letter only', () => {
  expect(capitalized('as pm2 clusters')).toBe('As pm2 clusters');
  expect(capitalized('')).toBe('');
});
