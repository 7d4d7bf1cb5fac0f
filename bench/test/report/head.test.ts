import { expect, test } from 'vitest';
import { runHead, serverName } from '../../src/report/head.ts';
import type { TopologyName } from '../../src/request/option-values.ts';
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
