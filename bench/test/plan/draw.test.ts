import { expect, test } from 'vitest';
import { drawBlocks, drawLaunch, NO_LEAD_IN } from '../../src/plan/draw.ts';
import type { OpenLoad } from '../../src/plan/loads.ts';
import { cellOf, type Plan } from '../../src/plan/plan.ts';
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

test('the order follows from the seed, for the same cells', () => {
  const [one, other] = [planOf(BOTH), planOf({ ...BOTH, seed: 8 })];
  expect(planOf(BOTH)).toEqual(one);
  expect(ordersOf(other)).not.toEqual(ordersOf(one));
  expect(other.cells).toEqual(one.cells);
});

test('the order differs between rounds, each of which has every due cell exactly once', () => {
  const plan = planOf({ ...BOTH, durationS: 7, sliceS: 0.5 });
  const published = idsOf(plan.cells, 'published');
  // The cost load and the low one are in the first round only, for all of a launch.
  const launch = [idsOf(plan.cells, 'published', 'cost', 'low'), ...Array(6).fill(published)];
  expect(ordersOf(plan).map(sorted)).toEqual([...launch, ...launch]);
  expect(new Set(ordersOf(plan).map(String)).size).toBeGreaterThan(6);
});

test('every cell comes in each place, over many rounds', () => {
  // Without the cost load, which is only in the first round.
  const plan = planOf({ durationS: 202, topologies: [2, 'fork'], connections: 100 });
  expect(plan.cells).toHaveLength(6);
  for (const place of plan.cells.keys()) {
    expect(new Set(ordersOf(plan).map((order) => order[place])).size).toBe(6);
  }
});

test('variants of a target are next to each other, in every order, anywhere among the others', () => {
  const bases = { app: null, b: null, c: null, d: null, 'app-json': 'app', 'app-row': 'app-json' };
  const targets = Object.entries(bases).map(([name, base]) => {
    return makeTarget(name, { over: base, variantOf: base, variant: base && name });
  });
  const plan = planOf({ ...BOTH, durationS: 60, connections: 50 }, { targets });
  const [families, places] = [new Set<string>(), new Set<number>()];
  for (const ids of ordersOf(plan)) {
    const cells = ids.filter((id) => id.endsWith('/single/custom'));
    const place = cells.findIndex((id) => id.startsWith('app'));
    const family = cells.slice(place, place + 3).map((id) => cellOf(plan, id).target);
    expect(sorted(family)).toEqual(['app', 'app-json', 'app-row']);
    families.add(family.join());
    places.add(place);
  }
  expect([families.size, places]).toEqual([6, new Set([0, 1, 2, 3])]);
});

test('another launch is the one that a longer plan would have', () => {
  const grown = planOf(BOTH);
  expect(drawLaunch(grown)).toEqual(drawLaunch(grown));
  expect(grown).toEqual(planOf(BOTH));
  while (grown.launches.length < 4) grown.launches.push(drawLaunch(grown));
  expect(grown).toEqual(planOf({ ...BOTH, launches: 4, durationS: 12 }));
  expect(new Set(ordersOf(grown).map(String)).size).toBeGreaterThan(8);
});

test('no launch of the next seed is one of this seed', () => {
  const launchesOf = (seed: number) => {
    const plan = planOf({ launches: 20, durationS: 200, topologies: [2, 'fork'], seed });
    return plan.launches.map((launch) => JSON.stringify(launch));
  };
  const here = new Set(launchesOf(7));
  expect(launchesOf(8).filter((launch) => here.has(launch))).toEqual([]);
});

test('probes have one slice in each launch, in the last round of a load that keeps servers busy', () => {
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
  // They are alive with the others, and are none of the cells that are compared.
  expect(plan.groups).toHaveLength(1);
  expect(plan.groups[0]).toContain('canned/2/published');
  expect(plan.cells).toEqual(planOf(BOTH).cells);
});

