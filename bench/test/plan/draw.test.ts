import { describe, expect, test } from 'vitest';
import { drawBlocks, drawLaunch, NO_LEAD_IN, shuffler } from '../../src/plan/draw.ts';
import { cellOf, loadOf, type Plan } from '../../src/plan/plan.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { makeOpenLoad, makeTarget, planOf } from '../support/make-record.ts';

const BOTH = { topologies: ['single', 2], seed: 7 } satisfies Partial<RunOptions>;
const PROBES = [makeTarget('canned'), makeTarget('other')];

const ordersOf = ({ launches }: Pick<Plan, 'launches'>) => {
  return launches.flat().flatMap(({ rounds }) => rounds);
};
const sorted = (ids: string[]) => ids.toSorted();
const idsOf = (cells: Plan['cells'], ...loads: string[]) => {
  return sorted(cells.filter(({ load }) => loads.includes(load)).map(({ id }) => id));
};

describe('the order', () => {
  test('follows from the seed, for the same cells', () => {
    const [one, other] = [planOf(BOTH), planOf({ ...BOTH, seed: 8 })];
    expect(planOf(BOTH)).toEqual(one);
    expect(ordersOf(other)).not.toEqual(ordersOf(one));
    expect(other.cells).toEqual(one.cells);
  });

  test('differs between rounds, each of which has every due cell exactly once', () => {
    const plan = planOf({ ...BOTH, durationS: 7, sliceS: 0.5 });
    const published = idsOf(plan.cells, 'published');
    // The cost load and the low one are in the first round only, for all of a launch.
    const launch = [idsOf(plan.cells, 'published', 'cost', 'low'), ...Array(6).fill(published)];
    expect(ordersOf(plan).map(sorted)).toEqual([...launch, ...launch]);
    expect(new Set(ordersOf(plan).map(String)).size).toBeGreaterThan(6);
  });

  test('has every cell in each place, over many rounds', () => {
    // Without the cost load, which is only in the first round.
    const plan = planOf({ durationS: 202, topologies: [2, 'fork'], connections: 100 });
    expect(plan.cells).toHaveLength(6);
    for (const place of plan.cells.keys()) {
      expect(new Set(ordersOf(plan).map((order) => order[place])).size).toBe(6);
    }
  });

  test('has variants of a target next to each other, in every order, anywhere among the others', () => {
    const [json, row] = [['app-json', 'app'] as const, ['app-row', 'app-json'] as const].map(
      ([name, base]) => makeTarget(name, { over: base, variantOf: base, variant: name }),
    );
    const others = ['b', 'c', 'd'].map((name) => makeTarget(name));
    const targets = [makeTarget('app'), ...others, ...(json && row ? [json, row] : [])];
    const plan = planOf({ ...BOTH, durationS: 60, connections: 50 }, { targets });
    const found = ordersOf(plan).map((ids) => {
      const names = ids
        .map((id) => cellOf(plan, id))
        .filter(({ load, topology }) => load === 'custom' && topology === 'single')
        .map(({ target }) => target);
      const first = names.findIndex((name) => name.startsWith('app'));
      return { first, family: names.slice(first, first + 3) };
    });
    for (const { family } of found) expect(sorted(family)).toEqual(['app', 'app-json', 'app-row']);
    expect(new Set(found.map(({ family }) => String(family))).size).toBe(6);
    expect(new Set(found.map(({ first }) => first))).toEqual(new Set([0, 1, 2, 3]));
  });
});

test.each([
  [6, 2, 1, 3],
  [24, 6, 1, 4],
  [0.9, 3, 0.3, 1],
  [5, 6, 5 / 6, 1],
  [9, 6, 1, 2],
  [8, 6, 1, 1],
])(
  '%d s in %d launches of slices of about %d s are %d rounds',
  (durationS, launches, sliceS, n) => {
    const plan = planOf({ durationS, launches, sliceS });
    expect(plan.launches).toHaveLength(launches);
    for (const group of plan.launches.flat()) expect(group.rounds).toHaveLength(n);
    const { sliceNs, everyNthRound } = loadOf(plan, 'cost');
    // The cost load takes as long as the one asked for, in one slice a launch.
    expect(everyNthRound).toBe(n);
    expect(plan.launches.length * sliceNs).toBeCloseTo(durationS * 1e9, -2);
  },
);

describe('another launch', () => {
  test('is the one that a longer plan would have', () => {
    const grown = planOf(BOTH);
    expect(drawLaunch(grown)).toEqual(drawLaunch(grown));
    expect(grown).toEqual(planOf(BOTH));
    while (grown.launches.length < 4) grown.launches.push(drawLaunch(grown));
    expect(grown).toEqual(planOf({ ...BOTH, launches: 4, durationS: 12 }));
    expect(new Set(ordersOf(grown).map(String)).size).toBeGreaterThan(8);
  });

  test('of the next seed is none of this seed', () => {
    const many = { launches: 20, durationS: 200, topologies: [2, 'fork'] } as const;
    const launchesOf = (seed: number) => {
      return planOf({ ...many, topologies: [2, 'fork'], seed }).launches.map((launch) => {
        return JSON.stringify(launch);
      });
    };
    const here = new Set(launchesOf(7));
    expect(launchesOf(8).filter((launch) => here.has(launch))).toEqual([]);
  });
});

