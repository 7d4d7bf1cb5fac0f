import { describe, expect, test } from 'vitest';
import { costLoad } from '../../src/plan/loads.ts';
import { makePilotPlan, makePlan, planVerification } from '../../src/plan/make-plan.ts';
import { isSlicedCell, type Plan } from '../../src/plan/plan.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { cluster } from '../../src/suites/cluster.ts';
import { frameworks } from '../../src/suites/frameworks.ts';
import { pm2Tax } from '../../src/suites/pm2-tax.ts';
import { ratesOf } from '../../src/suites/rates.ts';
import type { Suite } from '../../src/suites/suite.ts';
import { truth } from '../../src/suites/truth.ts';
import { onLimits } from '../../src/targets/on-limits.ts';
import { onRuntimes } from '../../src/targets/on-runtimes.ts';
import { userError } from '../support/caught.ts';
import { makeLoad, makeMachine, makeOptions, makeTarget, STACK } from '../support/make-record.ts';
import { BUN, NEW } from '../support/make-runtimes.ts';

type Parts = Partial<RunOptions>;

function planOf(parts: Parts = {}, machine = makeMachine(), targets = STACK): Plan {
  return makePlan(frameworks, makeOptions(parts), targets, machine);
}

const sorted = (ids: string[]) => [...ids].sort();

/** The cost load, on one target after the other in one topology each. */
function planPlaced(wanted: { topology: 'single' | 2; of: string }[]): Plan {
  const options = makeOptions({ topologies: ['single', 2] });
  const rules: Suite = {
    ...frameworks,
    loads: ({ topologies }) =>
      wanted.map(({ topology, of }) => ({
        load: costLoad(options),
        on: topologies.filter(({ id }) => id === String(topology)),
        of: ({ name }) => name === of,
      })),
  };
  return makePlan(rules, options, STACK, makeMachine());
}

describe('loads and cells', () => {
  test('servers with a CPU limit are measured in one go, all on the same cores', () => {
    const blocks = ({ loads }: Plan) => loads.map((load) => load.kind === 'closed' && load.blocks);
    const asked = { connections: 100, pipelining: 10, topologies: ['single' as const, 2] };
    const limited = planOf(asked, makeMachine(), onLimits(STACK, [0.25, 0.5]));
    expect(blocks(limited)).toEqual([1]);
    expect(limited.loads).toMatchObject([{ sliceNs: 1e9, every: 1 }]);
    expect(limited.topologies.map(({ cores }) => cores)).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
    const free = planOf(asked);
    expect(blocks(free)).toEqual([60]);
    expect(free.loads).toMatchObject([{ sliceNs: 3e9, every: 3 }]);
    expect(free.topologies.map(({ cores }) => cores)).toEqual([
      [2, 3],
      [1, 2, 3],
    ]);
  });

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
      'floor/2/cost',
      'middle/2/cost',
      'top/2/cost',
    ]);
  });

  test('cells of one server under several loads name the same server', () => {
    const servers = planOf().cells.map(({ server }) => server);
    expect(new Set(servers)).toEqual(new Set(['floor/single', 'middle/single', 'top/single']));
  });

  test('what does not run on Node is kept by no process manager', () => {
    const targets = onRuntimes(STACK, [BUN, NEW]);
    const plan = planOf({ topologies: ['single', 2, 'cluster:2'] }, makeMachine(), targets);
    const kept = plan.cells.filter(({ topology }) => topology !== 'single');
    expect(new Set(plan.cells.map(({ target }) => target))).toEqual(
      new Set(targets.map(({ name }) => name)),
    );
    expect(new Set(kept.map(({ target }) => target.split('@')[1]))).toEqual(
      new Set(['node-24.1.0']),
    );
    const { groups } = planVerification(['single', 2], targets, makeMachine());
    expect(groups.flat()).toHaveLength(9);
  });

  test('refuses a run of process managers alone for what does not run on Node', () => {
    const targets = onRuntimes(STACK, [BUN]);
    for (const act of [
      () => planOf({ topologies: [2] }, makeMachine(), targets),
      () => planVerification([2], targets, makeMachine()),
    ]) {
      const error = userError(act);
      expect(error.message).toContain('no target runs in these topologies');
      expect(error.next).toContain('single');
    }
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
    const { warmup, loads } = planOf({ durationS: 3, sliceS: 0.5, warmupS: 1.5 });
    expect(warmup).toEqual({ kind: 'settled', capNs: 1.5e9 });
    // The cost load has its three rounds in one slice, and so has the low one, with less time.
    expect(loads.map(({ sliceNs }) => sliceNs)).toEqual([5e8, 15e8, 4.5e8]);
  });

  test('a load can be put on some targets alone, and on others elsewhere', () => {
    const placed = planPlaced([
      { topology: 'single', of: 'floor' },
      { topology: 2, of: 'top' },
      { topology: 2, of: 'top' },
    ]);
    expect(placed.loads).toHaveLength(1);
    expect(placed.cells.map(({ id }) => id)).toEqual(['floor/single/cost', 'top/2/cost']);
    expect(sorted(placed.groups.flat())).toEqual(['floor/single/cost', 'top/2/cost']);
  });

  test('loads that want processes of their own share them with no other load', () => {
    const options = makeOptions({ topologies: ['single', 2] });
    const loads = (fresh: string[]) => {
      const rules: Suite = {
        ...frameworks,
        loads: ({ topologies }) =>
          ['a', 'b', 'c', 'd'].map((id) => ({
            ...{ load: makeLoad({ id }), on: topologies },
            ...(fresh.includes(id) ? { fresh: true } : {}),
          })),
      };
      const { plan, groups } = ((made) => ({ plan: made, groups: made.groups }))(
        makePlan(rules, options, STACK, makeMachine()),
      );
      expect(sorted(groups.flat())).toEqual(sorted(plan.cells.map(({ id }) => id)));
      return groups.map((cells) => [...new Set(cells.map((id) => id.split('/')[2]))]);
    };
    expect(loads([])).toEqual([['a', 'b', 'c', 'd']]);
    expect(loads(['b', 'd'])).toEqual([['a', 'c'], ['b'], ['d']]);
  });

  test('servers are not warmed up for no time', () => {
    expect(planOf({ warmupS: 0 }).warmup).toEqual({ kind: 'none' });
  });

  test('servers are measured as they are, unless a plan arranges something', () => {
    const plan = planOf();
    expect(plan.cells).not.toEqual([]);
    for (const { arrangement } of plan.cells) expect(arrangement).toBe('standard');
    for (const { idle, unverified } of plan.launches.flat()) {
      expect({ idle, unverified }).toEqual({ idle: [], unverified: [] });
    }
  });

  test('has groups in the order that its kind of run wants', () => {
    expect(planOf({ contiguous: true, sliceS: 6 }).groupOrder).toBe('listed');
    expect(planOf().groupOrder).toBe('drawn');
  });
});

