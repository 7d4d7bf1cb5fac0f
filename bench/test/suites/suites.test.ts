/** What suites measure: their loads, on which topologies, and of which targets. */
import { describe, expect, test } from 'vitest';
import { type Load, loadSchema, type PilotResult } from '../../src/plan/loads.ts';
import type { LoadAssignment } from '../../src/plan/make-plan.ts';
import { resolveTopologies } from '../../src/plan/topology.ts';
import type { Rate } from '../../src/request/option-values.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { truthTargets } from '../../src/studies/truth/targets.ts';
import { cluster } from '../../src/suites/cluster.ts';
import { frameworks } from '../../src/suites/frameworks.ts';
import { pm2Tax } from '../../src/suites/pm2-tax.ts';
import { ratesOf } from '../../src/suites/rates.ts';
import type { Suite } from '../../src/suites/suite.ts';
import { truth } from '../../src/suites/truth.ts';
import { onPath } from '../../src/system/on-path.ts';
import { CANNED_RESPONSE } from '../../src/targets/canned-response.ts';
import { runAsked } from '../support/ask.ts';
import { userError } from '../support/caught.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { makeMachine, makeOptions } from '../support/make-record.ts';

const NONE: PilotResult = { kind: 'none' };
const RATES = ratesOf('frameworks');

/** What a suite puts on which topologies. */
function placedBy(
  suite: Suite,
  parts: Partial<RunOptions> = {},
  pilot = NONE,
  machine = makeMachine(),
): LoadAssignment[] {
  const options = makeOptions(parts);
  const topologies = resolveTopologies(options.topologies, machine);
  return suite.loads({ options, topologies, machine, pilot });
}

function loadsOf(...asked: Parameters<typeof placedBy>): Load[] {
  return placedBy(...asked).map(({ load }) => load);
}

/** The names of the topologies that each load of a suite is put on. */
function placesOf(...asked: Parameters<typeof placedBy>): Record<string, string[]> {
  const placed = placedBy(...asked).map(({ load, on }) => [load.id, on.map(({ id }) => id)]);
  return Object.fromEntries(placed);
}

function subjectsOf(suite: Suite, parts: Partial<RunOptions> = {}, targets?: string[]) {
  const given = targets === undefined ? {} : { targets };
  const options = makeOptions(parts);
  return { probes: [], ...suite.subjects({ given, packages: FIXTURES, options }) };
}

const TOPOLOGIES: RunOptions['topologies'] = [2, 'single', 'fork', 'cluster:2'];
const EVERYWHERE = ['2', 'single', 'fork', 'cluster:2'];

describe('frameworks', () => {
  const COST = { connections: 100, pipelining: 10 };
  const UNBROKEN = { contiguous: true, sliceS: 6 };

  test('have the load that is asked for, and the cost load and a low rate beside it', () => {
    const main = { id: 'published', label: 'under the published load', connections: 1000 };
    // Three rounds of a launch in one slice, in turns of 50 ms.
    const cost = { id: 'cost', label: 'under the cost load', headline: 'cpu', everyNthRound: 3 };
    const low = { ...cost, id: 'low', label: 'at a low rate', saturates: false, sliceNs: 0.9e9 };
    expect(loadsOf(frameworks)).toMatchObject([
      { ...main, pipelining: 1, headline: 'throughput', saturates: true, sliceNs: 1e9, blocks: 1 },
      { ...cost, ...COST, saturates: true, sliceNs: 3e9, blocks: 60, minLoopTurnNs: 2e6 },
      { ...low, connections: 1, pipelining: 1, blocks: 18, minLoopTurnNs: 1e6 },
    ]);
  });

  test.each<[Partial<RunOptions>, object[]]>([
    [{ ...COST, topologies: ['single', 2] }, [{ id: 'cost' }]],
    [{ topologies: [2, 'fork', 'cluster:2'] }, [{ id: 'published' }]],
    [UNBROKEN, [{ id: 'published', method: 'contiguous', sliceNs: 6e9 }]],
    [{ ...UNBROKEN, ...COST }, [{ id: 'custom', method: 'contiguous' }]],
    [{ pipelining: 2 }, [{ id: 'custom', pipelining: 2 }, { id: 'cost' }, { id: 'low' }]],
    [{ connections: 10 }, [{ id: 'custom', connections: 10 }, { id: 'cost' }, { id: 'low' }]],
    [
      { durationS: 9, launches: 3, sliceS: 0.6 },
      [
        { sliceNs: 0.6e9, everyNthRound: 1 },
        { sliceNs: 3e9, everyNthRound: 5 },
        { sliceNs: 0.9e9, everyNthRound: 5 },
      ],
    ],
  ])('with %j have %j', (parts, loads) => {
    expect(loadsOf(frameworks, parts)).toMatchObject(loads);
  });

  test('with --as-published have the published load alone, once, on single processes, without a warm-up', () => {
    const { options } = runAsked('frameworks', '--as-published');
    expect(options).toMatchObject({ topologies: ['single'], launches: 1, warmupS: 0 });
    expect(loadsOf(frameworks, options)).toMatchObject([
      { id: 'published', method: 'contiguous', connections: 1000, pipelining: 1, sliceNs: 30e9 },
    ]);
  });

  test('are loaded in all topologies, but cost is read where nothing is between', () => {
    const placed = placesOf(frameworks, { topologies: TOPOLOGIES });
    expect(placed).toEqual({ published: EVERYWHERE, cost: ['single'], low: ['single'] });
    const alone = placesOf(frameworks, { ...COST, topologies: ['single', 2] });
    expect(alone).toEqual({ cost: ['single', '2'] });
  });

  test('are not loaded at a low rate where servers have the core of the generator too', () => {
    const machine = makeMachine({ canPin: false });
    expect(placesOf(frameworks, {}, NONE, machine)).toMatchObject({ low: [] });
  });

  test('are probed by a canned answer, but where everything is in one piece', () => {
    const { targets, probes } = subjectsOf(frameworks);
    expect(new Set(targets.map(({ suite }) => suite))).toEqual(new Set(['frameworks']));
    expect(probes).toEqual([CANNED_RESPONSE]);
    expect(subjectsOf(frameworks, UNBROKEN).probes).toEqual([]);
  });
});

