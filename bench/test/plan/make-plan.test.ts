import { describe, expect, test } from 'vitest';
import { costLoad } from '../../src/plan/loads.ts';
import { makePilotPlan, makePlan, planVerification } from '../../src/plan/make-plan.ts';
import {
  cellFor,
  cellOf,
  isSlicedCell,
  loadOf,
  type Plan,
  planSchema,
  topologyOf,
} from '../../src/plan/plan.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { cluster } from '../../src/suites/cluster.ts';
import { frameworks } from '../../src/suites/frameworks.ts';
import { pm2Tax } from '../../src/suites/pm2-tax.ts';
import { ratesOf } from '../../src/suites/rates.ts';
import type { Suite } from '../../src/suites/suite.ts';
import { truth } from '../../src/suites/truth.ts';
import { onLimits, onRuntimes } from '../../src/targets/copies.ts';
import { userError } from '../support/caught.ts';
import { makeLoad, makeMachine, makeOptions, makeTarget, STACK } from '../support/make-record.ts';
import { BUN, NEW } from '../support/make-runtimes.ts';

type Parts = Partial<RunOptions>;

const BOTH = { topologies: ['single', 2] } satisfies Parts;
const COST = { connections: 100, pipelining: 10 };

function planOf(parts: Parts = {}, machine = makeMachine(), targets = STACK): Plan {
  return makePlan(frameworks, makeOptions(parts), targets, machine);
}

const sorted = (ids: string[]) => [...ids].sort();
const under = ({ cells }: Pick<Plan, 'cells'>, ...loads: string[]) => {
  return cells.filter(({ load }) => loads.includes(load)).map(({ id }) => id);
};
const MAINS = ['floor', 'middle', 'top'];

/** A plan of these loads alone. */
function planOfLoads(loads: Suite['loads']): Plan {
  return makePlan({ ...frameworks, loads }, makeOptions(BOTH), STACK, makeMachine());
}

describe('a plan', () => {
  const plan = makePlan(frameworks, makeOptions(), STACK, makeMachine(), {
    probing: [makeTarget('canned')],
  });

  test('is what a record holds', () => {
    expect(planSchema.parse(plan)).toEqual(plan);
  });

  test('finds cells, topologies and loads by name, and nothing else', () => {
    expect(cellOf(plan, 'top/single/cost')).toMatchObject({ target: 'top', load: 'cost' });
    expect(cellOf(plan, 'canned/single/cost')).toMatchObject({ target: 'canned' });
    expect(topologyOf(plan, 'single').manager).toBe('none');
    expect(loadOf(plan, 'cost').connections).toBe(100);
    expect(() => cellOf(plan, 'top/2/cost')).toThrow('the plan has no "top/2/cost"');
    expect(() => topologyOf(plan, '2')).toThrow('the plan has no "2"');
    expect(() => loadOf(plan, 'custom')).toThrow('the plan has no "custom"');
  });

  test('names a cell by its server and load, and by its arrangement where that is another', () => {
    const ref = { server: 'app/2', target: 'app', topology: '2' };
    const cell = { ...ref, load: 'custom', id: 'app/2/custom', arrangement: 'standard' };
    expect(cellFor(ref, makeLoad())).toEqual(cell);
    const alone = { id: 'app/2/custom/alone', arrangement: 'alone' };
    expect(cellFor(ref, makeLoad(), 'alone')).toEqual({ ...cell, ...alone });
  });

  test('has times in ns, and what the run is judged by, from the options', () => {
    const until = { share: 0.03, maxTimeNs: 60e9 };
    const parts = { durationS: 3, sliceS: 0.5, warmupS: 1.5, equivalence: 0.01, until };
    const made = planOf(parts);
    expect(made).toMatchObject({ equivalence: 0.01, until });
    expect(made.warmup).toEqual({ kind: 'settled', capNs: 1.5e9 });
    // The cost load has its three rounds in one slice, and so has the low one, with less time.
    expect(made.loads.map(({ sliceNs }) => sliceNs)).toEqual([5e8, 15e8, 4.5e8]);
    expect(planOf({ warmupS: 0 }).warmup).toEqual({ kind: 'none' });
  });

  test('measures servers as they are, and has its groups in the order that its kind of run wants', () => {
    for (const { arrangement } of plan.cells) expect(arrangement).toBe('standard');
    for (const group of plan.launches.flat()) {
      expect(group).toMatchObject({ idle: [], unverified: [] });
    }
    expect(plan.groupOrder).toBe('drawn');
    expect(planOf({ contiguous: true, sliceS: 6 }).groupOrder).toBe('listed');
  });

  test('has the generator on the first core of this process, where anything can be pinned', () => {
    expect(planOf({}, makeMachine({ cores: [5, 7] })).generatorCores).toEqual([5]);
    expect(planOf({}, makeMachine({ canPin: false })).generatorCores).toBeNull();
  });
});

