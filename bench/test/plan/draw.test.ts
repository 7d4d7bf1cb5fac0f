import { describe, expect, test } from 'vitest';
import { drawLaunch, shuffler } from '../../src/plan/draw.ts';
import { makePlan } from '../../src/plan/make-plan.ts';
import { cellOf, loadOf, type Plan } from '../../src/plan/plan.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { frameworksPlan } from '../../src/suites/frameworks-plan.ts';
import { makeMachine, makeOptions, makeTarget, STACK } from '../support/make-record.ts';

type Parts = Partial<RunOptions>;

function planOf(parts: Parts = {}): Plan {
  return makePlan(frameworksPlan, makeOptions(parts), STACK, makeMachine());
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
    const plan = planOf({ ...parts, durationS: 7, sliceS: 0.5 });
    const ids = sorted(plan.cells.map(({ id }) => id));
    const [first = [], ...others] = ordersOf(plan).map(sorted);
    expect(others).toHaveLength(13);
    // Of the cost load, and of the low one, all of a launch is in its first round.
    const without = ids.filter((id) => id.endsWith('/published'));
    expect(first).toEqual(ids);
    expect(others).toEqual([...Array(6).fill(without), ids, ...Array(6).fill(without)]);
    expect(new Set(ordersOf(plan).map(String)).size).toBeGreaterThan(6);
  });

  test('puts every cell in each place over many rounds', () => {
    // Without the cost load, which is in the first round alone.
    const plan = planOf({ durationS: 202, topologies: [2, 'fork'], connections: 100 });
    expect(plan.cells).toHaveLength(6);
    for (const place of plan.cells.keys()) {
      const there = new Set(ordersOf(plan).map((order) => order[place]));
      expect(there.size).toBe(plan.cells.length);
    }
  });

  test.each([
    [6, 2, 1, 3],
    [24, 6, 1, 4],
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
      const { sliceNs, every } = loadOf(plan, 'cost');
      // The cost load is on as long as the one asked for, in one slice a launch.
      expect(every).toBe(n);
      expect(plan.launches.length * sliceNs).toBeCloseTo(durationS * 1e9, -2);
    },
  );
});

describe('variants', () => {
  const app = makeTarget('app');
  const variants = ['app-json', 'app-row'].map((name, place, names) => {
    const variantOf = names[place - 1] ?? app.name;
    return makeTarget(name, { over: variantOf, variantOf, variant: name });
  });
  const others = ['b', 'c', 'd'].map((name) => makeTarget(name));
  const parts = { topologies: ['single', 2], durationS: 60, connections: 50 } satisfies Parts;
  const plan = makePlan(
    frameworksPlan,
    makeOptions(parts),
    [app, ...others, ...variants],
    makeMachine(),
  );
  const orders = ordersOf(plan).map((ids) => {
    const cells = ids.map((id) => cellOf(plan, id));
    return cells.filter(({ load, topology }) => load === 'custom' && topology === 'single');
  });
  const family = [app, ...variants].map(({ name }) => name);

  test('of one target come one after another, in every order', () => {
    const found = orders.map((cells) => {
      const names = cells.map(({ target }) => target);
      const first = names.findIndex((name) => family.includes(name));
      return names.slice(first, first + family.length);
    });
    for (const names of found) expect(sorted(names)).toEqual(sorted(family));
    expect(new Set(found.map(String)).size).toBe(6);
  });

  test('are anywhere among all others', () => {
    const places = orders.map((cells) => cells.findIndex(({ target }) => family.includes(target)));
    expect(new Set(places)).toEqual(new Set([0, 1, 2, 3]));
  });
});

