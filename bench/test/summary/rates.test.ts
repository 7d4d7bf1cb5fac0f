import { describe, expect, test } from 'vitest';
import { LONE_SHARE } from '../../src/plan/loads.ts';
import type { Failure, RunRecord } from '../../src/record/record.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { ratesOf as suiteOfRates } from '../../src/suites/rates.ts';
import type { Curve, RateSummary } from '../../src/summary/rates.ts';
import { type Happened, makeRecord, makeTarget, type Story } from '../support/make-record.ts';
import { summariesOf } from '../support/summaries.ts';

function ratesOf(record: RunRecord): RateSummary {
  const { rates } = summariesOf(record);
  if (rates === null) throw new Error('the record is of no rate');
  return rates;
}

const at = (...perS: number[]): Partial<RunOptions> => ({
  rates: perS.map((each) => ({ kind: 'per second', perS: each })),
});
const rateOf = (load: string) => Number(load.replace('rate-', ''));
const RATES = suiteOfRates('frameworks');
const FLOOR = [makeTarget('floor')];

/** The curve of the only target, where a request at each rate takes so many ms, or what is told. */
function curveOf(atRate: Record<number, number | Happened | null>): Curve {
  const story: Story = ({ load }) => {
    const happened = atRate[rateOf(load)] ?? null;
    return typeof happened === 'number' ? { ok: 100, latenciesMs: [happened] } : happened;
  };
  const options = at(...Object.keys(atRate).map(Number));
  const [curve] = ratesOf(makeRecord({ suite: RATES, targets: FLOOR, options }, story)).curves;
  if (curve === undefined) throw new Error('the record has a target');
  return curve;
}

describe('the points of a curve', () => {
  test('are those of each target in each topology, from the lowest rate on', () => {
    const options = {
      ...at(300, 100, 200),
      topologies: ['single', 2],
    } satisfies Partial<RunOptions>;
    const { loads, curves } = ratesOf(
      makeRecord({ suite: RATES, options }, ({ load }) => ({ ok: rateOf(load) })),
    );
    expect(loads.map(({ ratePerS }) => ratePerS)).toEqual([100, 200, 300]);
    expect(curves.map(({ target, topology }) => `${target.name}/${topology.id}`)).toEqual([
      ...['floor/single', 'middle/single', 'top/single'],
      ...['floor/2', 'middle/2', 'top/2'],
    ]);
    for (const { target, topology, points } of curves) {
      expect(points.map(({ load, summary }) => [load.ratePerS, summary.cell.id])).toEqual(
        [100, 200, 300].map((rate) => [rate, `${target.name}/${topology.id}/rate-${rate}`]),
      );
    }
  });

  test('are none in runs of closed loops', () => {
    expect(summariesOf(makeRecord({}, () => ({ ok: 5 }))).rates).toBeNull();
  });
});

describe('what processes use', () => {
  const second = (serverMs: number, ns = 1e9, managerMs = 1) => ({
    ns,
    cpuNs: { server: serverMs * 1e6, manager: managerMs * 1e6 },
    bytes: { server: serverMs * 1e6, manager: managerMs * 2e6 },
    services: {},
  });

  test('is that of the median second of all slices', () => {
    // Of each launch 10, 20 and 900, in slices of different length.
    const series = [[second(10), second(900)], [second(20)], []];
    const story: Story = (_, launch, round) => ({
      ...{ ok: 100, series: (launch === 0 ? series : [...series].reverse())[round] ?? [] },
    });
    const [curve] = ratesOf(
      makeRecord({ suite: RATES, targets: FLOOR, options: at(100) }, story),
    ).curves;
    expect(curve?.points[0]?.use).toEqual({
      cores: { server: expect.closeTo(0.02, 9), manager: expect.closeTo(0.001, 9) },
      bytes: { server: 20e6, manager: 2e6 },
      services: [],
      total: { cores: expect.closeTo(0.021, 9), bytes: 22e6 },
    });
  });

  test('has each service that any second tells of, and the median second of all together', () => {
    const redis = (ms: number) => ({ redis: { cpuNs: ms * 1e6, bytes: ms * 1e6 } });
    const series = [
      { ...second(10), services: redis(300) },
      { ...second(20), services: redis(100) },
      { ...second(30), services: redis(200) },
    ];
    const { points } = curveOf({ 100: { ok: 100, series } });
    expect(points[0]?.use?.services).toEqual([{ name: 'redis', cores: 0.2, bytes: 200e6 }]);
    expect(points[0]?.use?.total.cores).toBeCloseTo(0.231, 9);
    expect(points[0]?.use?.total.bytes).toBe(232e6);
  });

  test('is CPU time over the length that each second really had', () => {
    const curve = curveOf({ 100: { ok: 100, series: [second(500, 2e9, 100)] } });
    expect(curve.points[0]?.use?.cores).toEqual({ server: 0.25, manager: 0.05 });
  });

  test('is unknown where no second was over, or the server failed', () => {
    expect(curveOf({ 100: { ok: 100 } }).points[0]?.use).toBeNull();
    expect(useWithout(0, 1)).toBeNull();
  });

  test('is that of the launches in which the server did not fail', () => {
    expect(useWithout(1)?.cores.server).toBeCloseTo(0.005, 9);
    expect(useWithout(0)?.cores.server).toBeCloseTo(0.9, 9);
  });

  /** What is used of 5 ms a second in the first launch, and 900 in the other one, where the server failed in these. */
  function useWithout(...launches: number[]) {
    const failures = launches.map((launch): Failure => {
      const failure = { when: 'slice' as const, message: '', logTail: [], died: true };
      return { server: 'floor/single', launch, ...failure };
    });
    const record = makeRecord(
      { suite: RATES, targets: FLOOR, options: at(100), failures },
      (_, launch) => ({ ok: 1, series: [second(launch === 0 ? 5 : 900)] }),
    );
    return ratesOf(record).curves[0]?.points[0]?.use;
  }
});