describe('cluster', () => {
  const serving = (ms: number): PilotResult => {
    return { kind: 'service', server: 'fib/single', serviceNs: ms * 1e6 };
  };
  const USUAL = { topologies: ['single', 2], pipelining: 10 } satisfies Partial<RunOptions>;
  const withCores = (count: number) => {
    return makeMachine({ cores: [...Array(count).keys()], parallelism: count });
  };

  test('has as many requests as can be answered, requests alone, and the overload that is asked for', () => {
    const asked = { ...USUAL, connections: 50, pipelining: 2, durationS: 3, sliceS: 3 };
    const loads = loadsOf(cluster, asked, serving(100));
    const facts = { method: 'sliced', pipelining: 1, waitForAll: true, sliceNs: 4e9 };
    const alone = { id: 'alone', label: 'with one request at a time', saturates: false };
    const overload = { id: 'overload', label: 'under the overload', waitForAll: false };
    expect(loads).toMatchObject([
      { ...facts, id: 'feasible', label: 'under the feasible load', connections: 12 },
      { ...facts, ...alone, connections: 1 },
      { ...overload, method: 'contiguous', connections: 50, pipelining: 2, sliceNs: 3e9 },
    ]);
    for (const load of loads) expect(loadSchema.parse(load)).toEqual(load);
    expect(cluster.rounds(makeOptions({ durationS: 1 }))).toBe(2);
  });

  test.each<[number, Partial<RunOptions>, number, number]>([
    // Four for each process of the largest topology, …
    [500, {}, 4, 12],
    [500, { topologies: ['single', 40] }, 4, 160],
    // … for each core of one that has them all, …
    [500, { topologies: ['single'] }, 1, 4],
    [500, { topologies: [16] }, 16, 64],
    // … or as many as one process answers in a second.
    [50, {}, 4, 20],
    [30, {}, 4, 33],
    [0.02, {}, 4, 100],
  ])(
    'of requests of %d ms, with %j on %d cores, has %d under way',
    (ms, parts, cores, connections) => {
      const [feasible] = loadsOf(cluster, { ...USUAL, ...parts }, serving(ms), withCores(cores));
      expect(feasible).toMatchObject({ id: 'feasible', connections });
    },
  );

  test.each([
    { ms: 0.02, sliceS: 1, timeoutS: 10 },
    { ms: 30, sliceS: 1.2, timeoutS: 10 },
    // 12 under way, one after the other: 6 s.
    { ms: 500, sliceS: 20, timeoutS: 30 },
    { ms: 2000, sliceS: 80, timeoutS: 120 },
  ])('has slices of 40 answers of $ms ms, and waits for five times the longest queue', (given) => {
    const [feasible, alone, overload] = loadsOf(cluster, USUAL, serving(given.ms));
    for (const load of [feasible, alone]) {
      expect(load?.sliceNs).toBeCloseTo(given.sliceS * 1e9, 0);
      expect(load?.timeoutNs).toBeCloseTo(given.timeoutS * 1e9, 0);
    }
    expect(overload?.timeoutNs).toBe(10e9);
  });

  test('is loaded in all topologies, but in a plain one, or else the first, where requests come alone', () => {
    const placed = placesOf(cluster, { topologies: TOPOLOGIES }, serving(100));
    expect(placed).toEqual({ feasible: EVERYWHERE, overload: EVERYWHERE, alone: ['single'] });
    const managed = placesOf(cluster, { topologies: [2, 'fork', 'cluster:2'] }, serving(100));
    expect(managed).toMatchObject({ alone: ['2'] });
  });
});

