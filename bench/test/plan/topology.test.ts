import { describe, expect, test } from 'vitest';
import { isPlain, resolveTopologies, serverRef } from '../../src/plan/topology.ts';
import { makeMachine } from '../support/make-record.ts';

const MACHINE = makeMachine({ parallelism: 3, pm2Max: 4 });

test.each([
  { name: 'single', id: 'single', manager: 'none', processes: 1 },
  { name: 'fork', id: 'fork', manager: 'pm2 fork', processes: 1 },
  { name: 1, id: '1', manager: 'pm2', processes: 1 },
  { name: 8, id: '8', manager: 'pm2', processes: 8 },
  { name: 'max', id: '3', manager: 'pm2', processes: 3 },
  { name: 'pmx:2', id: 'pmx:2', manager: 'pm2 with pmx', processes: 2 },
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
    const topologies = resolveTopologies([3, 'cluster:3', 'max', 'cluster:max', 'pmx:3'], MACHINE);
    expect(topologies.map(({ id, names }) => [id, names])).toEqual([
      ['3', ['3', 'max']],
      ['cluster:3', ['cluster:3', 'cluster:max']],
      ['pmx:3', ['pmx:3']],
    ]);
  });

  test('only a process that nobody keeps is plain', () => {
    const topologies = resolveTopologies(['single', 'fork', 1, 'pmx:1', 'cluster:1'], MACHINE);
    expect(topologies.filter(isPlain).map(({ id }) => id)).toEqual(['single']);
  });

  test('as many processes have the same cores, whoever keeps them', () => {
    const topologies = resolveTopologies(['single', 'fork', 1, 'pmx:1', 'cluster:1'], MACHINE);
    const [first] = topologies;
    expect(topologies).toHaveLength(5);
    for (const { cores, spareCores } of topologies) {
      expect({ cores, spareCores }).toEqual({ cores: first?.cores, spareCores: first?.spareCores });
    }
  });

  test('a target is another server in each', () => {
    const topologies = resolveTopologies(['single', 'fork', 1, 'pmx:1', 'cluster:1'], MACHINE);
    const keys = topologies.map((topology) => serverRef('app', topology).server);
    expect(keys).toEqual(['app/single', 'app/fork', 'app/1', 'app/pmx:1', 'app/cluster:1']);
  });
});

describe('topologies', () => {
  test('max is as many processes as can run at once', () => {
    const [max] = resolveTopologies(['max'], makeMachine({ parallelism: 3 }));
    expect(max).toMatchObject({ id: '3', names: ['max'], manager: 'pm2', processes: 3 });
  });

  test('max that equals another becomes one with it, under both names', () => {
    const merged = resolveTopologies(['single', 'max', 2], makeMachine({ parallelism: 2 }));
    expect(merged.map(({ id, names }) => ({ id, names }))).toEqual([
      { id: 'single', names: ['single'] },
      { id: '2', names: ['max', '2'] },
    ]);
  });

  test('a cluster of one process is not the plain process', () => {
    const [single, one] = resolveTopologies(['single', 1], makeMachine());
    expect(single).toMatchObject({ id: 'single', manager: 'none', processes: 1 });
    expect(one).toMatchObject({ id: '1', manager: 'pm2', processes: 1 });
  });

  test('servers leave a core to the generator as long as each process can have one too', () => {
    const topologies = resolveTopologies(['single', 3, 4], makeMachine());
    expect(topologies.map(({ cores }) => cores)).toEqual([[2, 3], [1, 2, 3], null]);
  });

  test.each([
    { count: 2, cores: [1], spareCores: [] },
    { count: 3, cores: [1, 2], spareCores: [] },
    { count: 8, cores: [6, 7], spareCores: [1, 2, 3, 4, 5] },
  ])('a single process on $count cores has one beside its own where there is room', (given) => {
    const machine = makeMachine({ cores: Array.from({ length: given.count }, (_, core) => core) });
    const { cores, spareCores } = given;
    expect(resolveTopologies(['single'], machine)).toMatchObject([{ cores, spareCores }]);
  });

  test('with a CPU limit all have the same cores, as many as the largest or the limit could use', () => {
    const coresOf = (names: ('single' | number)[], limit: number) => {
      return resolveTopologies(names, makeMachine(), limit).map(({ cores }) => cores);
    };
    expect(coresOf(['single'], 0.5)).toEqual([[2, 3]]);
    expect(coresOf(['single', 2], 0.5)).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
    expect(coresOf(['single'], 2.5)).toEqual([[1, 2, 3]]);
    expect(coresOf(['single', 3], 3.5)).toEqual([null, null]);
    expect(coresOf(['single', 4], 0.25)).toEqual([null, null]);
  });

  test('cores that are spare in several topologies are the same first ones', () => {
    const machine = makeMachine({ cores: [0, 1, 2, 3, 4, 5] });
    const spare = resolveTopologies(['single', 2, 3, 4, 5, 6], machine);
    expect(spare.map(({ spareCores }) => spareCores)).toEqual([[1, 2, 3], [1, 2], [1], [], [], []]);
  });

  test('the first core that this process may use is none of a server', () => {
    const machine = makeMachine({ cores: [5, 7] });
    expect(resolveTopologies(['single'], machine)[0]?.cores).toEqual([7]);
  });

  test('all cores are shared where there is one core only, or no way to pin', () => {
    const lone = makeMachine({ cores: [0], parallelism: 1 });
    expect(resolveTopologies(['single'], lone)).toMatchObject([{ cores: null, spareCores: [] }]);
    const loose = makeMachine({ canPin: false });
    expect(resolveTopologies(['single', 2], loose).map(({ cores }) => cores)).toEqual([null, null]);
  });
});