describe('the knee', () => {
  const kneeOf = (atRate: Parameters<typeof curveOf>[0]) => {
    const { knee } = curveOf(atRate);
    return knee && [knee.load.ratePerS, knee.at];
  };

  test('is at the rate with the most throughput for its mean latency', () => {
    expect(kneeOf({ 100: 1, 200: 1.2, 300: 2, 400: 9 })).toEqual([200, 'inside']);
    expect(kneeOf({ 100: 1, 200: 1.2, 300: 1.7, 400: 9 })).toEqual([300, 'inside']);
  });

  test('may be beyond the rates that were measured', () => {
    expect(kneeOf({ 100: 1, 200: 1, 300: 1 })).toEqual([300, 'highest']);
    expect(kneeOf({ 100: 1, 200: 3, 300: 5 })).toEqual([100, 'lowest']);
  });

  test('is at the lower of two rates that are as good', () => {
    expect(kneeOf({ 100: 2, 200: 1, 400: 2, 800: 9 })).toEqual([200, 'inside']);
  });

  test('is not where some requests had no answer, so that no mean is known', () => {
    const lost: Happened = { ok: 100, latenciesMs: [0.1], timedOut: 1 };
    expect(kneeOf({ 100: 1, 200: 1.2, 300: lost, 400: lost })).toEqual([200, 'inside']);
    expect(kneeOf({ 100: 1, 200: lost, 300: lost })).toEqual([100, 'lowest']);
    expect(kneeOf({ 100: lost, 200: lost, 300: lost })).toBeNull();
  });

  test('takes three rates that were measured', () => {
    expect(kneeOf({ 100: 1, 200: 1.2 })).toBeNull();
    expect(kneeOf({ 100: 1, 200: 1.2, 300: null })).toBeNull();
    expect(kneeOf({ 100: null, 200: 1.2, 300: null, 400: null })).toBeNull();
    // What was not reached is no edge.
    expect(kneeOf({ 100: 1, 200: 1, 300: 1, 400: null })).toEqual([300, 'highest']);
  });
});

describe('overheads', () => {
  /** The rate that they are read at, where the busiest server at each is busy for such a share. */
  function readAt(busy: Record<number, number | null>, parts: Partial<RunOptions> = {}) {
    const story: Story = ({ target, load }) => {
      const share = busy[rateOf(load)] ?? null;
      if (share === null) return null;
      const ok = 1000;
      // The busiest is the one on top; each step costs as much.
      const part = { floor: 1 / 3, middle: 2 / 3, top: 1 }[target] ?? 0;
      return { ok, cpuUsPerResponse: (share * part * 1e6) / ok };
    };
    const options = { ...at(...Object.keys(busy).map(Number)), ...parts };
    return ratesOf(makeRecord({ suite: RATES, options }, story)).overheads;
  }
  const rateRead = (...given: Parameters<typeof readAt>) => {
    const load = readAt(...given)?.condition.load;
    return load?.kind === 'open' ? load.ratePerS : null;
  };

  test('are read at the highest rate at which every server still handles requests alone', () => {
    const [below, above] = [LONE_SHARE - 0.01, LONE_SHARE + 0.01];
    expect(rateRead({ 100: 0.1, 200: below, 300: above, 400: 0.9 })).toBe(200);
    expect(rateRead({ 100: LONE_SHARE, 200: 0.9 })).toBeNull();
  });

  test('are told of each target over the one it is built on, there', () => {
    const table = readAt({ 100: 0.1, 200: 0.24, 300: 0.6 });
    const told = table?.rows.map(({ target, over, comparison }) => {
      return [target.name, over.name, comparison.difference];
    });
    expect(told).toEqual([
      ['middle', 'floor', expect.objectContaining({ value: expect.closeTo(80_000, 6) })],
      ['top', 'middle', expect.objectContaining({ value: expect.closeTo(80_000, 6) })],
    ]);
  });

  test('are read of single processes only', () => {
    const clusters = { topologies: [2, 'single'] } satisfies Partial<RunOptions>;
    const condition = readAt({ 100: 0.1, 200: 0.2 }, clusters)?.condition;
    expect(condition?.topology.id).toBe('single');
    expect(readAt({ 100: 0.1 }, { topologies: [2] })).toBeNull();
  });

  test('are not read at a rate that the run did not get to', () => {
    expect(rateRead({ 100: 0.1, 200: 0.2, 300: null })).toBe(200);
    expect(rateRead({ 100: null, 200: null })).toBeNull();
  });

  test('do not wait for a process to be busy on all cores that its helpers may use', () => {
    // On a machine with room each process has a core beside its own.
    expect(rateRead({ 100: 0.1, 200: 0.4 })).toBe(100);
  });
});
