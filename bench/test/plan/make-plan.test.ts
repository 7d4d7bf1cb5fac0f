import { expect, test } from 'vitest';
import { costLoad } from '../../src/plan/loads.ts';
import { makePilotPlan, planVerification } from '../../src/plan/make-plan.ts';
import { cellOf, type Plan } from '../../src/plan/plan.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { cluster } from '../../src/suites/cluster.ts';
import { frameworks } from '../../src/suites/frameworks.ts';
import { pm2Tax } from '../../src/suites/pm2-tax.ts';
import { ratesOf } from '../../src/suites/rates.ts';
import type { Suite } from '../../src/suites/suite.ts';
import { truth } from '../../src/suites/truth.ts';
import { perLimit, perRuntime } from '../../src/targets/copies.ts';
import { userError } from '../support/caught.ts';
import {
  makeLoad,
  makeMachine,
  makeOptions,
  makeTarget,
  planOf,
  STACK,
} from '../support/make-record.ts';
import { BUN, NEW } from '../support/make-runtimes.ts';

type Parts = Partial<RunOptions>;

const BOTH = { topologies: ['single', 2] } satisfies Parts;
const COST = { connections: 100, pipelining: 10 };
const MAINS = ['floor', 'middle', 'top'];

const sorted = (ids: string[]) => ids.toSorted();
const under = ({ cells }: Pick<Plan, 'cells'>, ...loads: string[]) => {
  return cells.filter(({ load }) => loads.includes(load)).map(({ id }) => id);
};
const ofLoads = (loads: Suite['loads']) => planOf(BOTH, { suite: { ...frameworks, loads } });

test('a plan finds cells of targets and probes by their ids, and nothing else', () => {
  const plan = planOf({}, { probes: [makeTarget('canned')] });
  expect(cellOf(plan, 'top/single/cost')).toMatchObject({ target: 'top', load: 'cost' });
  expect(cellOf(plan, 'canned/single/cost')).toMatchObject({ target: 'canned' });
  expect(() => cellOf(plan, 'top/2/cost')).toThrow('the plan has no "top/2/cost"');
});

test('a plan has times in ns, how the run is judged, and what its loads were derived from', () => {
  const until = { share: 0.03, maxTimeNs: 60e9 };
  const made = planOf({ durationS: 3, sliceS: 0.5, warmupS: 1.5, equivalence: 0.01, until });
  const warmup = { kind: 'settled', capNs: 1.5e9 };
  expect(made).toMatchObject({ equivalence: 0.01, until, warmup, pilot: { kind: 'none' } });
  expect(MIXED.pilot).toEqual(pilot);
  // The cost load has its three rounds in one slice, and so has the low one, with less time.
  expect(made.loads.map(({ sliceNs }) => sliceNs)).toEqual([5e8, 15e8, 4.5e8]);
  expect(planOf({ warmupS: 0 }).warmup).toEqual({ kind: 'none' });
});

test('servers with a CPU limit are measured in one go, all on the same cores', () => {
  const coresIn = ({ topologies }: Plan) => topologies.map((each) => each.cores);
  const limited = planOf({ ...COST, ...BOTH }, { targets: perLimit(STACK, [0.25, 0.5]) });
  expect(limited.loads).toMatchObject([{ blocks: 1, sliceNs: 1e9, everyNthRound: 1 }]);
  expect(coresIn(limited)).toEqual(Array(2).fill([1, 2, 3]));
  const free = planOf({ ...COST, ...BOTH });
  expect(free.loads).toMatchObject([{ blocks: 60, sliceNs: 3e9, everyNthRound: 3 }]);
  expect(coresIn(free).join('; ')).toBe('2,3; 1,2,3');
});

test('process managers run nothing but Node', () => {
  const targets = perRuntime(STACK, [BUN, NEW]);
  const { cells } = planOf({ topologies: ['single', 2, 'cluster:2'] }, { targets });
  const names = new Set(cells.map(({ target }) => target));
  expect(names).toEqual(new Set(targets.map(({ name }) => name)));
  const managed = cells.filter(({ topology }) => topology !== 'single');
  for (const { target } of managed) expect(target).toMatch(/@node-24\.1\.0$/);
  expect(managed).toHaveLength(6);
  expect(planVerification(['single', 2], targets, makeMachine()).groups.flat()).toHaveLength(9);
});

test.each([
  ['only managed processes of Bun', perRuntime(STACK, [BUN]), 'no target runs in these', 'single'],
  ['no target', [], 'no target', '--targets'],
])('a run is refused of %s', (_, targets, message, next) => {
  const error = userError(() => planOf({ topologies: [2] }, { targets }));
  expect(error.message).toContain(message);
  expect(error.next).toContain(next);
  const verifying = userError(() => planVerification([2], targets, makeMachine()));
  expect(verifying.message).toBe(error.message);
});

