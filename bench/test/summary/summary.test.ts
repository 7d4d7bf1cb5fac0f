import { describe, expect, test } from 'vitest';
import type { Figures } from '../../src/figures/figures.ts';
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
    const record = steady({ floor: { ok: 10, wrongStatus: 30 } });
    for (const slice of record.slices) slice.measurement.cpu.server.cpuNs = 80_000;
    expect(figuresOf(summarize(record), 'floor/single/cost').cpuPerRequest).toEqual(flat(2000));
  });

  test('counts errors and time-outs apart, and what was answered of what was sent', () => {
    const counts = { ok: 5, wrongStatus: 1, wrongBody: 2, disconnected: 3, timedOut: 4 };
    const figures = figuresOf(
      summarize(steady({ floor: { ...counts, inFlight: 10 } })),
      'floor/single/cost',
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
    const { memory } = figuresOf(summarize(record), 'top/single/cost');
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

/** CPU µs per request, round by round: the machine is slow in the last one. */
const ROUNDS: Record<string, number[]> = { floor: [10, 20, 90], middle: [12, 25, 80] };
const uneven = (parts: Parameters<typeof makeRecord>[0] = {}) =>
  makeRecord(parts, ({ target }, _launch, round) => ({
    ok: 100,
    cpuUsPerResponse: ROUNDS[target]?.[round] ?? 50,
  }));

describe('what is built on something', () => {
  test('is compared with the floor round by round', () => {
    const summary = summarize(uneven());
    // The middle one of 12/10, 25/20 and 80/90.
    expect(figuresOf(summary, 'middle/single/published').timesFloor).toEqual(near(1.2));
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

  test('costs more by the ratio within rounds, at the cost of what it is built on, under the cost load', () => {
    const overheads = overheadsOf(uneven());
    expect(overheads?.condition.load.id).toBe('cost');
    const [middle, top, ...others] = overheads?.rows ?? [];
    expect(others).toEqual([]);
    expect(middle).toMatchObject({ target: { name: 'middle' }, over: { name: 'floor' } });
    // 0.2 of 20 µs.
    expect(middle).toMatchObject({ cpuNs: near(4000), comparison: { ratio: near(1.2) } });
    // The middle one of 50/12, 50/25 and 50/80, at 25 µs.
    expect(top).toMatchObject({ target: { name: 'top' }, over: { name: 'middle' } });
    expect(top?.cpuNs).toEqual(near(25_000));
  });

  test('has an interval of the ratios of launches', () => {
    const record = makeRecord({}, ({ target }, launch) => ({
      ok: 1,
      cpuUsPerResponse: target === 'floor' ? 10 : 20 + launch * 4,
    }));
    // 2 and 2.4 times 10 µs, ± 12.7062 standard errors of the logarithms.
    const half = (12.7062 * Math.log(1.2)) / 2;
    const more = (times: number) => expect.closeTo(10_000 * (Math.sqrt(4.8) * times - 1), -1);
    const cpuNs = overheadsOf(record)?.rows[0]?.cpuNs;
    expect(cpuNs).toEqual({
      kind: 'interval',
      value: more(1),
      low: more(Math.exp(-half)),
      high: more(Math.exp(half)),
    });
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
    ]);
  });

  test('has the highest throughput first, and what was not measured last', () => {
    const failures = [
      {
        server: 'floor/single',
        launch: 0,
        when: 'start' as const,
        message: '',
        lastWords: [],
        died: false,
      },
    ];
    const record = makeRecord({ failures }, ({ target }) => ({ ok: target === 'top' ? 9 : 5 }));
    const [condition] = summarize(record).conditions;
    expect(condition?.cells.map(({ target }) => target.name)).toEqual(['top', 'middle', 'floor']);
  });
});

describe('what is missing', () => {
  const failure = {
    server: 'middle/single',
    launch: 1,
    when: 'slice' as const,
    message: 'it died',
    lastWords: [],
    died: true,
  };

  test('a failed server has no figures in any of its cells, even of slices before', () => {
    const record = uneven({ failures: [failure] });
    const summary = summarize(record);
    for (const { cells } of summary.conditions) {
      const middle = cells.find(({ target }) => target.name === 'middle');
      expect(middle?.outcome).toEqual({ state: 'failed', failure });
    }
    expect(overheadsOf(record)).toBeNull();
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
    ]);
  });

  test('rounds in which one of two is missing are left out of the comparison of requests/s', () => {
    const speeds: Record<string, number[]> = { single: [100, 200, 900], '2': [150, 500, 100] };
    const options = { topologies: ['single' as const, 2] };
    const record = makeRecord({ options }, ({ topology }, _launch, round) => {
      if (topology === '2' && round === 2) return null;
      return { ok: speeds[topology]?.[round] ?? 0 };
    });
    // Left are 1.5 and 2.5 times as many.
    const [row] = summariesOf(record).topologies?.rows ?? [];
    const ratios = row?.entries.map(({ speedUp }) => speedUp?.ratio ?? null);
    expect(ratios).toEqual([null, near(Math.sqrt(1.5 * 2.5))]);
  });

  test('launches in which one of two is missing are left out of the comparison of CPU', () => {
    const record = makeRecord({ options: { launches: 3, durationS: 9 } }, ({ target }, launch) => {
      if (target === 'middle' && launch === 2) return null;
      return { ok: 1, cpuUsPerResponse: target === 'middle' ? 12 : 10 + 40 * Number(launch === 2) };
    });
    expect(overheadsOf(record)?.rows[0]?.cpuNs).toEqual(near(2000));
  });

  test('a record without slices has no figure at all', () => {
    const record = makeRecord({ state: 'running' }, () => null);
    expect(summarize(record)).toMatchObject({ measuredNs: 0, harnessShare: 0 });
    expect(overheadsOf(record)).toBeNull();
  });
});

test('measured time and the share of the harness are those of all windows', () => {
  const happened = { ok: 1, windowS: 2, harnessCpuMs: 50 };
  const summary = summarize(steady({ floor: happened, middle: happened, top: happened }));
  expect(summary.measuredNs).toBe(36 * 2e9);
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
