import { describe, expect, test } from 'vitest';
import type { Figures } from '../../src/figures/figures.ts';
import { pointOf } from '../../src/math/statistics.ts';
import type { RunRecord } from '../../src/record/record.ts';
import { type Summary, summarize, summarizeInterim } from '../../src/summary/summary.ts';
import { type Happened, makeRecord, STACK } from '../support/make-record.ts';
import { summariesOf } from '../support/summaries.ts';

const overheadsOf = (record: RunRecord) => summariesOf(record).overheads;

/** The figures of a cell. */
function figuresOf(summary: Summary, id: string): Figures {
  const cells = summary.conditions.flatMap((condition) => condition.cells);
  const outcome = cells.find(({ cell }) => cell.id === id)?.outcome;
  if (outcome?.state !== 'measured') throw new Error(`${id} is ${outcome?.state}`);
  return outcome.figures;
}

/** A record in which every slice of a target went alike. */
function steady(happened: Record<string, Happened>, options = {}): RunRecord {
  return makeRecord({ options }, ({ target }) => happened[target] ?? {});
}

const flat = (value: number) => ({ kind: 'interval', value, low: value, high: value });
const near = (value: number) => {
  const close = expect.closeTo(value, 6);
  return { kind: 'interval', value: close, low: close, high: close };
};

describe('a cell', () => {
  test('has the answers as declared per second of the window, and all bytes', () => {
    const floor = { ok: 300, wrongStatus: 40, wrongBody: 60, windowS: 2, bytesPerResponse: 100 };
    const figures = figuresOf(summarize(steady({ floor })), 'floor/single/published');
    expect(figures.throughput).toEqual(flat(150));
    expect(figures.bytesPerSecond).toEqual(flat(20_000));
    expect(figures).toMatchObject({ slices: 6, ok: 1800, bytes: 240_000, bytesPerResponse: 100 });
    expect(figures.perSlice.throughput).toEqual([150, 150, 150, 150, 150, 150]);
  });

  test('spends CPU on every response, a wrong one too', () => {
    const floor = { ok: 10, wrongStatus: 30, cpuUsPerResponse: 2 };
    const { cpuPerRequest } = figuresOf(summarize(steady({ floor })), 'floor/single/published');
    expect(cpuPerRequest).toEqual(flat(2000));
  });

  test('spends all CPU time from one turn to the next, but what it uses idle and what was disturbed', () => {
    const blocks = [
      { cpuNs: 30_000, chargedNs: 50_000, answers: 10 },
      { cpuNs: 800_000, chargedNs: 900_000, answers: 10 },
      { cpuNs: 60_000, chargedNs: 110_000, answers: 30 },
    ];
    // A second each, of which 30 µs are idle use: 20 + 80 µs for 40 requests.
    const floor = { windowS: 3, blocks, disturbed: [1], idleNsPerS: 30_000 };
    const { cpuPerRequest } = figuresOf(summarize(steady({ floor })), 'floor/single/cost');
    expect(cpuPerRequest).toEqual(flat(2500));
  });

  test('has its figures from the sums of a launch, and their mean over launches', () => {
    const record = makeRecord({}, (_cell, launch, round) => ({
      ok: [100, 300, 200][round] ?? 0,
      cpuUsPerResponse: [10, 20, 40][round] ?? 0,
      windowS: 1 + launch,
    }));
    const { throughput, cpuPerRequest } = figuresOf(summarize(record), 'top/single/published');
    // 600 requests in 3 s, and in 6 s: 200 and 100 requests/s, ± 12.7062 × 50.
    expect(throughput).toEqual({
      kind: 'interval',
      value: 150,
      low: expect.closeTo(150 - 635.31, 2),
      high: expect.closeTo(150 + 635.31, 2),
    });
    // (100 × 10 + 300 × 20 + 200 × 40) / 600 = 25 µs.
    expect(cpuPerRequest).toEqual(flat(25_000));
  });

  test('counts errors and time-outs apart, and what was answered of what was sent', () => {
    const counts = { ok: 5, wrongStatus: 1, wrongBody: 2, disconnected: 3, timedOut: 4 };
    const figures = figuresOf(
      summarize(steady({ floor: { ...counts, inFlight: 10 } })),
      'floor/single/published',
    );
    expect(figures).toMatchObject({ errors: 36, timeouts: 24, answered: { ok: 30, sent: 150 } });
  });

  test('has the median memory of its slices', () => {
    const bytes = [80e6, 500e6, 90e6];
    const record = makeRecord({}, (_cell, _launch, round) => ({
      ok: 1,
      serverBytes: bytes[round] ?? 0,
      managerBytes: 2e6,
    }));
    const { memory } = figuresOf(summarize(record), 'top/single/published');
    expect(memory).toEqual({ server: 90e6, manager: 2e6 });
  });

  test('without a response has no CPU for each, no size of each, and a latency above all', () => {
    const figures = figuresOf(summarize(steady({ floor: { timedOut: 9 } })), 'floor/single/cost');
    expect(figures.throughput).toEqual(flat(0));
    expect(figures.cpuPerRequest).toEqual({ kind: 'none' });
    expect(figures.timesFloor).toEqual({ kind: 'none' });
    expect(figures.bytesPerResponse).toBeNull();
    expect(figures.latency?.p50).toEqual({ kind: 'above', ns: 10e9 });
  });

  test('has the latency of its own slices only', () => {
    const record = makeRecord({}, ({ target, load }) => ({
      ok: 1,
      latenciesMs: target === 'top' && load === 'cost' ? [8] : [900],
    }));
    const { latency } = figuresOf(summarize(record), 'top/single/cost');
    expect(latency?.max).toEqual({ kind: 'known', ns: expect.closeTo(8e6, -5) });
  });
});