test('a load can be put on some targets only, and on others elsewhere', () => {
  const load = costLoad(makeOptions(BOTH));
  const plan = ofLoads(({ topologies: [single, two] }) => {
    const on = (topology: typeof single, name: string) => {
      const of = (target: { name: string }) => target.name === name;
      return { load, on: topology ? [topology] : [], of };
    };
    return [on(single, 'floor'), on(two, 'top'), on(two, 'top')];
  });
  expect(plan.loads).toHaveLength(1);
  expect(plan.cells.map(({ id }) => id)).toEqual(['floor/single/cost', 'top/2/cost']);
  expect(sorted(plan.groups.flat())).toEqual(['floor/single/cost', 'top/2/cost']);
});

test.each([
  { own: [], groups: [['a', 'b', 'c', 'd']] },
  { own: ['b', 'd'], groups: [['a', 'c'], ['b'], ['d']] },
])('loads with fresh processes share them with no other: $own', ({ own, groups }) => {
  const plan = ofLoads(({ topologies: on }) => {
    return ['a', 'b', 'c', 'd'].map((id) => {
      const assigned = { load: makeLoad({ id }), on };
      return own.some((each) => each === id) ? { ...assigned, fresh: true } : assigned;
    });
  });
  expect(sorted(plan.groups.flat())).toEqual(sorted(plan.cells.map(({ id }) => id)));
  const loads = plan.groups.map((cells) => [...new Set(cells.map((id) => id.split('/')[2]))]);
  expect(loads).toEqual(groups);
});

/** 100 ms of service on four cores: 16 connections, slices of 4 s. */
const pilot = { kind: 'service', server: 'fib/single', serviceNs: 1e8 } as const;
const targets = [makeTarget('fib'), makeTarget('sort')];
const MIXED = planOf(
  { topologies: ['single', 2, 4], launches: 12, sliceS: 6 },
  { suite: cluster, targets, pilot },
);

test('contiguous cells have groups of their own, of one round, and all slices share one group', () => {
  const contiguous = sorted(under(MIXED, 'overload'));
  const slices = sorted(under(MIXED, 'alone', 'feasible'));
  expect(contiguous).toHaveLength(6);
  expect(MIXED.rounds).toBeGreaterThan(1);
  for (const launch of MIXED.launches) {
    const [sliced, ...others] = launch.filter(({ cells: [id] }) => !id?.endsWith('/overload'));
    expect(others).toEqual([]);
    expect(sliced?.rounds.map(sorted)).toEqual(Array(MIXED.rounds).fill(slices));
    const alone = launch.filter((group) => group !== sliced);
    expect(sorted(alone.flatMap(({ cells }) => cells))).toEqual(contiguous);
    for (const { cells, rounds } of alone) expect(rounds).toEqual([[cells[0]]]);
  }
});

test('groups of contiguous cells and of slices come in a random order', () => {
  const orders = MIXED.launches.map((groups) => groups.map(({ cells }) => cells.join()).join());
  expect(new Set(orders).size).toBeGreaterThan(6);
  const places = MIXED.launches.map((groups) => groups.findIndex(({ cells }) => cells.length > 1));
  expect(new Set(places).size).toBeGreaterThan(2);
});

const pilotOf = (suite: Suite, parts: Parts = {}, machine = makeMachine()) => {
  return makePilotPlan(suite, makeOptions({ topologies: [2, 'single'], ...parts }), STACK, machine);
};
const share: Parts = { rates: [{ kind: 'share', share: 0.7 }] };

test('there is no pilot if nothing has to be found out', () => {
  for (const suite of [frameworks, pm2Tax, truth]) expect(pilotOf(suite)).toBeNull();
});

test('a pilot has every server in one topology if requests come alone, and else at its limit', () => {
  const cells = pilotOf(cluster)?.cells.map(({ id }) => id);
  expect(cells).toEqual(MAINS.map((name) => `${name}/single/alone`));
  const plan = pilotOf(ratesOf('cluster'), share);
  expect(plan?.cells).toHaveLength(6);
});

test.each<[string, Suite, Parts]>([
  ['of a cluster suite', cluster, { launches: 5, until: { share: 0.02, maxTimeNs: 1 } }],
  ['of a rate', ratesOf('frameworks'), { ...share, launches: 6, durationS: 60, sliceS: 5 }],
  ['of one that is contiguous', ratesOf('frameworks'), { ...share, contiguous: true }],
])('a pilot is one short launch of slices: %s', (_, suite, parts) => {
  const plan = pilotOf(suite, parts);
  expect(plan).toMatchObject({ pilot: { kind: 'none' }, probes: [], until: null });
  expect(plan?.loads).toMatchObject([{ method: 'sliced', sliceNs: 1e9 }]);
  expect(plan?.launches.map((groups) => groups.length)).toEqual([1]);
  expect(plan?.launches[0]?.[0]?.rounds.length).toBeLessThanOrEqual(3);
});

test('a pilot is refused where the run itself will be', () => {
  const machine = makeMachine({ fileLimit: 1063 });
  const error = userError(() => pilotOf(cluster, {}, machine));
  expect(error.message).toContain('1000 connections need 1064 file descriptors');
  expect(pilotOf(cluster, { connections: 999 }, machine)).not.toBeNull();
});