describe('rates', () => {
  const answering = (perS: number): PilotResult => {
    return { kind: 'capacity', server: 'express/single', perS };
  };
  const perS = (amount: number): Rate => ({ kind: 'per second', perS: amount });
  const shareOf = (share: number): Rate => ({ kind: 'share', share });

  test('are loads at the rate that was asked for, with so many under way at the most', () => {
    const loads = loadsOf(RATES, { rates: [perS(500)], driver: 'k6', connections: 300 });
    const rate = { id: 'rate-500', ratePerS: 500, driver: 'k6', connections: 300 };
    const facts = { headline: 'cpu', saturates: false, sliceNs: 1e9, everyNthRound: 1 };
    expect(loads).toMatchObject([{ kind: 'open', ...rate, ...facts, method: 'sliced' }]);
    for (const load of loads) expect(loadSchema.parse(load)).toEqual(load);
  });

  test.each<[Rate[], number, number[]]>([
    [[perS(500), perS(90), shareOf(0.5), perS(1000)], 1000, [90, 500, 1000]],
    [[shareOf(0.1), shareOf(0.7)], 12_345, [1230, 8640]],
    [[shareOf(0.5)], 3, [1.5]],
  ])('of %j, where the slowest answers %d a second, are %j, each once', (rates, most, expected) => {
    const loads = loadsOf(RATES, { rates }, answering(most));
    expect(loads).toMatchObject(expected.map((ratePerS) => ({ ratePerS, id: `rate-${ratePerS}` })));
  });

  test('are all there is, of the targets of every suite, in all topologies', () => {
    const asked = { rates: [perS(5)], topologies: TOPOLOGIES };
    expect(placesOf(ratesOf('cluster'), asked)).toEqual({ 'rate-5': EVERYWHERE });
  });

  test('have a pilot at the limit where a share of it is asked for, among others too', () => {
    const pilotOf = (rates: Rate[]) => RATES.pilot(makeOptions({ rates }))?.load ?? null;
    expect(pilotOf([perS(5), shareOf(0.5)])).toMatchObject({
      ...{ id: 'capacity', label: 'at their limit', saturates: true, waitForAll: true },
      ...{ connections: 100, pipelining: 1, method: 'sliced' },
    });
    expect(pilotOf([perS(5)])).toBeNull();
  });
});

const SERVICE: PilotResult = { kind: 'service', server: 'fib', serviceNs: 1e7 };
const CAPACITY: PilotResult = { kind: 'capacity', server: 'express/single', perS: 900 };
test.each<[Suite, PilotResult, string]>([
  [cluster, NONE, 'a service time'],
  [cluster, CAPACITY, 'a service time'],
  [RATES, NONE, 'a capacity'],
  [RATES, SERVICE, 'a capacity'],
])('of $name there is no load with the pilot %j, for want of %s', (suite, pilot, wanted) => {
  const rates: Rate[] = [{ kind: 'share', share: 0.7 }];
  expect(() => loadsOf(suite, { rates }, pilot)).toThrow(wanted);
});

describe("pm2's tax", () => {
  test('is measured under the cost load, without a plain process too', () => {
    expect(placesOf(pm2Tax, { topologies: ['fork', 1] })).toEqual({ cost: ['fork', '1'] });
  });

  test('is that of Fastify, unless others are named', () => {
    const { message } = userError(() => subjectsOf(pm2Tax));
    expect(message).toBe('unknown target "fastify-app"');
    const { targets, probes } = subjectsOf(pm2Tax, {}, ['ok']);
    expect(targets.map(({ name }) => name)).toEqual(['ok']);
    expect(probes).toEqual([]);
  });
});

test('the truth is that of all its servers that can run here, with answers of a known size', () => {
  const { targets, probes } = subjectsOf(truth);
  const all = truthTargets(1).targets.map(({ name }) => name);
  // Those in Go are left out where Go is not.
  const here = all.filter((name) => onPath('go') || !name.startsWith('go'));
  expect(targets.map(({ name }) => name)).toEqual(here);
  expect(probes.map(({ name }) => name)).toEqual(['sized']);
  // As many turns of a spin as fit into the time here.
  const spin = targets.find(({ name }) => name === 'spin-1');
  expect(Number(spin?.start.at(-1))).toBeGreaterThan(0);
});