/** CPU µs per request, round by round: the machine is slow in the last one. The cost load is in the first one only. */
const ROUNDS: Record<string, number[]> = { floor: [10, 20, 90], middle: [12, 25, 80] };
const uneven = (parts: Parameters<typeof makeRecord>[0] = {}) =>
  makeRecord(parts, ({ target }, _launch, round) => ({
    ok: 100,
    cpuUsPerResponse: ROUNDS[target]?.[round] ?? 50,
  }));

describe('what is built on something', () => {
  test('is compared with the floor by the sums of launches', () => {
    const summary = summarize(uneven());
    // 12 + 25 + 80 over 10 + 20 + 90.
    expect(figuresOf(summary, 'middle/single/published').timesFloor).toEqual(near(117 / 120));
    expect(figuresOf(summary, 'floor/single/published').timesFloor).toEqual(near(1));
  });

  test('is compared with the floor in the same topology under the same load', () => {
    const costs: Record<string, number> = {
      'single/published': 10,
      'single/cost': 5,
      '2/published': 20,
    };
    const record = makeRecord({ options: { topologies: ['single', 2] } }, (cell) => {
      const floor = costs[`${cell.topology}/${cell.load}`] ?? 1;
      return { ok: 1, cpuUsPerResponse: cell.target === 'floor' ? floor : 40 };
    });
    const ratios = Object.keys(costs).map((condition) => {
      return figuresOf(summarize(record), `top/${condition}`).timesFloor;
    });
    expect(ratios).toEqual([near(4), near(8), near(2)]);
  });

  test('costs more than what it is built on, under the cost load', () => {
    const overheads = overheadsOf(uneven());
    expect(overheads?.condition.load.id).toBe('cost');
    const [middle, top, ...others] = overheads?.rows ?? [];
    expect(others).toEqual([]);
    // 12 over 10 µs, and 50 over 12.
    expect(middle).toMatchObject({
      target: { name: 'middle' },
      over: { name: 'floor' },
      comparison: { difference: near(2000), ratio: near(1.2) },
    });
    expect(top).toMatchObject({
      target: { name: 'top' },
      over: { name: 'middle' },
      comparison: { difference: near(38_000), ratio: near(50 / 12) },
    });
  });

  test('has intervals of the differences of launches, and of the ratio of their means', () => {
    const record = makeRecord({}, ({ target }, launch) => ({
      ok: 1,
      cpuUsPerResponse: target === 'floor' ? 10 + launch * 2 : 20 + launch * 8,
    }));
    const around = (value: number, half: number, digits: number) => ({
      kind: 'interval',
      value: expect.closeTo(value, digits),
      low: expect.closeTo(value - half, digits),
      high: expect.closeTo(value + half, digits),
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
    const record = makeRecord({ options: { launches: 4 } }, ({ target }, launch) => ({
      ok: 100,
      cpuUsPerResponse: costs[target]?.[launch] ?? 0,
    }));
    const summary = summarize(record);
    const levels = ['floor', 'middle', 'top'].map((name) => {
      return pointOf(figuresOf(summary, `${name}/single/cost`).cpuPerRequest);
    });
    const steps = overheadsOf(record)?.rows.map(({ comparison }) => pointOf(comparison.difference));
    // 44, 58 and 136 µs in four launches.
    expect(levels).toEqual([11_000, 14_500, 34_000]);
    expect(steps).toEqual([3500, 19_500]);
  });

  test('is read as single processes where there is no cost load', () => {
    const options = { contiguous: true, sliceS: 6, topologies: [2, 'single' as const] };
    const overheads = overheadsOf(uneven({ options }));
    expect(overheads?.condition.topology.id).toBe('single');
  });

  test('is left out where what it is built on was not measured', () => {
    const top = STACK.filter(({ name }) => name === 'top');
    expect(overheadsOf(uneven({ targets: top }))).toBeNull();
    const figures = figuresOf(summarize(uneven({ targets: top })), 'top/single/cost');
    expect(figures.timesFloor).toEqual({ kind: 'none' });
  });
});

describe('a condition', () => {
  test('is a topology under a load, in the order of the plan', () => {
    const { conditions } = summarize(steady({}, { topologies: ['single', 2] }));
    expect(conditions.map(({ topology, load }) => `${topology.id} ${load.id}`)).toEqual([
      'single published',
      '2 published',
      'single cost',
      'single low',
    ]);
  });

  test('has the highest throughput first, and what was not measured last', () => {
    const failure = { when: 'start' as const, message: '', logTail: [], died: false };
    const failures = [0, 1].map((launch) => ({ server: 'middle/single', launch, ...failure }));
    const record = makeRecord({ failures }, ({ target }) => ({ ok: target === 'top' ? 9 : 5 }));
    const [condition] = summarize(record).conditions;
    expect(condition?.cells.map(({ target }) => target.name)).toEqual(['top', 'floor', 'middle']);
  });
});

describe('what is missing', () => {
  const failureIn = (launch: number) => ({
    ...{ server: 'middle/single', launch, when: 'slice' as const },
    ...{ message: 'it died', logTail: [], died: true },
  });

  test('a server that failed in every launch has no figures in any of its cells, even of slices before', () => {
    const failures = [failureIn(0), failureIn(1)];
    const record = uneven({ failures });
    const summary = summarize(record);
    for (const { cells } of summary.conditions) {
      const middle = cells.find(({ target }) => target.name === 'middle');
      expect(middle?.outcome).toEqual({ state: 'failed', failure: failures[0] });
    }
    expect(overheadsOf(record)).toBeNull();
  });

  /** µs of the middle one in each launch, over 10 of the floor. */
  const costing = (middle: number[], happened: Happened[] = [], parts = {}) => {
    const options = { launches: middle.length, durationS: 3 * middle.length };
    return makeRecord({ options, ...parts }, ({ target }, launch) => {
      if (target !== 'middle') return { ok: 100, cpuUsPerResponse: 10 };
      return { ok: 100, cpuUsPerResponse: middle[launch] ?? 0, ...happened[launch] };
    });
  };
  const stepIn = (record: RunRecord) => {
    const comparison = overheadsOf(record)?.rows[0]?.comparison;
    const more = comparison && pointOf(comparison.difference);
    return [more, comparison?.verdict];
  };

  test('a server that failed in a launch has the figures of the others, and is compared in those', () => {
    const record = costing([12, 99, 12, 12], [], { failures: [failureIn(1)] });
    const figures = figuresOf(summarize(record), 'middle/single/published');
    expect(figures.slices).toBe(9);
    expect(figures.cpuPerRequest).toEqual(flat(12_000));
    expect(stepIn(record)).toEqual([2000, 'slower']);
  });

  test('launches in which a server had not settled are left out where three others are left', () => {
    const unsettled = [{}, { hasSettled: false }];
    expect(stepIn(costing([12, 99, 12, 12], unsettled))).toEqual([2000, 'slower']);
    // (2 + 5 + 2) / 3
    expect(stepIn(costing([12, 15, 12], unsettled))).toEqual([3000, "can't tell"]);
  });

  test('a step of which a figure is wrong has no verdict', () => {
    expect(stepIn(costing([12, 12, 12]))).toEqual([2000, 'slower']);
    const wrong = { ok: 50, wrongBody: 50 };
    expect(stepIn(costing([12, 12, 12], [wrong, wrong, wrong]))).toEqual([2000, "can't tell"]);
  });

  test('a cell without slices was not reached', () => {
    const record = makeRecord({}, ({ load }) => (load === 'cost' ? null : { ok: 1 }));
    const states = summarize(record).conditions.map(({ load, cells }) => [
      load.id,
      new Set(cells.map(({ outcome }) => outcome.state)),
    ]);
    expect(states).toEqual([
      ['published', new Set(['measured'])],
      ['cost', new Set(['not reached'])],
      ['low', new Set(['measured'])],
    ]);
  });

  test('launches in which one of two is missing are left out of the comparison of requests/s', () => {
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
    expect(pointOf(two?.ratio ?? { kind: 'none' })).toBeCloseTo(650 / 300, 9);
    expect(pointOf(two?.difference ?? { kind: 'none' })).toBeCloseTo(175, 9);
  });

  test.each(['middle', 'floor'])(
    'launches in which %s is missing are left out of the comparison of CPU',
    (missing) => {
      const options = { launches: 3, durationS: 9 };
      const record = makeRecord({ options }, ({ target }, launch) => {
        if (launch === 2) return target === missing ? null : { ok: 1, cpuUsPerResponse: 50 };
        return { ok: 1, cpuUsPerResponse: target === 'middle' ? 12 : 10 };
      });
      const { difference, ratio } = overheadsOf(record)?.rows[0]?.comparison ?? {};
      expect(difference).toEqual(near(2000));
      expect(ratio).toEqual(near(1.2));
    },
  );

  test('a record without slices has no figure at all', () => {
    const record = makeRecord({ state: 'running' }, () => null);
    expect(summarize(record)).toMatchObject({ measuredNs: 0, harnessShare: 0 });
    expect(overheadsOf(record)).toBeNull();
  });
});

test('measured time and the share of the harness are those of all windows', () => {
  // Three targets have three slices a launch under the main load, and one under the cost load.
  const happened = { ok: 1, windowS: 2, harnessCpuMs: 50 };
  const summary = summarize(steady({ floor: happened, middle: happened, top: happened }));
  expect(summary.measuredNs).toBe(30 * 2e9);
  expect(summary.harnessShare).toBeCloseTo(0.025);
});

test('the interim figures are those of the summary', () => {
  const record = uneven();
  const summary = summarize(record);
  const interim = summarizeInterim(record);
  expect(interim.map(({ cell }) => cell)).toEqual(record.plan.cells);
  for (const { cell, throughput, cpuPerRequest } of interim) {
    expect(figuresOf(summary, cell.id)).toMatchObject({ throughput, cpuPerRequest });
  }
});