describe('another launch', () => {
  const parts = { topologies: ['single', 2], seed: 7 } satisfies Parts;

  test('is what the plan would have held, had it been planned from the start', () => {
    const longer = planOf({ ...parts, launches: 4, durationS: 12 });
    const grown = planOf(parts);
    while (grown.launches.length < 4) grown.launches.push(drawLaunch(grown));
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
    const without = ids.filter((id) => id.endsWith('/published'));
    for (const [index, order] of orders.entries()) {
      expect(sorted(order)).toEqual(index % plan.rounds === 0 ? ids : without);
    }
    expect(new Set(orders.map(String)).size).toBeGreaterThan(25);
  });

  test('does not change the plan, and is the same until the plan has it', () => {
    const plan = planOf(parts);
    expect(drawLaunch(plan)).toEqual(drawLaunch(plan));
    expect(plan).toEqual(planOf(parts));
  });

  test('of the next seed is none of this seed', () => {
    const launchesOf = (seed: number) => {
      const many = { launches: 20, durationS: 200, topologies: [2, 'fork'] } satisfies Parts;
      return planOf({ ...parts, ...many, seed }).launches.map((launch) => JSON.stringify(launch));
    };
    const here = new Set(launchesOf(7));
    expect(launchesOf(8).filter((launch) => here.has(launch))).toEqual([]);
  });

  test('of the classic method keeps the order', () => {
    const plan = planOf({ ...parts, contiguous: true, sliceS: 6 });
    const inOrder = plan.cells.map(({ id }) => {
      return { cells: [id], idle: [], unverified: [], rounds: [[id]] };
    });
    expect(drawLaunch(plan)).toEqual(inOrder);
  });
});

describe('probes', () => {
  const PROBES = [makeTarget('canned'), makeTarget('other')];
  const probed = (parts: Parts = {}, machine = makeMachine()) => {
    const options = makeOptions({ topologies: ['single', 2], ...parts });
    return makePlan(frameworksPlan, options, STACK, machine, { probing: PROBES });
  };

  test('get one slice in each launch, in the last round of a load that keeps servers busy', () => {
    const plan = probed({ launches: 4, durationS: 12 });
    plan.launches.push(drawLaunch(plan));
    expect(sorted(plan.probes.map(({ id }) => id))).toEqual([
      'canned/2/published',
      'canned/single/cost',
      'canned/single/published',
      'other/2/published',
      'other/single/cost',
      'other/single/published',
    ]);
    const idsOf = (cells: Plan['cells'], load: string) => {
      return cells.filter((cell) => cell.load === load).map(({ id }) => id);
    };
    const published = idsOf(plan.cells, 'published');
    for (const { rounds } of plan.launches.flat()) {
      // All of the cost load is in the first round, which is its last one too.
      expect(rounds.map(sorted)).toEqual([
        sorted([
          ...published,
          ...idsOf([...plan.cells, ...plan.probes], 'cost'),
          ...idsOf(plan.cells, 'low'),
        ]),
        sorted(published),
        sorted([...published, ...idsOf(plan.probes, 'published')]),
      ]);
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

test('a load has slices in every so many rounds as it is due in, its probes in the last of them', () => {
  /** Four rounds in each of two launches. */
  const options = makeOptions({ durationS: 8, topologies: ['single', 2] });
  const probing = [makeTarget('canned')];
  const plan = makePlan(frameworksPlan, options, STACK, makeMachine(), { probing });
  const countsWhereDueEvery = (every: number, id: string) => {
    const loads = plan.loads.map((load) => (load.id === 'published' ? { ...load, every } : load));
    const [group] = drawLaunch({ ...plan, loads });
    return group?.rounds.map((order) => order.filter((each) => each === id).length);
  };
  expect(countsWhereDueEvery(1, 'top/2/published')).toEqual([1, 1, 1, 1]);
  expect(countsWhereDueEvery(2, 'top/2/published')).toEqual([1, 0, 1, 0]);
  expect(countsWhereDueEvery(3, 'top/2/published')).toEqual([1, 0, 0, 1]);
  expect(countsWhereDueEvery(2, 'canned/2/published')).toEqual([0, 0, 1, 0]);
});

describe('a shuffle', () => {
  const items = Array.from({ length: 20 }, (_, index) => index);

  test('is by the seed and the launch, and goes on from one to the next', () => {
    const twice = (seed: number, launch: number) => {
      const shuffled = shuffler(seed, launch);
      return [shuffled(items), shuffled(items)];
    };
    expect(twice(1, 2)).toEqual(twice(1, 2));
    expect(twice(1, 2)[0]).not.toEqual(twice(1, 2)[1]);
    expect(twice(1, 3)).not.toEqual(twice(1, 2));
    expect(twice(2, 2)).not.toEqual(twice(1, 2));
  });

  test('holds everything once, and leaves what it was given as it was', () => {
    const given = [...items];
    expect(shuffler(1, 0)(given).toSorted((a, b) => a - b)).toEqual(items);
    expect(given).toEqual(items);
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
