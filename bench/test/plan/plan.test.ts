import { describe, expect, test } from 'vitest';
import {
  cellOf,
  drawLaunch,
  isSlicedCell,
  loadOf,
  makePilotPlan,
  makePlan,
  type Plan,
  topologyOf,
} from '../../src/plan/plan.ts';
import { isPlain, resolveTopologies } from '../../src/plan/topology.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { userError } from '../support/caught.ts';
import { makeMachine, makeOptions, makeTarget, STACK } from '../support/make-record.ts';

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
      const { sliceNs } = loadOf(plan, 'published');
      expect(plan.launches.length * n * sliceNs).toBeCloseTo(durationS * 1e9, -2);
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
    const options = makeOptions({ topologies: ['single', 2], ...parts });
    return makePlan(options, STACK, machine, { probing: PROBES });
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
    expect(plan.loads).toMatchObject([{ method: 'contiguous', sliceNs: 6e9 }]);
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
});

/** 100 ms of service on four cores: 16 connections, slices of 4 s. */
const SERVICE = { kind: 'service', server: 'fib/single', serviceNs: 1e8 } as const;

describe('slices and unbroken cells in one plan', () => {
  const topologies = ['single', 2, 4] satisfies Parts['topologies'];
  const options = makeOptions({ suite: 'cluster', topologies, launches: 12, sliceS: 6 });
  const targets = [makeTarget('fib'), makeTarget('sort')];
  const plan = makePlan(options, targets, makeMachine(), { basis: SERVICE });
  const isOverload = (id: string) => id.endsWith('/overload');

  test('keep the unbroken cells to groups of their own, of one round', () => {
    const unbroken = plan.cells.filter(({ load }) => load === 'overload').map(({ id }) => id);
    expect(unbroken).toHaveLength(6);
    for (const launch of plan.launches) {
      const groups = launch.filter(({ cells }) => cells.some(isOverload));
      expect(sorted(groups.flatMap(({ cells }) => cells))).toEqual(sorted(unbroken));
      for (const { cells, rounds } of groups) {
        expect(cells).toHaveLength(1);
        expect(rounds).toEqual([cells]);
      }
    }
  });

  test('deal all slices together, in as many rounds as the plan has', () => {
    const slices = sorted(plan.cells.map(({ id }) => id).filter((id) => !isOverload(id)));
    expect(plan.rounds).toBeGreaterThan(1);
    for (const launch of plan.launches) {
      const [group, ...others] = launch.filter(({ cells }) => !cells.some(isOverload));
      expect(others).toEqual([]);
      expect(sorted(group?.cells ?? [])).toEqual(slices);
      expect(group?.rounds).toHaveLength(plan.rounds);
      for (const order of group?.rounds ?? []) expect(sorted(order)).toEqual(slices);
    }
  });

  test('are told apart by their load', () => {
    expect(isSlicedCell(plan, 'fib/2/feasible')).toBe(true);
    expect(isSlicedCell(plan, 'fib/2/overload')).toBe(false);
  });

  test('come in a random order', () => {
    const orders = plan.launches.map((groups) => groups.map(({ cells }) => cells.join()).join());
    expect(new Set(orders).size).toBeGreaterThan(6);
    const places = plan.launches.map((groups) => groups.findIndex(({ cells }) => cells.length > 1));
    expect(new Set(places).size).toBeGreaterThan(2);
  });

  test('measure requests alone on one topology, the plain one where there is one', () => {
    const aloneOn = (names: Parts['topologies'] & {}) => {
      const { cells } = makePlan({ ...options, topologies: names }, targets, makeMachine(), {
        basis: SERVICE,
      });
      return cells.filter(({ load }) => load === 'alone').map(({ id }) => id);
    };
    expect(aloneOn([2, 'single', 4])).toEqual(['fib/single/alone', 'sort/single/alone']);
    expect(aloneOn([4, 2])).toEqual(['fib/4/alone', 'sort/4/alone']);
  });

  test('tell what their loads were derived from', () => {
    expect(plan.basis).toEqual(SERVICE);
    expect(planOf().basis).toEqual({ kind: 'none' });
  });
});

