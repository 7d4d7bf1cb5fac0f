import { describe, expect, test } from 'vitest';
import type { Figures } from '../../src/figures/figures.ts';
import { pointOf } from '../../src/math/statistics.ts';
import type { RunRecord } from '../../src/record/record.ts';
import { around, flat, NONE, near } from '../support/estimates.ts';
import { failuresOf } from '../support/failures.ts';
import { type Happened, makeRecord, STACK, type Story } from '../support/make-record.ts';
import { summariesOf, summaryOf } from '../support/summaries.ts';

const overheadsOf = (record: RunRecord) => summariesOf(record).overheads;

/** The figures of a cell. */
function figuresOf(record: RunRecord, id: string): Figures {
  const cells = summaryOf(record).conditions.flatMap((condition) => condition.cells);
  const outcome = cells.find(({ cell }) => cell.id === id)?.outcome;
  if (outcome?.state !== 'measured') throw new Error(`${id} is ${outcome?.state}`);
  return outcome.figures;
}

/** The figures of the floor, in a record in which this happened in every slice of it. */
function ofFloor(floor: Happened, load = 'published'): Figures {
  const record = makeRecord({}, ({ target }) => (target === 'floor' ? floor : {}));
  return figuresOf(record, `floor/single/${load}`);
}

describe('a cell', () => {
  test('has the answers as declared per second of the window, and all bytes', () => {
    const floor = { ok: 300, wrongStatus: 40, wrongBody: 60, windowS: 2, bytesPerResponse: 100 };
    expect(ofFloor(floor)).toMatchObject({
      ...{ throughput: flat(150), bytesPerSecond: flat(20_000), bytesPerResponse: 100 },
      ...{ slices: 6, ok: 1800, bytes: 240_000 },
      perSlice: { throughput: [150, 150, 150, 150, 150, 150] },
    });
  });

  test('spends CPU on every response, a wrong one too', () => {
    const floor = { ok: 10, wrongStatus: 30, cpuUsPerResponse: 2 };
    expect(ofFloor(floor).cpuPerRequest).toEqual(flat(2000));
  });

  test('spends all CPU time from one turn to the next, without idle use and what was disturbed', () => {
    const blocks = [
      { cpuNs: 30_000, chargedNs: 50_000, answers: 10 },
      { cpuNs: 800_000, chargedNs: 900_000, answers: 10 },
      { cpuNs: 60_000, chargedNs: 110_000, answers: 30 },
    ];
    // A second each, with 30 µs of idle use: 20 + 80 µs for 40 requests.
    const floor = { windowS: 3, blocks, disturbed: [1], idleNsPerS: 30_000 };
    expect(ofFloor(floor, 'cost').cpuPerRequest).toEqual(flat(2500));
  });

  test('has its figures from the sums of a launch, and their mean over launches', () => {
    const record = makeRecord({}, (_cell, launch, round) => ({
      ok: [100, 300, 200][round] ?? 0,
      cpuUsPerResponse: [10, 20, 40][round] ?? 0,
      windowS: 1 + launch,
    }));
    const { throughput, cpuPerRequest } = figuresOf(record, 'top/single/published');
    // 600 requests in 3 s, and in 6 s: 200 and 100 requests/s, ± 12.7062 × 50.
    expect(throughput).toEqual(around(150, 635.31, 2));
    // (100 × 10 + 300 × 20 + 200 × 40) / 600 = 25 µs.
    expect(cpuPerRequest).toEqual(flat(25_000));
  });

  test('counts errors and time-outs apart, and what was answered of what was sent', () => {
    const counts = { ok: 5, wrongStatus: 1, wrongBody: 2, disconnected: 3, timedOut: 4 };
    const found = { errors: 36, timeouts: 24, answered: { ok: 30, sent: 150 } };
    expect(ofFloor({ ...counts, inFlight: 10 })).toMatchObject(found);
  });

  test('has the median memory of its slices', () => {
    const record = makeRecord({}, (_cell, _launch, round) => {
      return { ok: 1, serverBytes: [80e6, 500e6, 90e6][round] ?? 0, managerBytes: 2e6 };
    });
    const { memory } = figuresOf(record, 'top/single/published');
    expect(memory).toEqual({ server: 90e6, manager: 2e6 });
  });

  test('without a response has no CPU for each, no size of each, and a latency above all', () => {
    expect(ofFloor({ timedOut: 9 }, 'cost')).toMatchObject({
      ...{ throughput: flat(0), cpuPerRequest: NONE, timesFloor: NONE, bytesPerResponse: null },
      latency: { p50: { kind: 'above', ns: 10e9 } },
    });
  });

  test('has the latency of its own slices only', () => {
    const record = makeRecord({}, ({ target, load }) => {
      return { ok: 1, latenciesMs: target === 'top' && load === 'cost' ? [8] : [900] };
    });
    const { latency } = figuresOf(record, 'top/single/cost');
    expect(latency?.max).toEqual({ kind: 'known', ns: expect.closeTo(8e6, -5) });
  });
});

