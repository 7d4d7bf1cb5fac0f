import { describe, expect, test } from 'vitest';
import { isPlain, resolveTopologies, serverRef } from '../../src/plan/topology.ts';
import { makeMachine } from '../support/make-record.ts';

const MACHINE = makeMachine({ parallelism: 3, pm2Max: 4 });
/** Of one process each. */
const ONES = resolveTopologies(['single', 'fork', 1, 'pmx:1', 'cluster:1'], MACHINE);

test.each([
  { name: 'single', id: 'single', manager: 'none', processes: 1 },
  { name: 'fork', id: 'fork', manager: 'pm2 fork', processes: 1 },
  { name: 1, id: '1', manager: 'pm2', processes: 1 },
  { name: 8, id: '8', manager: 'pm2', processes: 8 },
  { name: 'max', id: '3', manager: 'pm2', processes: 3 },
  { name: 'pmx:2', id: 'pmx:2', manager: 'pm2 with pmx', processes: 2 },
  { name: 'reuse-port:2', id: 'reuse-port:2', manager: 'SO_REUSEPORT', processes: 2 },
  { name: 'threads:max', id: 'threads:3', manager: 'worker threads', processes: 3 },
  { name: 'pmx:max', id: 'pmx:3', manager: 'pm2 with pmx', processes: 3 },
  { name: 'cluster:2', id: 'cluster:2', manager: 'node:cluster', processes: 2 },
  { name: 'cluster:max', id: 'cluster:3', manager: 'node:cluster', processes: 3 },
] as const)('$name is $processes kept by $manager', ({ name, ...topology }) => {
  expect(resolveTopologies([name], MACHINE)).toMatchObject([
    { ...topology, names: [String(name)] },
  ]);
});

describe('of several names', () => {
  test('those for the same become one with all names', () => {
    const topologies = resolveTopologies(['max', 'cluster:3', 3, 'cluster:max', 'pmx:3'], MACHINE);
    expect(topologies.map(({ id, names }) => [id, names])).toEqual([
      ['3', ['max', '3']],
      ['cluster:3', ['cluster:3', 'cluster:max']],
      ['pmx:3', ['pmx:3']],
    ]);
  });

  test('only a process that nobody keeps is plain', () => {
    expect(ONES.filter(isPlain).map(({ id }) => id)).toEqual(['single']);
  });

  test('as many processes have the same cores, whoever keeps them', () => {
    const cores = ONES.map((topology) => [topology.cores, topology.spareCores]);
    expect(cores).toEqual(Array(5).fill([[2, 3], [1]]));
  });

  test('a target is another server in each', () => {
    const keys = ONES.map((topology) => serverRef('app', topology).server);
    expect(keys).toEqual(['app/single', 'app/fork', 'app/1', 'app/pmx:1', 'app/cluster:1']);
  });
});

describe('cores', () => {
  test('are left to the generator as long as each process can have one too', () => {
    const topologies = resolveTopologies(['single', 3, 4], makeMachine());
    expect(topologies.map(({ cores }) => cores)).toEqual([[2, 3], [1, 2, 3], null]);
  });

  test.each([
    { all: [0, 1], cores: [1], spareCores: [] },
    { all: [0, 1, 2], cores: [1, 2], spareCores: [] },
    { all: [0, 1, 2, 3, 4, 5, 6, 7], cores: [6, 7], spareCores: [1, 2, 3, 4, 5] },
    { all: [5, 7], cores: [7], spareCores: [] },
    { all: [0], cores: null, spareCores: [] },
  ])(
    '$all have for a single process $cores, one of them beside its own where there is room',
    (given) => {
      const { all, ...own } = given;
      const machine = makeMachine({ cores: all });
      expect(resolveTopologies(['single'], machine)).toMatchObject([own]);
    },
  );

  test('are all for those that would have to share them with a generator that is on another machine', () => {
    const machine = makeMachine({ cores: [0, 1], hostsGenerator: false });
    const cores = resolveTopologies(['single', 2], machine).map((topology) => topology.cores);
    expect(cores).toEqual([[1], [0, 1]]);
  });

  test('are shared by all where nothing can be pinned', () => {
    const loose = resolveTopologies(['single', 2], makeMachine({ canPin: false }));
    expect(loose.map(({ cores }) => cores)).toEqual([null, null]);
  });

  test.each<[('single' | number)[], number, (number[] | null)[]]>([
    [['single'], 0.5, [[2, 3]]],
    [
      ['single', 2],
      0.5,
      [
        [1, 2, 3],
        [1, 2, 3],
      ],
    ],
    [['single'], 2.5, [[1, 2, 3]]],
    [['single', 3], 3.5, [null, null]],
    [['single', 4], 0.25, [null, null]],
  ])(
    'of %j under a limit of %d are as many as the largest or the limit could use',
    (names, limit, cores) => {
      const topologies = resolveTopologies(names, makeMachine(), limit);
      expect(topologies.map((topology) => topology.cores)).toEqual(cores);
    },
  );

  test('that are spare in several topologies are the same first ones', () => {
    const machine = makeMachine({ cores: [0, 1, 2, 3, 4, 5] });
    const spare = resolveTopologies(['single', 2, 3, 4, 5, 6], machine);
    expect(spare.map(({ spareCores }) => spareCores)).toEqual([[1, 2, 3], [1, 2], [1], [], [], []]);
  });
});
