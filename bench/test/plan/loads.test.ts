import { describe, expect, test } from 'vitest';
import {
  type Basis,
  fits,
  type Load,
  loadSchema,
  pilotLoad,
  resolveLoads,
  roundsOf,
} from '../../src/plan/loads.ts';
import { resolveTopologies } from '../../src/plan/topology.ts';
import type { Rate } from '../../src/request/option-values.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { makeMachine, makeOptions } from '../support/make-record.ts';

const NONE: Basis = { kind: 'none' };
const serving = (ms: number): Basis => {
  return { kind: 'service', server: 'fib/single', serviceNs: ms * 1e6 };
};
const answering = (perS: number): Basis => ({ kind: 'capacity', server: 'express/single', perS });

/** The loads of a run, and of their topologies on a machine with so many cores. */
function loadsOf(parts: Partial<RunOptions> = {}, basis = NONE, cores = 4): Load[] {
  const machine = makeMachine({
    cores: Array.from({ length: cores }, (_, core) => core),
    parallelism: cores,
  });
  const options = makeOptions(parts);
  return resolveLoads(options, resolveTopologies(options.topologies, machine), machine, basis);
}

const idsOf = (loads: Load[]) => loads.map(({ id }) => id);
/** The load of this name. */
function named(id: string, loads: Load[]): Load {
  const load = loads.find((each) => each.id === id);
  if (load === undefined) throw new Error(`no ${id} among ${idsOf(loads)}`);
  return load;
}

const SLICED = { method: 'sliced', sliceNs: 1e9, timeoutNs: 10e9 } as const;
const COST = { connections: 100, pipelining: 10 };

describe('the loads of the frameworks', () => {
  test('are the one asked for, and the cost load beside it', () => {
    expect(loadsOf()).toEqual([
      { kind: 'closed', id: 'published', connections: 1000, pipelining: 1, ...SLICED },
      { kind: 'closed', id: 'cost', ...COST, ...SLICED },
    ]);
  });

  test('are named published only where they are what was published', () => {
    const main = (parts: Partial<RunOptions>) => loadsOf(parts)[0];
    expect(main({ pipelining: 2 })).toMatchObject({
      id: 'custom',
      connections: 1000,
      pipelining: 2,
    });
    expect(main({ connections: 10 })).toMatchObject({
      id: 'custom',
      connections: 10,
      pipelining: 1,
    });
  });

  test('are the cost load once where it is what is asked for', () => {
    expect(loadsOf(COST)).toEqual([{ kind: 'closed', id: 'cost', ...COST, ...SLICED }]);
  });

  test('have no cost load where there is no plain process, or nothing is sliced', () => {
    expect(idsOf(loadsOf({ topologies: [2, 'fork', 'cluster:2'] }))).toEqual(['published']);
    const contiguous = { contiguous: true, sliceS: 6 };
    const unbroken = { method: 'contiguous', sliceNs: 6e9 };
    expect(loadsOf(contiguous)).toMatchObject([{ id: 'published', ...unbroken }]);
    expect(loadsOf({ ...contiguous, ...COST })).toMatchObject([{ id: 'custom', ...unbroken }]);
  });

  test('have slices that share the time of a launch', () => {
    for (const { sliceNs } of loadsOf({ durationS: 9, launches: 3, sliceS: 0.7 })) {
      expect(sliceNs).toBe(0.75e9);
    }
  });
});

test('the truth is measured under the cost load', () => {
  expect(idsOf(loadsOf({ suite: 'truth', ...COST }))).toEqual(['cost']);
});

describe("the loads of pm2's tax", () => {
  const tax = { suite: 'pm2-tax', topologies: ['fork', 1] } satisfies Partial<RunOptions>;

  test('are the cost load, with or without a plain process', () => {
    expect(idsOf(loadsOf({ ...tax, ...COST }))).toEqual(['cost']);
    expect(idsOf(loadsOf({ ...tax, connections: 50, pipelining: 1 }))).toEqual(['custom', 'cost']);
  });
});