describe('probes', () => {
  test('have one slice in each launch, in the last round of a load that keeps servers busy', () => {
    const plan = planOf({ ...BOTH, launches: 4, durationS: 12 }, { probes: PROBES });
    plan.launches.push(drawLaunch(plan));
    const all = [...plan.cells, ...plan.probes];
    const published = idsOf(plan.cells, 'published');
    for (const { rounds } of plan.launches.flat()) {
      // The first round is also the last one of the cost load.
      expect(rounds.map(sorted)).toEqual([
        sorted([...published, ...idsOf(all, 'cost'), ...idsOf(plan.cells, 'low')]),
        published,
        idsOf(all, 'published'),
      ]);
    }
    const places = ordersOf(plan).map((order) => order.indexOf('canned/single/cost'));
    expect(new Set(places.filter((place) => place >= 0)).size).toBeGreaterThan(1);
  });

  test('are alive with the others, have ids, and are none of the cells that are compared', () => {
    const plan = planOf(BOTH, { probes: PROBES });
    expect(plan.groups).toHaveLength(1);
    expect(plan.groups[0]).toContain('canned/2/published');
    expect(cellOf(plan, 'canned/2/published')).toMatchObject({ target: 'canned', topology: '2' });
    expect(plan.cells).toEqual(planOf(BOTH).cells);
  });
});

test.each([
  [1, 'top/2/published', [1, 1, 1, 1]],
  [2, 'top/2/published', [1, 0, 1, 0]],
  [3, 'top/2/published', [1, 0, 0, 1]],
  [2, 'canned/2/published', [0, 0, 1, 0]],
])('a load that is due in every round of %d has slices of %s in %j', (every, id, counts) => {
  // Four rounds in each of two launches.
  const plan = planOf({ ...BOTH, durationS: 8 }, { probes: PROBES });
  const loads = plan.loads.map((load) => {
    return load.id === 'published' ? { ...load, everyNthRound: every } : load;
  });
  const [group] = drawLaunch({ ...plan, loads });
  expect(group?.rounds.map((ids) => ids.filter((each) => each === id).length)).toEqual(counts);
});

test('an open load has slices in every so many launches as it is due in', () => {
  const plan = planOf({ ...BOTH, launches: 1 });
  const loads = plan.loads.map((load) => {
    return load.id === 'published' ? makeOpenLoad({ id: load.id, everyNthLaunch: 3 }) : load;
  });
  const counts = [0, 1, 2, 3].map((launch) => {
    const launches = Array.from({ length: launch }, () => []);
    const [group] = drawLaunch({ ...plan, loads, launches });
    return group?.rounds.flat().filter((id) => id === 'top/2/published').length;
  });
  expect(counts[0]).toBeGreaterThan(0);
  expect(counts).toEqual([counts[0], 0, 0, counts[0]]);
});

test('a shuffle follows from seed and launch, continues from one to the next, and keeps every item', () => {
  const items = Array.from({ length: 20 }, (_, index) => index);
  const twice = (seed: number, launch: number) => {
    const shuffled = shuffler(seed, launch);
    return [shuffled(items), shuffled(items)];
  };
  const [first = [], second] = twice(1, 2);
  expect(twice(1, 2)).toEqual([first, second]);
  expect(first).not.toEqual(second);
  expect(twice(1, 3)).not.toEqual([first, second]);
  expect(twice(2, 2)).not.toEqual([first, second]);
  expect(first.toSorted((a, b) => a - b)).toEqual(items);
});

test('contiguous is one cell a group, one round, one slice as long as -d, in the order of the targets', () => {
  const plan = planOf({ ...BOTH, contiguous: true, launches: 3, sliceS: 6 });
  expect(plan.loads).toMatchObject([{ id: 'published', method: 'contiguous', sliceNs: 6e9 }]);
  const launch = plan.cells.map(({ id }) => {
    return { cells: [id], idle: [], unverified: [], rounds: [[id]] };
  });
  expect(plan.launches).toEqual([launch, launch, launch]);
});

describe('the turns of an interleaving', () => {
  const plan = planOf();
  /** Five turns of 50 ms. */
  const FIVE = { sliceNs: 2.5e8, blocks: 5, saturates: true };
  const drawn = drawBlocks(plan, 0, 0, 8, FIVE);

  test('come in blocks that have every place once', () => {
    const { blocks, leadIn } = drawn;
    // The lead-in is as long as a server may warm up: a second.
    expect([blocks.length, leadIn.blocks.length]).toEqual([5, 20]);
    for (const block of [...blocks, ...leadIn.blocks]) {
      expect(block.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    }
    expect(new Set([...blocks, ...leadIn.blocks].map(String)).size).toBeGreaterThan(20);
  });

  test('follow from the seed, the launch and the round', () => {
    expect(drawBlocks(plan, 0, 0, 8, FIVE)).toEqual(drawn);
    for (const other of [
      drawBlocks(plan, 1, 0, 8, FIVE),
      drawBlocks(plan, 0, 1, 8, FIVE),
      drawBlocks({ ...plan, seed: plan.seed + 1 }, 0, 0, 8, FIVE),
    ]) {
      expect(other.blocks).not.toEqual(drawn.blocks);
      expect(other.leadIn.blocks).not.toEqual(drawn.leadIn.blocks);
    }
  });

  test.each([
    ['for 30,000 answers and until they are steady for 0.4 s', {}, [20, 30_000, 8]],
    ['for as many turns of a fifth of a second', { sliceNs: 1e9 }, [5, 30_000, 2]],
    // No server ever answers as many.
    ['at a low rate for 0.8 s', { saturates: false }, [16, 0, 8]],
  ])('have a lead-in %s at most', (_, parts, expected) => {
    const { blocks, answers, span } = drawBlocks(plan, 0, 0, 8, { ...FIVE, ...parts }).leadIn;
    expect([blocks.length, answers, span]).toEqual(expected);
  });

  test('have no lead-in without a warm-up', () => {
    const cold = drawBlocks({ ...plan, warmup: { kind: 'none' } }, 0, 0, 8, FIVE);
    expect(cold).toEqual({ blocks: drawn.blocks, leadIn: NO_LEAD_IN });
  });
});
