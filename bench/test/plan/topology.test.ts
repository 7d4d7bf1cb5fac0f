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
