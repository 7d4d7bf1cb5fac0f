import { describe, expect, test } from 'vitest';
import { LONE_SHARE } from '../../src/plan/loads.ts';
import type { RunRecord } from '../../src/record/record.ts';
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
const suite = suiteOfRates('frameworks');

/** What a run of the floor alone shows. */
function curveAt(
  options: Partial<RunOptions>,
  story: Story,
  parts: Partial<RunRecord> = {},
): Curve {
  const { failures = [] } = parts;
  const record = makeRecord({ suite, targets: [makeTarget('floor')], options, failures }, story);
  const [curve] = ratesOf(record).curves;
  if (curve === undefined) throw new Error('the record has a target');
  return curve;
}

/** The curve of the only target, where a request at each rate takes so many ms, or what is told. */
function curveOf(atRate: Record<number, number | Happened | null>): Curve {
  return curveAt(at(...Object.keys(atRate).map(Number)), ({ load }) => {
    const happened = atRate[rateOf(load)] ?? null;
    return typeof happened === 'number' ? { ok: 100, latenciesMs: [happened] } : happened;
  });
}

test('a curve has the points of a target in a topology, from the lowest rate on', () => {
  const options: Partial<RunOptions> = { ...at(300, 100, 200), topologies: ['single', 2] };
  const record = makeRecord({ suite, options }, ({ load }) => ({ ok: rateOf(load) }));
  const { loads, curves } = ratesOf(record);
  expect(loads.map(({ ratePerS }) => ratePerS)).toEqual([100, 200, 300]);
  const ids = curves.map(({ points }) => points.map(({ summary }) => summary.cell.id));
  expect(ids).toEqual(
    ['single', '2'].flatMap((topology) => {
      return ['floor', 'middle', 'top'].map((target) => {
        return [100, 200, 300].map((rate) => `${target}/${topology}/rate-${rate}`);
      });
    }),
  );
});

test('there are none in runs of closed loops', () => {
  expect(summariesOf(makeRecord({}, () => ({ ok: 5 }))).rates).toBeNull();
});

describe('what processes use', () => {
  const second = (serverMs: number, ns = 1e9, managerMs = 1) => ({
    ns,
    cpuNs: { server: serverMs * 1e6, manager: managerMs * 1e6 },
    bytes: { server: serverMs * 1e6, manager: managerMs * 2e6 },
    services: {},
  });
  const useIn = ({ points }: Curve) => points[0]?.use;

  test('is that of the median second of all slices', () => {
    // Of each launch 10, 20 and 900, in slices of different length.
    const series = [[second(10), second(900)], [second(20)], []];
    const curve = curveAt(at(100), (_, launch, round) => {
      return { ok: 100, series: (launch === 0 ? series : series.toReversed())[round] ?? [] };
    });
    expect(useIn(curve)).toEqual({
      cores: { server: expect.closeTo(0.02, 9), manager: expect.closeTo(0.001, 9) },
      bytes: { server: 20e6, manager: 2e6 },
      services: [],
      total: { cores: expect.closeTo(0.021, 9), bytes: 22e6 },
    });
  });

  test('has each service that any second tells of, and the median second of all together', () => {
    const redis = (ms: number) => ({ redis: { cpuNs: ms * 1e6, bytes: ms * 1e6 } });
    const used = [
      [10, 300],
      [20, 100],
      [30, 200],
    ] as const;
    const series = used.map(([ms, redisMs]) => ({ ...second(ms), services: redis(redisMs) }));
    const use = useIn(curveOf({ 100: { ok: 100, series } }));
    expect(use?.services).toEqual([{ name: 'redis', cores: 0.2, bytes: 200e6 }]);
    expect(use?.total).toEqual({ cores: expect.closeTo(0.231, 9), bytes: 232e6 });
  });

  test('is CPU time over the length that each second really had', () => {
    const use = useIn(curveOf({ 100: { ok: 100, series: [second(500, 2e9, 100)] } }));
    expect(use?.cores).toEqual({ server: 0.25, manager: 0.05 });
  });

  test('is unknown where no second was over', () => {
    expect(useIn(curveOf({ 100: { ok: 100 } }))).toBeNull();
  });

  test.each([
    { failed: [1], cores: 0.005 },
    { failed: [0], cores: 0.9 },
    { failed: [0, 1], cores: undefined },
  ])('is that of the launches in which the server did not fail: $failed', ({ failed, cores }) => {
    const failure = { server: 'floor/single', when: 'slice', message: '', died: true } as const;
    const failures = failed.map((launch) => ({ ...failure, launch, logTail: [] }));
    const story: Story = (_, launch) => ({ ok: 1, series: [second(launch === 0 ? 5 : 900)] });
    const use = useIn(curveAt(at(100), story, { failures }));
    expect(use?.cores.server).toEqual(cores && expect.closeTo(cores, 9));
  });
});

