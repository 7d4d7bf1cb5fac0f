import { expect, test } from 'vitest';
import { isPlain, processesFor, resolveTopologies, serverRef } from '../../src/plan/topology.ts';
import type { TopologyName } from '../../src/request/option-values.ts';
import type { Machine } from '../../src/system/machine.ts';
import { makeMachine } from '../support/make-record.ts';

const MACHINE = makeMachine({ parallelism: 3 });

test.each([
  ['single', 'single', 'none', 1],
  ['fork', 'fork', 'pm2 fork', 1],
  [1, '1', 'pm2', 1],
  [8, '8', 'pm2', 8],
  ['max', '3', 'pm2', 3],
  ['pmx:2', 'pmx:2', 'pm2 with pmx', 2],
  ['reuse-port:2', 'reuse-port:2', 'SO_REUSEPORT', 2],
  ['threads:max', 'threads:3', 'worker threads', 3],
  ['cluster:2', 'cluster:2', 'node:cluster', 2],
] as const)('%s is %s under %s: %d processes', (name, id, manager, processes) => {
  const topology = { id, manager, processes, names: [String(name)] };
  expect(resolveTopologies([name], MACHINE)).toMatchObject([topology]);
});

test('names of the same topology are combined', () => {
  const topologies = resolveTopologies(['max', 'cluster:3', 3, 'cluster:max', 'pmx:3'], MACHINE);
  expect(topologies.map(({ id, names }) => [id, names])).toEqual([
    ['3', ['max', '3']],
    ['cluster:3', ['cluster:3', 'cluster:max']],
    ['pmx:3', ['pmx:3']],
  ]);
});

test('one process has the same cores whatever manages it, and each topology another server', () => {
  const ones = resolveTopologies(['single', 'fork', 1, 'pmx:1', 'cluster:1'], MACHINE);
  expect(ones.filter(isPlain).map(({ id }) => id)).toEqual(['single']);
  for (const one of ones) expect(one).toMatchObject({ cores: [2, 3], spareCores: [1] });
  const servers = ones.map((topology) => serverRef('app', topology).server);
  expect(servers).toEqual(['app/single', 'app/fork', 'app/1', 'app/pmx:1', 'app/cluster:1']);
});

test.each([
  [[0, 1], [1], []],
  [[0, 1, 2], [1, 2], []],
  [[0, 1, 2, 3], [2, 3], [1]],
  [[5, 7], [7], []],
  [[0], null, []],
])('of the cores %j one process has %j, so that %j are spare', (all, cores, spareCores) => {
  const machine = makeMachine({ cores: all });
  expect(resolveTopologies(['single'], machine)).toMatchObject([{ cores, spareCores }]);
});

const ALL = [1, 2, 3];
const ELSEWHERE: Partial<Machine> = { cores: [0, 1], hostsGenerator: false };
const SHARED: Partial<Machine> = { canPin: false };
test.each<[string, TopologyName[], Partial<Machine>, number | undefined, (number[] | null)[]]>([
  ['exclude the generator’s if they can', ['single', 3, 4], {}, undefined, [[2, 3], ALL, null]],
  ['are all if the generator is elsewhere', ['single', 2], ELSEWHERE, undefined, [[1], [0, 1]]],
  ['are shared if nothing can be pinned', ['single', 2], SHARED, undefined, [null, null]],
  ['are as many as one process could use under a limit', ['single'], {}, 0.5, [[2, 3]]],
  ['are as many as the largest could use', ['single', 2], {}, 0.5, [ALL, ALL]],
  ['are as many as the limit', ['single'], {}, 2.5, [ALL]],
  ['are all under a limit of more than there are', ['single', 3], {}, 3.5, [null, null]],
  ['are all if the largest needs more than there are', ['single', 4], {}, 0.25, [null, null]],
])('the cores of servers %s', (_, names, machine, limit, cores) => {
  const topologies = resolveTopologies(names, makeMachine(machine), limit);
  expect(topologies.map((topology) => topology.cores)).toEqual(cores);
});

test('the cores that are spare in several topologies are the same first ones', () => {
  const machine = makeMachine({ cores: [0, 1, 2, 3, 4, 5] });
  const spare = resolveTopologies(['single', 2, 3, 4, 5, 6], machine);
  expect(spare.map(({ spareCores }) => spareCores)).toEqual([[1, 2, 3], [1, 2], [1], [], [], []]);
});

test.each([
  ['one sustains the rate with room', 500, 1e6, 2, 1],
  ['one would be busy for more than 80 % of the time', 900, 1e6, 2, 2],
  ['the limit lets no more run at once', 9000, 1e6, 2, 2],
  ['the limit is below a core', 900, 1e6, 0.5, 1],
  ['there are hardly any requests', 0.1, 1e3, 4, 1],
])('where %s, %d requests/s of %d ns under %d cores take %d processes', (...given) => {
  const [, ratePerS, cpuNs, limit, processes] = given;
  expect(processesFor(ratePerS, cpuNs, limit)).toBe(processes);
});