describe('the loads of a cluster suite', () => {
  const suite = {
    ...{ suite: 'cluster', topologies: ['single', 2], pipelining: 10 },
  } satisfies Partial<RunOptions>;
  const feasibleOf = (basis: Basis, parts: Partial<RunOptions> = {}, cores = 4) => {
    return named('feasible', loadsOf({ ...suite, ...parts }, basis, cores));
  };

  test('are what can be answered, requests alone, and the overload', () => {
    const loads = loadsOf({ ...suite, durationS: 10, sliceS: 10 }, serving(100));
    const sliced = { method: 'sliced', sliceNs: 4e9, timeoutNs: 10e9 };
    expect(loads).toEqual([
      { kind: 'closed', id: 'feasible', connections: 12, pipelining: 1, ...sliced },
      { kind: 'closed', id: 'alone', connections: 1, pipelining: 1, ...sliced },
      {
        ...{ kind: 'closed', id: 'overload', connections: 1000, pipelining: 10 },
        ...{ method: 'contiguous', sliceNs: 10e9, timeoutNs: 10e9 },
      },
    ]);
    for (const load of loads) expect(loadSchema.parse(load)).toEqual(load);
  });

  test('let four requests be under way for each process of the largest topology', () => {
    expect(feasibleOf(serving(500)).connections).toBe(12);
    expect(feasibleOf(serving(500), { topologies: ['single', 6] }).connections).toBe(24);
    expect(feasibleOf(serving(500), { topologies: ['single', 40] }).connections).toBe(160);
  });

  test('let four be under way for each core, so that none is idle', () => {
    // A single process that can't be pinned has all cores.
    expect(feasibleOf(serving(500), { topologies: ['single'] }, 1).connections).toBe(4);
    expect(feasibleOf(serving(500), { topologies: [16] }, 16).connections).toBe(64);
    expect(feasibleOf(serving(500), { topologies: [2] }, 2).connections).toBe(8);
  });

  test.each([
    { ms: 50, connections: 20 },
    { ms: 30, connections: 33 },
    { ms: 10, connections: 100 },
    { ms: 0.02, connections: 100 },
  ])(
    'let as many be under way as one process answers in a second: $ms ms',
    ({ ms, connections }) => {
      expect(feasibleOf(serving(ms)).connections).toBe(connections);
    },
  );

  test.each([
    { ms: 0.02, sliceS: 1 },
    { ms: 25, sliceS: 1 },
    { ms: 30, sliceS: 1.2 },
    { ms: 1000, sliceS: 40 },
  ])('have slices with 40 answers of a process: $ms ms', ({ ms, sliceS }) => {
    const loads = loadsOf(suite, serving(ms));
    expect(named('feasible', loads).sliceNs).toBeCloseTo(sliceS * 1e9, 0);
    expect(named('alone', loads).sliceNs).toBeCloseTo(sliceS * 1e9, 0);
  });

  test.each([
    { ms: 0.02, timeoutS: 10 },
    { ms: 100, timeoutS: 10 },
    // 12 under way, one after the other: 6 s.
    { ms: 500, timeoutS: 30 },
    { ms: 2000, timeoutS: 120 },
  ])('wait five times as long as the longest queue takes: $ms ms', ({ ms, timeoutS }) => {
    const loads = loadsOf(suite, serving(ms));
    expect(named('feasible', loads).timeoutNs).toBeCloseTo(timeoutS * 1e9, 0);
    expect(named('alone', loads).timeoutNs).toBeCloseTo(timeoutS * 1e9, 0);
    expect(named('overload', loads).timeoutNs).toBe(10e9);
  });

  test('change nothing but the overload where -c, -p and -d are given', () => {
    const given = { connections: 50, pipelining: 2, durationS: 3, sliceS: 3 };
    const [feasible, alone, overload] = loadsOf({ ...suite, ...given }, serving(100));
    expect([feasible, alone]).toEqual(loadsOf(suite, serving(100)).slice(0, 2));
    expect(overload).toMatchObject({ connections: 50, pipelining: 2, sliceNs: 3e9 });
  });

  test.each([NONE, answering(900)])('can not be told without a service time', (basis) => {
    expect(() => loadsOf(suite, basis)).toThrow('a service time');
  });
});

describe('open loads', () => {
  const perS = (amount: number): Rate => ({ kind: 'per second', perS: amount });
  const shareOf = (share: number): Rate => ({ kind: 'share', share });

  test('send at the rate that was asked for, with so many under way at the most', () => {
    const loads = loadsOf({ rates: [perS(500)], driver: 'k6', connections: 300 });
    const rate = { id: 'rate-500', ratePerS: 500, driver: 'k6' };
    const load = { kind: 'open', ...rate, connections: 300, ...SLICED };
    expect(loads).toEqual([load]);
    expect(loadSchema.parse(load)).toEqual(load);
  });

  test('come from the lowest rate to the highest, each once', () => {
    const rates = [perS(500), perS(90), shareOf(0.5), perS(1000)];
    expect(idsOf(loadsOf({ rates }, answering(1000)))).toEqual([
      'rate-90',
      'rate-500',
      'rate-1000',
    ]);
  });

  test('are shares of what the slowest server answers, in three digits', () => {
    const rates = [shareOf(0.1), shareOf(0.7)];
    const loads = loadsOf({ rates }, answering(12_345));
    expect(loads).toMatchObject([{ ratePerS: 1230 }, { ratePerS: 8640 }]);
    expect(loadsOf({ rates: [shareOf(0.5)] }, answering(3))).toMatchObject([{ ratePerS: 1.5 }]);
  });

  test('are all there is, in every suite', () => {
    expect(idsOf(loadsOf({ suite: 'cluster', rates: [perS(5)] }))).toEqual(['rate-5']);
  });

  test('may be unbroken', () => {
    const unbroken = { contiguous: true, durationS: 300, sliceS: 300, launches: 1 };
    const loads = loadsOf({ ...unbroken, rates: [perS(500)] });
    expect(loads).toMatchObject([{ method: 'contiguous', sliceNs: 300e9 }]);
  });

  test.each([NONE, serving(10)])('can be no shares without a capacity', (basis) => {
    expect(() => loadsOf({ rates: [shareOf(0.7)] }, basis)).toThrow('a capacity');
  });
});

