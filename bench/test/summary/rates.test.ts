import { describe, expect, test } from 'vitest';
import { SINGLE_REQUEST_SHARE } from '../../src/plan/loads.ts';
import type { RunRecord } from '../../src/record/record.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { ratesOf as suiteOfRates } from '../../src/suites/rates.ts';
import type { Curve } from '../../src/summary/rates.ts';
import { type Happened, makeRecord, makeTarget, type Story } from '../support/make-record.ts';
import { present, summariesOf } from '../support/summaries.ts';

const ratesOf = (record: RunRecord) => present(summariesOf(record).rates, 'rate');

const at = (...perS: number[]): Partial<RunOptions> => ({
  rates: perS.map((each) => ({ kind: 'per second', perS: each })),
});
const rateOf = (load: string) => Number(load.replace('rate-', ''));
const suite = suiteOfRates('frameworks');

/** The curve of the floor alone. */
function curveAt(options: Partial<RunOptions>, story: Story): Curve {
  const targets = [makeTarget('floor')];
  return present(ratesOf(makeRecord({ suite, targets, options }, story)).curves[0], 'target');
}

/** The curve of the only target, where a request at each rate takes so many ms, or as given. */
function curveOf(atRate: Record<number, number | Happened | null>): Curve {
  return curveAt(at(...Object.keys(atRate).map(Number)), ({ load }) => {
    const happened = atRate[rateOf(load)] ?? null;
    return typeof happened === 'number' ? { ok: 100, latenciesMs: [happened] } : happened;
  });
}

test('there are no curves in a run without rates', () => {
  expect(summariesOf(makeRecord({}, () => ({ ok: 5 }))).rates).toBeNull();
});

/** Two seconds in which processes used so much of a thousandth of a core, and as many MB. */
function used(server: number, redis: number) {
  const cpuNs = { server: server * 2e6, manager: 2e6 };
  const services = { redis: { cpuNs: redis * 2e6, bytes: redis * 1e6 } };
  return { ns: 2e9, cpuNs, bytes: { server: server * 1e6, manager: 2e6 }, services };
}

test('what processes use is that of the median second of all slices, of all together too', () => {
  const series = [[used(10, 300), used(900, 200)], [used(20, 100)], []];
  const { points } = curveAt(at(100), (_, launch, round) => {
    return { ok: 100, series: (launch === 0 ? series : series.toReversed())[round] ?? [] };
  });
  expect(points[0]?.use).toEqual({
    server: { cores: expect.closeTo(0.02, 9), bytes: 20e6 },
    manager: { cores: expect.closeTo(0.001, 9), bytes: 2e6 },
    services: [{ name: 'redis', cores: expect.closeTo(0.2, 9), bytes: 200e6 }],
    total: { cores: expect.closeTo(0.311, 9), bytes: 312e6 },
  });
});

const LOST: Happened = { ok: 100, latenciesMs: [0.1], timedOut: 1 };
test.each<[string, Parameters<typeof curveOf>[0], knee: string | null]>([
  ['has the most throughput for its latency', { 100: 1, 200: 1.2, 300: 2, 400: 9 }, '200 inside'],
  ['goes with the latencies', { 100: 1, 200: 1.2, 300: 1.7, 400: 9 }, '300 inside'],
  ['may be above all rates', { 100: 1, 200: 1, 300: 1 }, '300 highest'],
  ['may be below all rates', { 100: 1, 200: 3, 300: 5 }, '100 lowest'],
  ['is the lower of two that are as good', { 100: 2, 200: 1, 400: 2, 800: 9 }, '200 inside'],
  ['has a mean latency', { 100: 1, 200: 1.2, 300: LOST, 400: LOST }, '200 inside'],
  ['may be the only one that has', { 100: 1, 200: LOST, 300: LOST }, '100 lowest'],
  ['is none if none has', { 100: LOST, 200: LOST, 300: LOST }, null],
  ['takes three rates', { 100: 1, 200: 1.2 }, null],
  ['takes three that were measured', { 100: null, 200: 1.2, 300: null, 400: null }, null],
  // What was not reached is no edge.
  ['may be the last one measured', { 100: 1, 200: 1, 300: 1, 400: null }, '300 highest'],
])('the knee %s', (_, atRate, expected) => {
  const { knee } = curveOf(atRate);
  expect(knee && `${knee.load.ratePerS} ${knee.at}`).toBe(expected);
});

describe('overheads', () => {
  /** Read where the busiest server at each rate is busy for such a share; each step costs as much. */
  function readAt(busy: Record<number, number | null>, parts: Partial<RunOptions> = {}) {
    const story: Story = ({ target, load }) => {
      const share = busy[rateOf(load)] ?? null;
      if (share === null) return null;
      const part = { floor: 1 / 3, middle: 2 / 3, top: 1 }[target] ?? 0;
      return { ok: 1000, cpuUsPerResponse: share * part * 1000 };
    };
    const options = { ...at(...Object.keys(busy).map(Number)), ...parts };
    return ratesOf(makeRecord({ suite, options }, story)).overheads;
  }

  const [below, above] = [SINGLE_REQUEST_SHARE - 0.01, SINGLE_REQUEST_SHARE + 0.01];
  test.each([
    { busy: { 100: 0.1, 200: below, 300: above, 400: 0.9 }, load: 'rate-200' },
    { busy: { 100: SINGLE_REQUEST_SHARE, 200: 0.9 }, load: undefined },
    // One that the run did not reach is none.
    { busy: { 100: 0.1, 200: 0.2, 300: null }, load: 'rate-200' },
    { busy: { 100: null, 200: null }, load: undefined },
  ])('are read at the highest rate at which requests are handled alone: $busy', (given) => {
    expect(readAt(given.busy)?.condition.load.id).toBe(given.load);
  });

  test('are read of single processes only', () => {
    const clusters = readAt({ 100: 0.1, 200: 0.2 }, { topologies: [2, 'single'] });
    expect(clusters?.condition.topology.id).toBe('single');
    expect(readAt({ 100: 0.1 }, { topologies: [2] })).toBeNull();
  });
});
