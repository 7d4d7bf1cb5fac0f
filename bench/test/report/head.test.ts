import { expect, test } from 'vitest';
import { resolveTopologies } from '../../src/plan/topology.ts';
import { runHead, serverName } from '../../src/report/head.ts';
import { topologyName, topologyWords } from '../../src/report/names.ts';
import type { TopologyName } from '../../src/request/option-values.ts';
import type { Target } from '../../src/targets/targets.ts';
import { makeMachine, makeRecord, makeTarget } from '../support/make-record.ts';

type Parts = Parameters<typeof makeRecord>[0];

const headOf = (parts: Parts) => runHead(makeRecord(parts, () => null));

const onCores = (cores: number[], topologies: TopologyName[], unpinned = false): Parts => {
  const machine = makeMachine({ cores, parallelism: cores.length });
  return { options: { topologies, unpinned }, machine };
};
const elsewhere = makeMachine({ cores: [0, 1], hostsGenerator: false });

test.each<[text: string, Parts]>([
  ['core 7 (single) and all cores (2), the generator on core 5.', onCores([5, 7], ['single', 2])],
  ['cores 3 and 5 (single) and cores 2, 3 and 5 (2)', onCores([0, 2, 3, 5], ['single', 2])],
  ['all cores, the generator on core 0.', onCores([0, 1], ['single', 2], true)],
  ['core 1, the generator on another machine.', { machine: elsewhere }],
  ['all cores, the generator on all cores.', { machine: makeMachine({ canPin: false }) }],
])('servers may run on %s', (text, parts) => {
  expect(headOf(parts).intro[0]).toContain(`Servers ran on ${text}`);
});

test('a run that was saved early says so', () => {
  const text = ' This run was saved before it was complete.';
  expect(headOf({ state: 'running' }).intro[0]?.endsWith(text)).toBe(true);
});

test.each<[TopologyName, parallelism: number, warnings: number]>([
  ['max', 2, 1],
  ['pmx:max', 2, 1],
  [2, 2, 0],
  ['max', 8, 0],
])('%s, %d processes at once: %d warnings that pm2 would start more', (...given) => {
  const [topology, parallelism, warnings] = given;
  const machine = makeMachine({ parallelism, pm2Max: 8 });
  const head = headOf({ options: { topologies: ['single', topology] }, machine });
  expect(head.warnings).toHaveLength(warnings);
});

test('a server is named by its target and topology, one that is unknown as it is', () => {
  const targets = [makeTarget('app', { label: 'App' })];
  const options = { topologies: ['single', 'max'] satisfies TopologyName[] };
  const record = makeRecord({ targets, options }, () => null);
  const names = ['app/single', 'app/4', 'other/1'].map((server) => serverName(record, server));
  expect(names).toEqual(['App (single)', 'App (max = 4)', 'other/1']);
});

const NEST = makeTarget('nest');
const NAMES: TopologyName[] = ['single', 'max', 2, 'fork', 'pmx:1', 'cluster:max'];
const TOPOLOGIES = resolveTopologies(NAMES, makeMachine({ parallelism: 2 }));

test('a topology has all its names, and in words its processes and what manages them', () => {
  const all = ['single', 'max = 2', 'fork', 'pmx:1', 'cluster:max = cluster:2'];
  expect(TOPOLOGIES.map(topologyName)).toEqual(all);
  expect(TOPOLOGIES.map((topology) => topologyWords(topology, [{ target: NEST }]))).toEqual([
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
  const [single, two] = TOPOLOGIES.map((topology) => topologyWords(topology, rows));
  expect([single, two]).toEqual(['as single processes', words]);
});