/** CPU µs per request, round by round: the machine is slow in the last one. The cost load is in the first one only. */
const ROUNDS: Record<string, number[]> = { floor: [10, 20, 90], middle: [12, 25, 80] };
const unevenly: Story = ({ target }, _launch, round) => {
  return { ok: 100, cpuUsPerResponse: ROUNDS[target]?.[round] ?? 50 };
};

describe('what is built on something', () => {
  test('is compared with the floor by the sums of launches', () => {
    const record = makeRecord({}, unevenly);
    // 12 + 25 + 80 over 10 + 20 + 90.
    expect(figuresOf(record, 'middle/single/published').timesFloor).toEqual(near(117 / 120));
    expect(figuresOf(record, 'floor/single/published').timesFloor).toEqual(near(1));
  });

  test('is compared with the floor in the same topology under the same load', () => {
    const costs = { 'single/published': 10, 'single/cost': 5, '2/published': 20 };
    const of = new Map(Object.entries(costs));
    const record = makeRecord({ options: { topologies: ['single', 2] } }, (cell) => {
      const floor = of.get(`${cell.topology}/${cell.load}`) ?? 1;
      return { ok: 1, cpuUsPerResponse: cell.target === 'floor' ? floor : 40 };
    });
    const ratios = [...of.keys()].map((where) => figuresOf(record, `top/${where}`).timesFloor);
    expect(ratios).toEqual([near(4), near(8), near(2)]);
  });

  test('costs more than what it is built on, under the cost load', () => {
    const overheads = overheadsOf(makeRecord({}, unevenly));
    expect(overheads?.condition.load.id).toBe('cost');
    const found = overheads?.rows.map(({ target, over, comparison: { difference, ratio } }) => {
      return { of: `${target.name} over ${over.name}`, difference, ratio };
    });
    // 12 over 10 µs, and 50 over 12.
    expect(found).toEqual([
      { of: 'middle over floor', difference: near(2000), ratio: near(1.2) },
      { of: 'top over middle', difference: near(38_000), ratio: near(50 / 12) },
    ]);
  });

  test('has intervals of the differences of launches, and of the ratio of their means', () => {
    const record = makeRecord({}, ({ target }, launch) => {
      return { ok: 1, cpuUsPerResponse: target === 'floor' ? 10 + launch * 2 : 20 + launch * 8 };
    });
    // 10 and 16 µs more: 13 ± 12.7062 × 3. 24 over 11, with residuals of ∓ 20 / 11, so a standard error of 20 / 11².
    expect(overheadsOf(record)?.rows[0]?.comparison).toEqual({
      difference: around(13_000, 12_706.2 * 3, -1),
      ratio: around(24 / 11, 12.7062 * (20 / 121), 3),
      verdict: "can't tell",
    });
  });

  test('adds up: what stands on the floor is the floor and all that is between', () => {
    const costs: Record<string, number[]> = {
      floor: [10, 13, 11, 10],
      middle: [12, 19, 14, 13],
      top: [31, 40, 36, 29],
    };
    const record = makeRecord({ options: { launches: 4 } }, ({ target }, launch) => {
      return { ok: 100, cpuUsPerResponse: costs[target]?.[launch] ?? 0 };
    });
    const levels = Object.keys(costs).map((name) => {
      return pointOf(figuresOf(record, `${name}/single/cost`).cpuPerRequest);
    });
    const steps = overheadsOf(record)?.rows.map(({ comparison }) => pointOf(comparison.difference));
    // 44, 58 and 136 µs in four launches.
    expect(levels).toEqual([11_000, 14_500, 34_000]);
    expect(steps).toEqual([3500, 19_500]);
  });

  test('is read as single processes if there is no cost load', () => {
    const options = { contiguous: true, sliceS: 6, topologies: [2, 'single' as const] };
    const overheads = overheadsOf(makeRecord({ options }, unevenly));
    expect(overheads?.condition.topology.id).toBe('single');
  });

  test('is left out if what it is built on was not measured', () => {
    const targets = STACK.filter(({ name }) => name === 'top');
    const record = makeRecord({ targets }, unevenly);
    expect(overheadsOf(record)).toBeNull();
    expect(figuresOf(record, 'top/single/cost').timesFloor).toEqual(NONE);
  });
});

describe('a condition', () => {
  test('is a topology under a load, in the order of the plan', () => {
    const record = makeRecord({ options: { topologies: ['single', 2] } }, () => ({}));
    const found = summaryOf(record).conditions.map(({ topology, load }) => {
      return `${topology.id} ${load.id}`;
    });
    expect(found.join(', ')).toBe('single published, 2 published, single cost, single low');
  });

  test('has the highest throughput first, and what was not measured last', () => {
    const failures = failuresOf('middle/single', [0, 1]);
    const record = makeRecord({ failures }, ({ target }) => ({ ok: target === 'top' ? 9 : 5 }));
    const [condition] = summaryOf(record).conditions;
    expect(condition?.cells.map(({ target }) => target.name)).toEqual(['top', 'floor', 'middle']);
  });
});