describe('the load of the pilot', () => {
  const ofSuite = (suite: RunOptions['suite'], rates: Rate[] | null = null) => {
    return pilotLoad({ suite, rates });
  };

  test('is one request at a time for the cluster suite', () => {
    const alone = { kind: 'closed', id: 'alone', connections: 1, pipelining: 1, method: 'sliced' };
    expect(ofSuite('cluster')).toMatchObject(alone);
  });

  test('is the server at its limit where a share of that is asked for, among others too', () => {
    const rates: Rate[] = [
      { kind: 'per second', perS: 5 },
      { kind: 'share', share: 0.5 },
    ];
    const atLimit = { id: 'capacity', connections: 100, pipelining: 1, method: 'sliced' };
    expect(ofSuite('frameworks', rates)).toMatchObject(atLimit);
    expect(ofSuite('cluster', rates)).toMatchObject(atLimit);
  });

  test('is none where nothing is derived from it', () => {
    const rates: Rate[] = [{ kind: 'per second', perS: 5 }];
    for (const suite of ['frameworks', 'pm2-tax', 'truth'] as const)
      expect(ofSuite(suite)).toBeNull();
    for (const suite of ['frameworks', 'cluster'] as const)
      expect(ofSuite(suite, rates)).toBeNull();
  });
});

describe('the topologies under a load', () => {
  const topologies = resolveTopologies([2, 'single', 'fork', 'cluster:2'], makeMachine());
  const under = (id: string, suite: RunOptions['suite'], among = topologies) => {
    const loads = [
      ...loadsOf({ suite: 'pm2-tax', ...COST }),
      ...loadsOf({ suite: 'cluster' }, serving(100)),
      ...loadsOf({ rates: [{ kind: 'per second', perS: 5 }] }),
    ];
    const where = { suite, topologies: among };
    const found = among.filter((topology) => fits(named(id, loads), topology, where));
    return found.map((topology) => topology.id);
  };
  const all = topologies.map(({ id }) => id);

  test('are all of them, as a rule', () => {
    for (const id of ['feasible', 'overload']) expect(under(id, 'cluster')).toEqual(all);
    expect(under('rate-5', 'frameworks')).toEqual(all);
  });

  test("are the plain process where cost is read, but for a manager's own", () => {
    expect(under('cost', 'frameworks')).toEqual(['single']);
    expect(under('cost', 'pm2-tax')).toEqual(all);
  });

  test('are a single one where requests come alone: the plain process, or else the first', () => {
    expect(under('alone', 'cluster')).toEqual(['single']);
    const managed = topologies.filter(({ id }) => id !== 'single');
    expect(under('alone', 'cluster', managed)).toEqual(['2']);
  });
});

describe('the rounds of a launch', () => {
  const of = (parts: Partial<RunOptions>) => roundsOf(makeOptions(parts));

  test('are as many slices as come closest to its share of the time, and one at least', () => {
    expect(of({ durationS: 30, launches: 6, sliceS: 1 })).toBe(5);
    expect(of({ durationS: 9, launches: 3, sliceS: 0.7 })).toBe(4);
    expect(of({ durationS: 1, launches: 3, sliceS: 1 })).toBe(1);
  });

  test('are one where nothing is sliced, and the same for every cluster suite', () => {
    expect(of({ contiguous: true, durationS: 30, launches: 1 })).toBe(1);
    const short = of({ suite: 'cluster', durationS: 1 });
    expect(short).toBeGreaterThan(1);
    expect(of({ suite: 'cluster', durationS: 100 })).toBe(short);
    const rates: Rate[] = [{ kind: 'per second', perS: 5 }];
    expect(of({ suite: 'cluster', rates, durationS: 6, launches: 2, sliceS: 1 })).toBe(3);
  });
});
