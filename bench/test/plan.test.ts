import { describe, expect, test } from 'vitest';
import type { RunOptions } from '../src/options.ts';
import { cellOf, drawLaunch, loadOf, makePlan, type Plan, topologyOf } from '../src/plan.ts';
import { resolveTopologies } from '../src/topology.ts';
import { userError } from './caught.ts';
import { makeMachine, makeOptions, makeTarget, STACK } from './make-record.ts';

type Parts = Partial<RunOptions>;

function planOf(parts: Parts = {}, machine = makeMachine(), targets = STACK): Plan {
  return makePlan(makeOptions(parts), targets, machine);
}

const ordersOf = (plan: Plan) => plan.launches.flat().flatMap(({ rounds }) => rounds);
const sorted = (ids: string[]) => [...ids].sort();

describe('order', () => {
  const parts = { topologies: ['single', 2] satisfies Parts['topologies'] };

  test('is the same for the same seed', () => {
    expect(planOf({ ...parts, seed: 7 })).toEqual(planOf({ ...parts, seed: 7 }));
  });

  test('is another for another seed, of the same cells', () => {
    const [one, other] = [planOf({ ...parts, seed: 7 }), planOf({ ...parts, seed: 8 })];
    expect(ordersOf(other)).not.toEqual(ordersOf(one));
    expect(other.cells).toEqual(one.cells);
  });

  test('differs between rounds, and every round holds each cell exactly once', () => {
    const plan = planOf({ ...parts, durationS: 12 });
    const ids = sorted(plan.cells.map(({ id }) => id));
    const orders = ordersOf(plan);
    expect(orders).toHaveLength(12);
    for (const order of orders) expect(sorted(order)).toEqual(ids);
    expect(new Set(orders.map(String)).size).toBeGreaterThan(6);
  });

  test('puts every cell in each place over many rounds', () => {
    const plan = planOf({ durationS: 200 });
    for (const place of plan.cells.keys()) {
      const there = new Set(ordersOf(plan).map((order) => order[place]));
      expect(there.size).toBe(plan.cells.length);
    }
  });

  test.each([
    [6, 2, 1, 3],
    [30, 6, 1, 5],
    [0.9, 3, 0.3, 1],
    [5, 6, 5 / 6, 1],
    [9, 6, 1, 2],
    [8, 6, 1, 1],
  ])(
    'deals %d s over %d launches of slices of about %d s in %d rounds',
    (durationS, launches, sliceS, n) => {
      const plan = planOf({ durationS, launches, sliceS });
      expect(plan.launches).toHaveLength(launches);
      for (const group of plan.launches.flat()) expect(group.rounds).toHaveLength(n);
      expect(plan.launches.length * n * plan.sliceNs).toBeCloseTo(durationS * 1e9, -2);
    },
  );
});

describe('another launch', () => {
  const parts = { topologies: ['single', 2], seed: 7 } satisfies Parts;

  test('is what the plan would have held, had it been planned from the start', () => {
    const longer = planOf({ ...parts, launches: 5, durationS: 15 });
    const grown = planOf(parts);
    while (grown.launches.length < 5) grown.launches.push(drawLaunch(grown));
    expect(grown).toEqual(longer);
  });

  test('has an order of its own, of the same cells, in as many rounds', () => {
    const plan = planOf(parts);
    const drawn = Array.from({ length: 10 }, () => {
      const launch = drawLaunch(plan);
      plan.launches.push(launch);
      return launch;
    });
    const orders = ordersOf({ ...plan, launches: drawn });
    expect(orders).toHaveLength(10 * plan.rounds);
    const ids = sorted(plan.cells.map(({ id }) => id));
    for (const order of orders) expect(sorted(order)).toEqual(ids);
    expect(new Set(orders.map(String)).size).toBeGreaterThan(25);
  });

  test('does not change the plan, and is the same until the plan has it', () => {
    const plan = planOf(parts);
    expect(drawLaunch(plan)).toEqual(drawLaunch(plan));
    expect(plan).toEqual(planOf(parts));
  });

  test('of the next seed is none of this seed', () => {
    const launchesOf = (seed: number) => {
      return planOf({ ...parts, seed, launches: 20, durationS: 60 }).launches.map((launch) => {
        return JSON.stringify(launch);
      });
    };
    const here = new Set(launchesOf(7));
    expect(launchesOf(8).filter((launch) => here.has(launch))).toEqual([]);
  });

  test('of the classic method keeps the order', () => {
    const plan = planOf({ ...parts, contiguous: true, sliceS: 6 });
    const inOrder = plan.cells.map(({ id }) => ({ cells: [id], rounds: [[id]] }));
    expect(drawLaunch(plan)).toEqual(inOrder);
  });
});