/** 100 ms of service on four cores: 16 connections, slices of 4 s. */
const SERVICE = { kind: 'service', server: 'fib/single', serviceNs: 1e8 } as const;

describe('slices and unbroken cells in one plan', () => {
  const topologies = ['single', 2, 4] satisfies Parts['topologies'];
  const options = makeOptions({ topologies, launches: 12, sliceS: 6 });
  const targets = [makeTarget('fib'), makeTarget('sort')];
  const plan = makePlan(cluster, options, targets, makeMachine(), { basis: SERVICE });
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
      const asked = { ...options, topologies: names };
      const { cells } = makePlan(cluster, asked, targets, makeMachine(), { basis: SERVICE });
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
  const pilotOf = (suite: Suite, parts: Parts = {}, machine = makeMachine()) => {
    return makePilotPlan(suite, makeOptions({ topologies, ...parts }), STACK, machine);
  };
  const share: Parts = { rates: [{ kind: 'share', share: 0.7 }] };
  const perSecond: Parts = { rates: [{ kind: 'per second', perS: 500 }] };

  test('is none where nothing has to be found out', () => {
    for (const suite of [frameworks, pm2Tax, truth]) expect(pilotOf(suite)).toBeNull();
    expect(pilotOf(ratesOf('frameworks'), perSecond)).toBeNull();
    expect(pilotOf(ratesOf('cluster'), perSecond)).toBeNull();
  });

  test('asks for one request at a time of a cluster suite, of every target, in one topology', () => {
    const plan = pilotOf(cluster);
    expect(plan?.loads).toMatchObject([{ id: 'alone', connections: 1, pipelining: 1 }]);
    const ids = ['floor/single/alone', 'middle/single/alone', 'top/single/alone'];
    expect(plan?.cells.map(({ id }) => id)).toEqual(ids);
  });

  test('puts every server to its limit where a share of that is asked for', () => {
    const plan = pilotOf(ratesOf('cluster'), share);
    expect(plan?.loads).toMatchObject([{ kind: 'closed', id: 'capacity', pipelining: 1 }]);
    expect(plan?.cells).toHaveLength(6);
  });

  test.each([
    ['of a cluster suite', cluster, { launches: 5, until: { share: 0.02, maxTimeNs: 1 } }],
    ['of a rate', ratesOf('frameworks'), { ...share, launches: 6, durationS: 60, sliceS: 5 }],
    [
      'of an unbroken rate',
      ratesOf('frameworks'),
      { ...share, contiguous: true, durationS: 60, sliceS: 60 },
    ],
  ] satisfies [string, Suite, Parts][])('is one short launch of slices: %s', (_, suite, parts) => {
    const plan = pilotOf(suite, parts);
    expect(plan).toMatchObject({ basis: { kind: 'none' }, probes: [], until: null });
    expect(plan?.launches).toHaveLength(1);
    expect(plan?.loads).toMatchObject([{ method: 'sliced', sliceNs: 1e9 }]);
    const [group, ...others] = plan?.launches[0] ?? [];
    expect(others).toEqual([]);
    expect(group?.rounds.length).toBeLessThanOrEqual(3);
  });

  test('refuses what the run itself could not do, before it', () => {
    const machine = makeMachine({ fileLimit: 1063 });
    const error = userError(() => pilotOf(cluster, {}, machine));
    expect(error.message).toBe(
      '1000 connections need 1064 file descriptors a process, and 1063 are allowed',
    );
    expect(pilotOf(cluster, { connections: 999 }, machine)).not.toBeNull();
  });
});

describe('the core of the generator', () => {
  test('is the first that this process may use', () => {
    expect(planOf().generatorCores).toEqual([0]);
    expect(planOf({}, makeMachine({ cores: [5, 7] })).generatorCores).toEqual([5]);
  });

  test('is none of its own where nothing can be pinned', () => {
    expect(planOf({}, makeMachine({ canPin: false })).generatorCores).toBeNull();
  });
});