describe('loads and cells', () => {
  test('servers with a CPU limit are measured in one go, all on the same cores', () => {
    const limited = planOf({ ...COST, ...BOTH }, makeMachine(), onLimits(STACK, [0.25, 0.5]));
    expect(limited.loads).toMatchObject([{ blocks: 1, sliceNs: 1e9, everyNthRound: 1 }]);
    const cores = ({ topologies }: Plan) => topologies.map((each) => each.cores);
    expect(cores(limited)).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
    const free = planOf({ ...COST, ...BOTH });
    expect(free.loads).toMatchObject([{ blocks: 60, sliceNs: 3e9, everyNthRound: 3 }]);
    expect(cores(free)).toEqual([
      [2, 3],
      [1, 2, 3],
    ]);
  });

  test('the cost load is for single processes only, unless it is what is asked for', () => {
    const plan = planOf(BOTH);
    const single = MAINS.map((name) => `${name}/single/cost`);
    expect(under(plan, 'cost')).toEqual(single);
    expect(under(plan, 'published')).toHaveLength(6);
    const asked = planOf({ ...COST, ...BOTH }).cells.map(({ id }) => id);
    expect(asked).toEqual([...single, ...MAINS.map((name) => `${name}/2/cost`)]);
  });

  test('cells of one server under several loads name the same server', () => {
    const servers = planOf().cells.map(({ server }) => server);
    expect(new Set(servers)).toEqual(new Set(MAINS.map((name) => `${name}/single`)));
  });

  test('what does not run on Node is kept by no process manager', () => {
    const targets = onRuntimes(STACK, [BUN, NEW]);
    const plan = planOf({ topologies: ['single', 2, 'cluster:2'] }, makeMachine(), targets);
    const names = new Set(plan.cells.map(({ target }) => target));
    expect(names).toEqual(new Set(targets.map(({ name }) => name)));
    const kept = plan.cells.filter(({ topology }) => topology !== 'single');
    expect(new Set(kept.map(({ target }) => target.split('@')[1]))).toEqual(
      new Set(['node-24.1.0']),
    );
    expect(planVerification(['single', 2], targets, makeMachine()).groups.flat()).toHaveLength(9);
  });

  test.each([
    ['process managers alone, of what does not run on Node', [BUN], 'no target runs in these'],
    ['nothing', [], 'no target'],
  ])('refuses a run of %s', (_, runtimes, message) => {
    const targets = runtimes.length === 0 ? [] : onRuntimes(STACK, runtimes);
    const error = userError(() => planOf({ topologies: [2] }, makeMachine(), targets));
    expect(error.message).toContain(message);
    expect(error.next).toContain(runtimes.length === 0 ? '--targets' : 'single');
    const verifying = userError(() => planVerification([2], targets, makeMachine()));
    expect(verifying.message).toBe(error.message);
  });

  test('a load can be put on some targets alone, and on others elsewhere', () => {
    const load = costLoad(makeOptions(BOTH));
    const plan = planOfLoads(({ topologies: [single, two] }) => {
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
  ])('loads that want processes of their own share them with no other: $own', ({ own, groups }) => {
    const plan = planOfLoads(({ topologies: on }) => {
      return ['a', 'b', 'c', 'd'].map((id) => {
        const placed = { load: makeLoad({ id }), on };
        return own.some((each) => each === id) ? { ...placed, fresh: true } : placed;
      });
    });
    expect(sorted(plan.groups.flat())).toEqual(sorted(plan.cells.map(({ id }) => id)));
    const loads = plan.groups.map((cells) => [...new Set(cells.map((id) => id.split('/')[2]))]);
    expect(loads).toEqual(groups);
  });
});

describe('slices and unbroken cells in one plan', () => {
  /** 100 ms of service on four cores: 16 connections, slices of 4 s. */
  const pilot = { kind: 'service', server: 'fib/single', serviceNs: 1e8 } as const;
  const targets = [makeTarget('fib'), makeTarget('sort')];
  const planOn = (topologies: NonNullable<Parts['topologies']>) => {
    const options = makeOptions({ topologies, launches: 12, sliceS: 6 });
    return makePlan(cluster, options, targets, makeMachine(), { pilot });
  };
  const plan = planOn(['single', 2, 4]);

  test('keep the unbroken cells to groups of their own, of one round, and deal all slices together', () => {
    const unbroken = sorted(under(plan, 'overload'));
    const slices = sorted(under(plan, 'alone', 'feasible'));
    expect(unbroken).toHaveLength(6);
    expect(plan.rounds).toBeGreaterThan(1);
    for (const launch of plan.launches) {
      const [sliced, ...others] = launch.filter(({ cells: [id = ''] }) => isSlicedCell(plan, id));
      expect(others).toEqual([]);
      expect(sliced?.rounds.map(sorted)).toEqual(Array(plan.rounds).fill(slices));
      const alone = launch.filter((group) => group !== sliced);
      expect(sorted(alone.flatMap(({ cells }) => cells))).toEqual(unbroken);
      for (const { cells, rounds } of alone) expect(rounds).toEqual([[cells[0]]]);
    }
  });

  test('come in a random order', () => {
    const orders = plan.launches.map((groups) => groups.map(({ cells }) => cells.join()).join());
    expect(new Set(orders).size).toBeGreaterThan(6);
    const places = plan.launches.map((groups) => groups.findIndex(({ cells }) => cells.length > 1));
    expect(new Set(places).size).toBeGreaterThan(2);
  });

  test('measure requests alone on one topology, the plain one where there is one', () => {
    const alone = (...names: NonNullable<Parts['topologies']>) => under(planOn(names), 'alone');
    expect(alone(2, 'single', 4)).toEqual(['fib/single/alone', 'sort/single/alone']);
    expect(alone(4, 2)).toEqual(['fib/4/alone', 'sort/4/alone']);
  });

  test('tell what their loads were derived from', () => {
    expect(plan.pilot).toEqual(pilot);
    expect(planOf().pilot).toEqual({ kind: 'none' });
  });
});

describe('the plan of a pilot', () => {
  const pilotOf = (suite: Suite, parts: Parts = {}, machine = makeMachine()) => {
    const options = makeOptions({ topologies: [2, 'single'], ...parts });
    return makePilotPlan(suite, options, STACK, machine);
  };
  const share: Parts = { rates: [{ kind: 'share', share: 0.7 }] };
  const perSecond: Parts = { rates: [{ kind: 'per second', perS: 500 }] };

  test('is none where nothing has to be found out', () => {
    for (const suite of [frameworks, pm2Tax, truth]) expect(pilotOf(suite)).toBeNull();
    for (const name of ['frameworks', 'cluster'] as const) {
      expect(pilotOf(ratesOf(name), perSecond)).toBeNull();
    }
  });

  test('asks for one request at a time of a cluster suite, of every target, in one topology', () => {
    const plan = pilotOf(cluster);
    expect(plan?.loads).toMatchObject([{ id: 'alone', connections: 1, pipelining: 1 }]);
    expect(plan && under(plan, 'alone')).toEqual(MAINS.map((name) => `${name}/single/alone`));
  });

  test('puts every server to its limit where a share of that is asked for', () => {
    const plan = pilotOf(ratesOf('cluster'), share);
    expect(plan?.loads).toMatchObject([{ kind: 'closed', id: 'capacity', pipelining: 1 }]);
    expect(plan?.cells).toHaveLength(6);
  });

  test.each<[string, Suite, Parts]>([
    ['of a cluster suite', cluster, { launches: 5, until: { share: 0.02, maxTimeNs: 1 } }],
    ['of a rate', ratesOf('frameworks'), { ...share, launches: 6, durationS: 60, sliceS: 5 }],
    ['of one that is unbroken', ratesOf('frameworks'), { ...share, contiguous: true }],
  ])('is one short launch of slices: %s', (_, suite, parts) => {
    const plan = pilotOf(suite, parts);
    expect(plan).toMatchObject({ pilot: { kind: 'none' }, probes: [], until: null });
    expect(plan?.loads).toMatchObject([{ method: 'sliced', sliceNs: 1e9 }]);
    expect(plan?.launches.map((groups) => groups.length)).toEqual([1]);
    expect(plan?.launches[0]?.[0]?.rounds.length).toBeLessThanOrEqual(3);
  });

  test('refuses what the run itself could not do, before it', () => {
    const machine = makeMachine({ fileLimit: 1063 });
    const error = userError(() => pilotOf(cluster, {}, machine));
    expect(error.message).toContain('1000 connections need 1064 file descriptors');
    expect(pilotOf(cluster, { connections: 999 }, machine)).not.toBeNull();
  });
});