test.each<[string, Partial<OpenLoad>, string, string[]]>([
  ['every round', {}, 'top/2', ['1111', '1111']],
  ['every other round', { everyNthRound: 2 }, 'top/2', ['1010', '1010']],
  ['every third round', { everyNthRound: 3 }, 'top/2', ['1001', '1001']],
  ['every other round, for a probe', { everyNthRound: 2 }, 'canned/2', ['0010', '0010']],
  ['every third launch', { everyNthLaunch: 3 }, 'top/2', ['1111', '0000', '0000', '1111']],
])('a load is due in %s', (_, due, server, counts) => {
  // Launches of four rounds.
  const plan = planOf({ ...BOTH, durationS: 8 }, { probes: PROBES });
  const loads = plan.loads.map((load) => {
    return load.id === 'published' ? makeOpenLoad({ id: load.id, ...due }) : load;
  });
  const found = counts.map((_, launch) => {
    const [group] = drawLaunch({ ...plan, loads, launches: Array(launch).fill([]) });
    const ids = `${server}/published`;
    return group?.rounds.map((order) => order.filter((id) => id === ids).length).join('');
  });
  expect(found).toEqual(counts);
});

test('contiguous is one cell a group, one round, one slice as long as -d, in the order of the targets', () => {
  const plan = planOf({ ...BOTH, contiguous: true, launches: 3, sliceS: 6 });
  expect(plan.loads).toMatchObject([{ id: 'published', method: 'contiguous', sliceNs: 6e9 }]);
  const launch = plan.cells.map(({ id }) => {
    return { cells: [id], idle: [], unverified: [], rounds: [[id]] };
  });
  expect(plan.launches).toEqual([launch, launch, launch]);
});

const PLAN = planOf();
/** Five turns of 50 ms. */
const FIVE = { sliceNs: 2.5e8, blocks: 5, saturates: true };
const DRAWN = drawBlocks(PLAN, 0, 0, 8, FIVE);

test('turns come in blocks that have every place once', () => {
  const { blocks, leadIn } = DRAWN;
  // The lead-in is as long as a server may warm up: a second.
  expect([blocks.length, leadIn.blocks.length]).toEqual([5, 20]);
  for (const block of [...blocks, ...leadIn.blocks]) {
    expect(block.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  }
  expect(new Set([...blocks, ...leadIn.blocks].map(String)).size).toBeGreaterThan(20);
});

test('turns follow from the seed, the launch and the round', () => {
  expect(drawBlocks(PLAN, 0, 0, 8, FIVE)).toEqual(DRAWN);
  for (const other of [
    drawBlocks(PLAN, 1, 0, 8, FIVE),
    drawBlocks(PLAN, 0, 1, 8, FIVE),
    drawBlocks({ ...PLAN, seed: PLAN.seed + 1 }, 0, 0, 8, FIVE),
  ]) {
    expect(other.blocks).not.toEqual(DRAWN.blocks);
    expect(other.leadIn.blocks).not.toEqual(DRAWN.leadIn.blocks);
  }
});

test.each([
  ['for 30,000 answers and until they are steady for 0.4 s', {}, [20, 30_000, 8]],
  ['for as many turns of a fifth of a second', { sliceNs: 1e9 }, [5, 30_000, 2]],
  // No server ever answers as many.
  ['at a low rate for 0.8 s', { saturates: false }, [16, 0, 8]],
])('an interleaving has a lead-in %s at most', (_, parts, expected) => {
  const { blocks, answers, span } = drawBlocks(PLAN, 0, 0, 8, { ...FIVE, ...parts }).leadIn;
  expect([blocks.length, answers, span]).toEqual(expected);
});

test('an interleaving has no lead-in without a warm-up', () => {
  const cold = drawBlocks({ ...PLAN, warmup: { kind: 'none' } }, 0, 0, 8, FIVE);
  expect(cold).toEqual({ blocks: DRAWN.blocks, leadIn: NO_LEAD_IN });
});