describe('probes', () => {
  const PROBES = [makeTarget('canned'), makeTarget('other')];
  const probed = (parts: Parts = {}, machine = makeMachine()) => {
    return makePlan(makeOptions({ topologies: ['single', 2], ...parts }), STACK, machine, PROBES);
  };

  test('get one slice in each launch, in its last round, and so in launches drawn later', () => {
    const plan = probed({ launches: 4, durationS: 12 });
    plan.launches.push(drawLaunch(plan));
    const probes = new Set(plan.probes.map(({ id }) => id));
    expect(sorted([...probes])).toEqual([
      'canned/2/published',
      'canned/single/cost',
      'canned/single/published',
      'other/2/published',
      'other/single/cost',
      'other/single/published',
    ]);
    const cells = sorted(plan.cells.map(({ id }) => id));
    for (const { rounds } of plan.launches.flat()) {
      const last = rounds.at(-1) ?? [];
      expect(rounds).toHaveLength(3);
      for (const order of rounds.slice(0, -1)) expect(sorted(order)).toEqual(cells);
      expect(sorted(last)).toEqual(sorted([...cells, ...probes]));
    }
    const places = ordersOf(plan).map((order) => order.indexOf('canned/single/cost'));
    expect(new Set(places.filter((place) => place >= 0)).size).toBeGreaterThan(1);
  });

  test('are alive with the others, are found by name, and are none of the cells compared', () => {
    const plan = probed();
    expect(plan.groups).toHaveLength(1);
    expect(plan.groups[0]).toContain('canned/2/published');
    expect(cellOf(plan, 'canned/2/published')).toMatchObject({ target: 'canned', topology: '2' });
    expect(plan.cells).toEqual(planOf({ topologies: ['single', 2] }).cells);
  });

  test('there are none unless they are named', () => {
    expect(planOf().probes).toEqual([]);
  });
});

describe('contiguous', () => {
  const parts = {
    contiguous: true,
    launches: 3,
    sliceS: 6,
    topologies: ['single', 2],
  } satisfies Parts;

  test('is one cell a group, one round, one slice as long as -d', () => {
    const plan = planOf(parts);
    expect(plan).toMatchObject({ method: 'contiguous', sliceNs: 6e9 });
    expect(plan.launches).toHaveLength(3);
    for (const groups of plan.launches) {
      expect(groups.every(({ cells }) => cells.length === 1)).toBe(true);
      for (const { cells, rounds } of groups) expect(rounds).toEqual([cells]);
      const ids = groups.flatMap(({ cells }) => cells);
      expect(sorted(ids)).toEqual(sorted(plan.cells.map(({ id }) => id)));
    }
  });

  test('keeps the order of the targets in the frameworks suite, and has no cost load', () => {
    const plan = planOf(parts);
    for (const groups of plan.launches) {
      expect(groups.flatMap(({ cells }) => cells)).toEqual(plan.cells.map(({ id }) => id));
    }
    expect(plan.loads.map(({ id }) => id)).toEqual(['published']);
  });

  test('deals the cells in a random order in the cluster suite', () => {
    const plan = planOf({ ...parts, suite: 'cluster', launches: 12 });
    const orders = plan.launches.map((groups) => groups.map(({ cells }) => cells).join());
    expect(new Set(orders).size).toBeGreaterThan(3);
  });
});