describe('the plan of a pilot', () => {
  const topologies = [2, 'single'] satisfies Parts['topologies'];
  const pilotOf = (parts: Parts, machine = makeMachine()) => {
    return makePilotPlan(makeOptions({ topologies, ...parts }), STACK, machine);
  };
  const share: Parts = { rates: [{ kind: 'share', share: 0.7 }] };

  test('is none where nothing has to be found out', () => {
    expect(pilotOf({})).toBeNull();
    expect(pilotOf({ suite: 'pm2-tax' })).toBeNull();
    expect(pilotOf({ rates: [{ kind: 'per second', perS: 500 }] })).toBeNull();
    expect(pilotOf({ suite: 'cluster', rates: [{ kind: 'per second', perS: 500 }] })).toBeNull();
  });

  test('asks for one request at a time of a cluster suite, of every target, in one topology', () => {
    const plan = pilotOf({ suite: 'cluster' });
    expect(plan?.loads).toMatchObject([{ id: 'alone', connections: 1, pipelining: 1 }]);
    const ids = ['floor/single/alone', 'middle/single/alone', 'top/single/alone'];
    expect(plan?.cells.map(({ id }) => id)).toEqual(ids);
  });

  test('puts every server to its limit where a share of that is asked for', () => {
    const plan = pilotOf({ ...share, suite: 'cluster' });
    expect(plan?.loads).toMatchObject([{ kind: 'closed', id: 'capacity', pipelining: 1 }]);
    expect(plan?.cells).toHaveLength(6);
  });

  test.each([
    ['of a cluster suite', { suite: 'cluster', launches: 5, until: { share: 0.02, maxTimeNs: 1 } }],
    ['of a rate', { ...share, launches: 6, durationS: 60, sliceS: 5 }],
    ['of an unbroken rate', { ...share, contiguous: true, durationS: 60, sliceS: 60 }],
  ] satisfies [string, Parts][])('is one short launch of slices: %s', (_, parts) => {
    const plan = pilotOf(parts);
    expect(plan).toMatchObject({ basis: { kind: 'none' }, probes: [], until: null });
    expect(plan?.launches).toHaveLength(1);
    expect(plan?.loads).toMatchObject([{ method: 'sliced', sliceNs: 1e9 }]);
    const [group, ...others] = plan?.launches[0] ?? [];
    expect(others).toEqual([]);
    expect(group?.rounds.length).toBeLessThanOrEqual(3);
  });

  test('refuses what the run itself could not do, before it', () => {
    const machine = makeMachine({ fileLimit: 1063 });
    const error = userError(() => pilotOf({ suite: 'cluster' }, machine));
    expect(error.message).toBe(
      '1000 connections need 1064 file descriptors a process, and 1063 are allowed',
    );
    expect(pilotOf({ suite: 'cluster', connections: 999 }, machine)).not.toBeNull();
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
  test('the cost load is for single processes only', () => {
    const plan = planOf({ topologies: ['single', 2] });
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
    expect(plan.cells.map(({ id }) => id)).toEqual([
      'floor/single/cost',
      'middle/single/cost',
      'top/single/cost',
    ]);
  });

  test('cells of one server under several loads name the same server', () => {
    const servers = planOf().cells.map(({ server }) => server);
    expect(new Set(servers)).toEqual(new Set(['floor/single', 'middle/single', 'top/single']));
  });

  test('finds cells, topologies and loads by name, and nothing else', () => {
    const plan = planOf();
    expect(cellOf(plan, 'top/single/cost')).toMatchObject({ target: 'top', load: 'cost' });
    expect(isPlain(topologyOf(plan, 'single'))).toBe(true);
    expect(loadOf(plan, 'cost').connections).toBe(100);
    expect(() => cellOf(plan, 'top/2/cost')).toThrow('the plan has no "top/2/cost"');
  });

  test('refuses a suite without targets', () => {
    const error = userError(() => planOf({}, makeMachine(), []));
    expect(error.message).toBe('no target');
    expect(error.next).toContain('--targets');
  });

  test('what the run is judged by, and how long it goes on, comes from the options', () => {
    const until = { share: 0.03, maxTimeNs: 60e9 };
    expect(planOf({ equivalence: 0.01, until })).toMatchObject({ equivalence: 0.01, until });
    expect(planOf()).toMatchObject({ equivalence: 0.02, until: null });
  });

  test('times are ns', () => {
    const { warmupNs, loads } = planOf({ sliceS: 0.5, warmupS: 1.5 });
    expect(warmupNs).toBe(1.5e9);
    expect(loads.map(({ sliceNs }) => sliceNs)).toEqual([5e8, 5e8]);
  });
});