describe('what is missing', () => {
  test('a server that failed in every launch has no figures in any of its cells, even of slices before', () => {
    const failures = failuresOf('middle/single', [0, 1]);
    const record = makeRecord({ failures }, unevenly);
    for (const { cells } of summaryOf(record).conditions) {
      const middle = cells.find(({ target }) => target.name === 'middle');
      expect(middle?.outcome).toEqual({ state: 'failed', failure: failures[0] });
    }
    expect(overheadsOf(record)).toBeNull();
  });

  /** µs of the middle one in each launch, over 10 of the floor. */
  const costing = (middle: number[], happened: Happened[] = [], failed: number[] = []) => {
    const options = { launches: middle.length, durationS: 3 * middle.length };
    const failures = failuresOf('middle/single', failed);
    return makeRecord({ options, failures }, ({ target }, launch) => {
      if (target !== 'middle') return { ok: 100, cpuUsPerResponse: 10 };
      return { ok: 100, cpuUsPerResponse: middle[launch] ?? 0, ...happened[launch] };
    });
  };
  const wrong = { ok: 50, wrongBody: 50 };
  const unsettled = [{}, { hasSettled: false }];

  test('a server that failed in a launch has the figures of the others', () => {
    const figures = figuresOf(costing([12, 99, 12, 12], [], [1]), 'middle/single/published');
    expect(figures).toMatchObject({ slices: 9, cpuPerRequest: flat(12_000) });
  });

  test.each<[string, RunRecord, ns: number, verdict: string]>([
    [
      'is compared in the launches without a failure',
      costing([12, 99, 12, 12], [], [1]),
      2000,
      'slower',
    ],
    [
      'is without launches in which it had not settled',
      costing([12, 99, 12, 12], unsettled),
      2000,
      'slower',
    ],
    // (2 + 5 + 2) / 3
    [
      'has them if there are not three others',
      costing([12, 15, 12], unsettled),
      3000,
      "can't tell",
    ],
    ['has a verdict', costing([12, 12, 12]), 2000, 'slower'],
    [
      'has none if its figure is wrong',
      costing([12, 12, 12], [wrong, wrong, wrong]),
      2000,
      "can't tell",
    ],
  ])('a step %s', (_, record, ns, verdict) => {
    const comparison = overheadsOf(record)?.rows[0]?.comparison;
    expect(comparison).toMatchObject({ difference: { value: ns }, verdict });
  });

  test('a cell without slices was not reached', () => {
    const record = makeRecord({}, ({ load }) => (load === 'cost' ? null : { ok: 1 }));
    const states = summaryOf(record).conditions.flatMap(({ load, cells }) => {
      return [...new Set(cells.map(({ outcome }) => `${load.id} ${outcome.state}`))];
    });
    expect(states).toEqual(['published measured', 'cost not reached', 'low measured']);
  });

  test('launches in which one of two is missing do not count for requests/s', () => {
    const speeds: Record<string, number[]> = { single: [100, 200, 900], '2': [150, 500] };
    const options = { topologies: ['single' as const, 2], launches: 3, durationS: 9 };
    const record = makeRecord({ options }, ({ topology }, launch) => {
      const ok = speeds[topology]?.[launch];
      return ok === undefined ? null : { ok };
    });
    // Left are 650 over 300, and 50 and 300 more.
    const [row] = summariesOf(record).topologies?.rows ?? [];
    const [single, two] = row?.entries.map(({ speedUp }) => speedUp) ?? [];
    expect(single).toBeNull();
    expect(two?.ratio).toMatchObject({ value: expect.closeTo(650 / 300, 9) });
    expect(two?.difference).toMatchObject({ value: expect.closeTo(175, 9) });
  });

  test.each(['middle', 'floor'])('launches without %s do not count for CPU', (missing) => {
    const options = { launches: 3, durationS: 9 };
    const record = makeRecord({ options }, ({ target }, launch) => {
      if (launch === 2) return target === missing ? null : { ok: 1, cpuUsPerResponse: 50 };
      return { ok: 1, cpuUsPerResponse: target === 'middle' ? 12 : 10 };
    });
    const { difference, ratio } = overheadsOf(record)?.rows[0]?.comparison ?? {};
    expect([difference, ratio]).toEqual([near(2000), near(1.2)]);
  });

  test('a record without slices has no figure at all', () => {
    const record = makeRecord({ state: 'running' }, () => null);
    expect(summaryOf(record)).toMatchObject({ measuredNs: 0, harnessShare: 0 });
    expect(overheadsOf(record)).toBeNull();
  });
});

test('measured time and the share of the harness are those of all windows', () => {
  // Three targets have three slices a launch under the main load, and one under the cost load.
  const record = makeRecord({}, () => ({ ok: 1, windowS: 2, harnessCpuMs: 50 }));
  const { measuredNs, harnessShare } = summaryOf(record);
  expect(measuredNs).toBe(30 * 2e9);
  expect(harnessShare).toBeCloseTo(0.025);
});