describe('topologies', () => {
  test('max is as many processes as can run at once', () => {
    const [max] = resolveTopologies(['max'], makeMachine({ parallelism: 3 }));
    expect(max).toMatchObject({ id: '3', names: ['max'], workers: 3 });
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
    expect([single?.workers, one?.workers]).toEqual([null, 1]);
  });

  test('the generator has a core apart as long as each process can have one too', () => {
    const topologies = resolveTopologies(['single', 3, 4], makeMachine());
    expect(topologies.map(({ cores }) => cores)).toEqual([[2, 3], [1, 2, 3], null]);
    expect(planOf().generatorCores).toEqual([0]);
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

  test('cores that are spare in several topologies are the same first ones', () => {
    const machine = makeMachine({ cores: [0, 1, 2, 3, 4, 5] });
    const spare = resolveTopologies(['single', 2, 3, 4, 5, 6], machine);
    expect(spare.map(({ spareCores }) => spareCores)).toEqual([[1, 2, 3], [1, 2], [1], [], [], []]);
  });

  test('the generator has the first core that this process may use', () => {
    const machine = makeMachine({ cores: [5, 7] });
    expect(planOf({}, machine).generatorCores).toEqual([5]);
    expect(resolveTopologies(['single'], machine)[0]?.cores).toEqual([7]);
  });

  test('all cores are shared where there is one core only, or no way to pin', () => {
    const lone = makeMachine({ cores: [0], parallelism: 1 });
    expect(resolveTopologies(['single'], lone)).toMatchObject([{ cores: null, spareCores: [] }]);
    const loose = makeMachine({ canPin: false });
    expect(resolveTopologies(['single', 2], loose).map(({ cores }) => cores)).toEqual([null, null]);
    expect(planOf({}, loose).generatorCores).toBeNull();
  });
});

describe('loads and cells', () => {
  test('the load is named published only where it is the published one', () => {
    const main = (parts: Parts) => planOf(parts).loads[0];
    expect(main({})).toEqual({ id: 'published', connections: 1000, pipelining: 1 });
    expect(main({ pipelining: 2 })).toEqual({ id: 'custom', connections: 1000, pipelining: 2 });
    expect(main({ connections: 10 })).toMatchObject({ id: 'custom', connections: 10 });
    const cluster = { suite: 'cluster', contiguous: true } as const;
    expect(main({ ...cluster, pipelining: 10 })).toMatchObject({ id: 'published' });
    expect(main({ ...cluster, pipelining: 1 })).toMatchObject({ id: 'custom' });
  });

  test('the cost load is for single processes only', () => {
    const plan = planOf({ topologies: ['single', 2] });
    expect(plan.loads[1]).toEqual({ id: 'cost', connections: 100, pipelining: 10 });
    const cost = plan.cells.filter(({ load }) => load === 'cost');
    expect(cost.map(({ id }) => id)).toEqual([
      'floor/single/cost',
      'middle/single/cost',
      'top/single/cost',
    ]);
    expect(plan.cells.filter(({ load }) => load === 'published')).toHaveLength(6);
  });

  test('where the cost load itself is asked for, it is there once', () => {
    const load = { connections: 100, pipelining: 10 };
    const plan = planOf({ ...load, topologies: ['single', 2] });
    expect(plan.loads).toEqual([{ id: 'cost', ...load }]);
    expect(plan.cells.map(({ id }) => id)).toEqual([
      'floor/single/cost',
      'middle/single/cost',
      'top/single/cost',
    ]);
    expect(planOf({ ...load, topologies: [2] }).loads).toEqual([{ id: 'custom', ...load }]);
    const contiguous = { ...load, contiguous: true, sliceS: 6 };
    expect(planOf(contiguous).loads).toEqual([{ id: 'custom', ...load }]);
  });

  test('the truth is measured under the cost load', () => {
    const truth = { suite: 'truth', connections: 100, pipelining: 10 } as const;
    expect(planOf(truth).loads.map(({ id }) => id)).toEqual(['cost']);
  });

  test('cells of one server under several loads name the same server', () => {
    const servers = planOf().cells.map(({ server }) => server);
    expect(new Set(servers)).toEqual(new Set(['floor/single', 'middle/single', 'top/single']));
  });

  test('finds cells, topologies and loads by name, and nothing else', () => {
    const plan = planOf();
    expect(cellOf(plan, 'top/single/cost')).toMatchObject({ target: 'top', load: 'cost' });
    expect(topologyOf(plan, 'single').workers).toBeNull();
    expect(loadOf(plan, 'cost').connections).toBe(100);
    expect(() => cellOf(plan, 'top/2/cost')).toThrow('the plan has no "top/2/cost"');
  });

  test('refuses a suite without targets', () => {
    const error = userError(() => planOf({ suite: 'cluster' }, makeMachine(), []));
    expect(error.message).toBe('the cluster suite has no target');
    expect(error.next).toContain('--targets');
  });

  test('what the run is judged by, and how long it goes on, comes from the options', () => {
    const until = { share: 0.03, maxTimeNs: 60e9 };
    expect(planOf({ equivalence: 0.01, until })).toMatchObject({ equivalence: 0.01, until });
    expect(planOf()).toMatchObject({ equivalence: 0.02, until: null });
  });

  test('times are ns', () => {
    expect(planOf({ sliceS: 0.5, warmupS: 1.5 })).toMatchObject({ sliceNs: 5e8, warmupNs: 1.5e9 });
  });
});
