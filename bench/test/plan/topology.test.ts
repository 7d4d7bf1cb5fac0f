import { describe, expect, test } from 'vitest';
import { processesFor, withNeighbours } from '../../src/plan/processes.ts';
import { isPlain, resolveTopologies, serverRef } from '../../src/plan/topology.ts';
import type { TopologyName } from '../../src/request/option-values.ts';
import type { Machine } from '../../src/system/machine.ts';
import { makeMachine } from '../support/make-record.ts';

const MACHINE = makeMachine({ parallelism: 3, pm2Max: 4 });
/** Of one process each. */
const ONES = resolveTopologies(['single', 'fork', 1, 'pmx:1', 'cluster:1'], MACHINE);

test.each([
  ['single', 'single', 'none', 1],
  ['fork', 'fork', 'pm2 fork', 1],
  [1, '1', 'pm2', 1],
  [8, '8', 'pm2', 8],
  ['max', '3', 'pm2', 3],
  ['pmx:2', 'pmx:2', 'pm2 with pmx', 2],
  ['reuse-port:2', 'reuse-port:2', 'SO_REUSEPORT', 2],
  ['threads:max', 'threads:3', 'worker threads', 3],
  ['pmx:max', 'pmx:3', 'pm2 with pmx', 3],
  ['cluster:2', 'cluster:2', 'node:cluster', 2],
  ['cluster:max', 'cluster:3', 'node:cluster', 3],
] as const)('%s is %s under %s: %d processes', (name, id, manager, processes) => {
  const topology = { id, manager, processes, names: [String(name)] };
  expect(resolveTopologies([name], MACHINE)).toMatchObject([topology]);
});

describe('of several names', () => {
  test('those of the same topology are combined', () => {
    const topologies = resolveTopologies(['max', 'cluster:3', 3, 'cluster:max', 'pmx:3'], MACHINE);
    expect(topologies.map(({ id, names }) => [id, names])).toEqual([
      ['3', ['max', '3']],
      ['cluster:3', ['cluster:3', 'cluster:max']],
      ['pmx:3', ['pmx:3']],
    ]);
  });

  test('only a process without a manager is plain', () => {
    expect(ONES.filter(isPlain).map(({ id }) => id)).toEqual(['single']);
  });

  test('as many processes have the same cores, whatever manages them', () => {
    const cores = ONES.map((topology) => [topology.cores, topology.spareCores]);
    expect(cores).toEqual(Array(5).fill([[2, 3], [1]]));
  });

  test('each makes another server of a target', () => {
    const keys = ONES.map((topology) => serverRef('app', topology).server);
    expect(keys).toEqual(['app/single', 'app/fork', 'app/1', 'app/pmx:1', 'app/cluster:1']);
  });
});

const coresFor = (names: TopologyName[], machine: Partial<Machine> = {}, most?: number) => {
  return resolveTopologies(names, makeMachine(machine), most).map(({ cores }) => cores);
};

describe('cores', () => {
  test.each([
    { all: [0, 1], cores: [1], spareCores: [] },
    { all: [0, 1, 2], cores: [1, 2], spareCores: [] },
    { all: [0, 1, 2, 3, 4, 5, 6, 7], cores: [6, 7], spareCores: [1, 2, 3, 4, 5] },
    { all: [5, 7], cores: [7], spareCores: [] },
    { all: [0], cores: null, spareCores: [] },
  ])(
    'of $all for a single process are $cores, with one for helper threads if there is room',
    (given) => {
      const { all, ...own } = given;
      expect(resolveTopologies(['single'], makeMachine({ cores: all }))).toMatchObject([own]);
    },
  );

  test.each<[string, TopologyName[], Partial<Machine>, (number[] | null)[]]>([
    [
      'exclude the generator’s if there are enough',
      ['single', 3, 4],
      {},
      [[2, 3], [1, 2, 3], null],
    ],
    [
      'are all, for servers that would share them with a generator that is elsewhere',
      ['single', 2],
      { cores: [0, 1], hostsGenerator: false },
      [[1], [0, 1]],
    ],
    ['are shared by all if nothing can be pinned', ['single', 2], { canPin: false }, [null, null]],
  ])('%s', (_, names, machine, cores) => {
    expect(coresFor(names, machine)).toEqual(cores);
  });

  const ALL = [1, 2, 3];
  test.each<[TopologyName[], number, (number[] | null)[]]>([
    [['single'], 0.5, [[2, 3]]],
    [['single', 2], 0.5, [ALL, ALL]],
    [['single'], 2.5, [ALL]],
    [['single', 3], 3.5, [null, null]],
    [['single', 4], 0.25, [null, null]],
  ])('of %j under a limit of %d are as many as the largest or the limit could use', (...given) => {
    const [names, limit, cores] = given;
    expect(coresFor(names, {}, limit)).toEqual(cores);
  });

  test('that are spare in several topologies are the same first ones', () => {
    const machine = makeMachine({ cores: [0, 1, 2, 3, 4, 5] });
    const spare = resolveTopologies(['single', 2, 3, 4, 5, 6], machine);
    expect(spare.map(({ spareCores }) => spareCores)).toEqual([[1, 2, 3], [1, 2], [1], [], [], []]);
  });
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

test('numbers of processes are compared with one fewer and one more of each', () => {
  expect(withNeighbours([1])).toEqual(['single', 2]);
  expect(withNeighbours([4, 2])).toEqual(['single', 2, 3, 4, 5]);
});