describe('the knee', () => {
  const lost: Happened = { ok: 100, latenciesMs: [0.1], timedOut: 1 };

  test.each<[string, Parameters<typeof curveOf>[0], ReturnType<typeof kneeOf>]>([
    [
      'has the most throughput for its latency',
      { 100: 1, 200: 1.2, 300: 2, 400: 9 },
      [200, 'inside'],
    ],
    ['goes with the latencies', { 100: 1, 200: 1.2, 300: 1.7, 400: 9 }, [300, 'inside']],
    ['may be above all rates', { 100: 1, 200: 1, 300: 1 }, [300, 'highest']],
    ['may be below all rates', { 100: 1, 200: 3, 300: 5 }, [100, 'lowest']],
    ['is the lower of two that are as good', { 100: 2, 200: 1, 400: 2, 800: 9 }, [200, 'inside']],
    ['has a mean latency', { 100: 1, 200: 1.2, 300: lost, 400: lost }, [200, 'inside']],
    ['may be the only one that has', { 100: 1, 200: lost, 300: lost }, [100, 'lowest']],
    ['is none where none has', { 100: lost, 200: lost, 300: lost }, null],
    ['takes three rates', { 100: 1, 200: 1.2 }, null],
    ['takes three that were measured', { 100: null, 200: 1.2, 300: null, 400: null }, null],
    // What was not reached is no edge.
    ['may be the last one measured', { 100: 1, 200: 1, 300: 1, 400: null }, [300, 'highest']],
  ])('%s', (_, atRate, knee) => {
    expect(kneeOf(atRate)).toEqual(knee);
  });

  function kneeOf(atRate: Parameters<typeof curveOf>[0]): [number, string] | null {
    const { knee } = curveOf(atRate);
    return knee && [knee.load.ratePerS, knee.at];
  }
});

describe('overheads', () => {
  /** What is read where the busiest server at each rate is busy for such a share; each step costs as much. */
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

  const [below, above] = [LONE_SHARE - 0.01, LONE_SHARE + 0.01];
  test.each([
    { busy: { 100: 0.1, 200: below, 300: above, 400: 0.9 }, load: 'rate-200' },
    { busy: { 100: LONE_SHARE, 200: 0.9 }, load: undefined },
    // One that the run did not get to is none.
    { busy: { 100: 0.1, 200: 0.2, 300: null }, load: 'rate-200' },
    { busy: { 100: null, 200: null }, load: undefined },
  ])(
    'are read at the highest rate at which every server handles requests alone: $busy',
    (given) => {
      expect(readAt(given.busy)?.condition.load.id).toBe(given.load);
    },
  );

  test('are told of each target over the one it is built on, there', () => {
    const table = readAt({ 100: 0.1, 200: 0.24, 300: 0.6 });
    const difference = expect.objectContaining({ value: expect.closeTo(80_000, 6) });
    expect(table?.rows).toMatchObject([
      { target: { name: 'middle' }, over: { name: 'floor' }, comparison: { difference } },
      { target: { name: 'top' }, over: { name: 'middle' }, comparison: { difference } },
    ]);
  });

  test('are read of single processes only', () => {
    const clusters = readAt({ 100: 0.1, 200: 0.2 }, { topologies: [2, 'single'] });
    expect(clusters?.condition.topology.id).toBe('single');
    expect(readAt({ 100: 0.1 }, { topologies: [2] })).toBeNull();
  });
});
