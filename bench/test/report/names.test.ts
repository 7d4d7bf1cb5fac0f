import { expect, test } from 'vitest';
import { resolveTopologies } from '../../src/plan/topology.ts';
import * as names from '../../src/report/names.ts';
import type { TopologyName } from '../../src/request/option-values.ts';
import type { Target } from '../../src/targets/targets.ts';
import { makeMachine, makeTarget } from '../support/make-record.ts';

const NEST = makeTarget('nest');
const NAMES: TopologyName[] = ['single', 'max', 2, 'fork', 'pmx:1', 'cluster:max'];
const TOPOLOGIES = resolveTopologies(NAMES, makeMachine({ parallelism: 2 }));

test('a topology has all its names, and its number', () => {
  const all = ['single', 'max = 2', 'fork', 'pmx:1', 'cluster:max = cluster:2'];
  expect(TOPOLOGIES.map(names.topologyName)).toEqual(all);
});

test('a topology in words says how many processes there are, and what manages them', () => {
  expect(TOPOLOGIES.map((topology) => names.topologyWords(topology, [{ target: NEST }]))).toEqual([
    'as single processes',
    'as pm2 clusters of 2 (max = 2)',
    'as single processes under pm2 (fork mode)',
    "as pm2 clusters of 1 with pm2's monitoring",
    'as clusters of 2 by node:cluster (cluster:max)',
  ]);
});

const THREADS = { ...makeTarget('go'), scale: { by: 'threads', env: 'GOMAXPROCS' } } as const;
const SHARING = { ...makeTarget('bun'), scale: { by: 'reuse-port' } } as const;

test.each<[Target[], string]>([
  [[THREADS], 'as processes of 2 threads (max = 2)'],
  [[SHARING], 'as 2 processes on one port (max = 2)'],
  [[NEST, THREADS], 'as pm2 clusters of 2 or as processes of 2 threads (max = 2)'],
])('a number of cores is what each of its targets makes of it: %#', (targets, words) => {
  const rows = targets.map((target) => ({ target }));
  const [single, two] = TOPOLOGIES.map((topology) => names.topologyWords(topology, rows));
  expect([single, two]).toEqual(['as single processes', words]);
});
