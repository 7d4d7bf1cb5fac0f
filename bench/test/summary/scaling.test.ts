import { describe, expect, test } from 'vitest';
import { THROUGHPUT } from '../../src/figures/figures.ts';
import { pointOf } from '../../src/math/statistics.ts';
import { ratesOf } from '../../src/suites/rates.ts';
import { queueIn } from '../../src/summary/scaling.ts';
import { estimateOf } from '../../src/summary/summary.ts';
import { contextOf } from '../../src/validity/context.ts';
import { near } from '../support/estimates.ts';
import { makeClusterRecord, SERVICE_MS } from '../support/make-cluster-record.ts';
import {
  type Happened,
  makeLoad,
  makeMachine,
  makeRecord,
  makeTarget,
  type Story,
} from '../support/make-record.ts';
import { present, summariesOf } from '../support/summaries.ts';

type Parts = Parameters<typeof makeClusterRecord>[1];

function targetOf(story: Story, parts: Parts = {}) {
  const { scaling } = summariesOf(makeClusterRecord(story, parts));
  return present(scaling?.targets[0], 'target');
}

const WINDOW_S = 10;

/** In a window of 10 s with so many answers a second and so many requests under way. */
function answering(perS: number, underWay: number, cpuUsPerResponse: number): Happened {
  // By Little's law.
  const latenciesMs = [(underWay * 1000) / perS];
  return { ok: Math.round(perS * WINDOW_S), windowS: WINDOW_S, latenciesMs, cpuUsPerResponse };
}

/** In a window of 10 s with one request at a time. */
function alone(ms = SERVICE_MS, cpuShare = 0.95): Happened {
  const ok = Math.round((WINDOW_S * 1000) / ms);
  return { ok, windowS: WINDOW_S, latenciesMs: [ms], cpuUsPerResponse: cpuShare * ms * 1000 };
}

test.each([
  { cpuShare: 0.82, from: 'alone', ns: near(SERVICE_MS * 1e6, -5) },
  { cpuShare: 0.78, from: 'under load', ns: near(99e6) },
  { cpuShare: null, from: 'under load', ns: near(99e6) },
])('the service time is that $from if CPU is $cpuShare of a request alone', (given) => {
  const { cpuShare, ...found } = given;
  const story: Story = ({ topology, load }) => {
    if (load === 'alone') return cpuShare === null ? null : alone(SERVICE_MS, cpuShare);
    // The plain process counts, whatever is named first.
    if (load === 'feasible') return answering(9.7, 16, topology === 'single' ? 99_000 : 120_000);
    return null;
  };
  const { service } = targetOf(story, { topologies: [2, 'single'] });
  const busyShare = cpuShare && expect.closeTo(cpuShare, 3);
  expect(service).toMatchObject({ ...found, busyShare });
});

test.each([
  { cores: 1, cpuLimit: null, servers: 1 },
  { cores: 2, cpuLimit: null, servers: 2 },
  { cores: 8, cpuLimit: null, servers: 2 },
  { cores: 2, cpuLimit: 0.5, servers: 0.5 },
  { cores: 2, cpuLimit: 1.5, servers: 1.5 },
  { cores: 2, cpuLimit: 8, servers: 2 },
])('two processes on $cores cores, limited to $cpuLimit, are $servers servers', (given) => {
  const { cores, cpuLimit, servers } = given;
  const record = makeClusterRecord(() => null, {
    machine: makeMachine({ parallelism: cores }),
    targets: [makeTarget('app', { cpuLimit })],
    topologies: [2],
  });
  const [cell] = record.plan.cells;
  expect(queueIn(contextOf(record, present(cell, 'cell')), makeLoad(), 1).servers).toBe(servers);
});

test('the share of the prediction that is reached is read within launches, in which the machine treats both alike', () => {
  const story: Story = (cell, launch) => {
    const pace = 1 + (launch % 2);
    if (cell.load === 'overload') return null;
    if (cell.load === 'alone') return alone(SERVICE_MS / pace);
    return answering(pace * 9 * (cell.topology === 'single' ? 1 : 2), 16, 99_000);
  };
  const parts: Parts = { topologies: ['single', 2], options: { launches: 4 } };
  const { service, steps } = targetOf(story, parts);
  // From means over all launches it would be 13.5 / s × 75 ms = 1.01.
  expect(service.ns).toMatchObject({ value: expect.closeTo(75e6, -5) });
  expect(steps.map(({ reached }) => reached)).toEqual([near(0.9, 3), near(0.9, 3)]);
});

describe('the best number of processes', () => {
  const NOISE = [1, 1.03, 0.97];

  /** If the topologies answer so many a second, on a machine that is so uneven. */
  function wanted(speeds: number[], noise = 0): string | undefined {
    const story: Story = ({ topology, load }, launch) => {
      if (load === 'overload') return null;
      if (load === 'alone') return alone();
      const place = ['single', '2', '4', '8'].indexOf(topology);
      const wobble = topology === '2' ? 1 + noise * ((NOISE[launch] ?? 1) - 1) : 1;
      return answering((speeds[place] ?? 0) * wobble, 32, 1000);
    };
    return targetOf(story, { topologies: [4, 2, 'single', 8] }).wants?.topology.id;
  }

  test.each([
    { speeds: [100, 200, 400, 300], wants: '4' },
    { speeds: [500, 200, 400, 300], wants: 'single' },
    // The fewest of those that are the same.
    { speeds: [100, 200, 201, 200.5], wants: '2' },
    { speeds: [200, 200, 200, 200], wants: 'single' },
    // The fewest of those that can't be told from the fastest; the same difference, if nothing hides it.
    { speeds: [100, 390, 400, 400], noise: 3, wants: '2' },
    { speeds: [100, 390, 400, 400], wants: '4' },
  ])('is $wants of 1, 2, 4 and 8 with $speeds requests/s', ({ speeds, noise, wants }) => {
    expect(wanted(speeds, noise)).toBe(wants);
  });

  test('is compared with the fastest within launches, which need not be the same for all', () => {
    // The machine is fast in the last two of five launches, and 4 processes have settled in all but the first two.
    const story: Story = ({ topology, load }, launch) => {
      if (load === 'overload') return null;
      if (load === 'alone') return alone();
      const perS = (topology === 'single' ? 10 : 20) * (launch > 2 ? 1.5 : 1) * (1 + launch / 1e4);
      const hasSettled = topology !== '4' || launch > 1;
      return { ...answering(perS, 16, 1000), hasSettled };
    };
    const parts: Parts = { topologies: ['single', 2, 4], options: { launches: 5 } };
    const { wants, steps } = targetOf(story, parts);
    const perS = steps.map((step) => pointOf(estimateOf(step, THROUGHPUT)));
    expect(perS).toEqual([12, 24, 26.67].map((each) => expect.closeTo(each, 1)));
    expect(wants).toMatchObject({ topology: { id: '2' }, fastest: { id: '4' }, times: 1 });
  });
});

test('there is none in runs without these loads', () => {
  const { scaling, overload, rates: curves } = summariesOf(makeRecord({}, () => ({ ok: 5 })));
  expect([scaling, overload, curves]).toEqual([null, null, null]);
  const options = { rates: [{ kind: 'per second' as const, perS: 5 }] };
  const rates = makeRecord({ suite: ratesOf('cluster'), options }, () => null);
  expect(summariesOf(rates).scaling).toBeNull();
});

/** The plain process in an overload where this happened in each launch, and this under other loads. */
function overloadedBy(happenedIn: (launch: number) => Happened, other: Happened | null = alone()) {
  const record = makeClusterRecord(({ load }, launch) => {
    const happened = load === 'overload' ? happenedIn(launch) : other;
    return happened && { windowS: WINDOW_S, cpuUsPerResponse: 96_000, ...happened };
  });
  const { overload } = summariesOf(record);
  return present(overload?.rows[0], 'overload');
}

test('how many were never answered is unknown if that was not recorded in any one launch', () => {
  const { outcomes } = overloadedBy((launch) => {
    const recorded = { inFlightAgesMs: [1, 2, 3, 4, 5], lostAgesMs: [] };
    return { ok: 25, latenciesMs: [5000], inFlight: 5, ...(launch === 1 ? {} : recorded) };
  });
  expect(outcomes).toMatchObject({ sent: 90, answered: 75, neverAnswered: null });
});

test.each([
  { what: 'timed out', lost: { timedOut: 1 }, vain: true },
  { what: 'were lost with their connection', lost: { disconnected: 1 }, vain: true },
  { what: 'were only still under way', lost: { inFlight: 9000 }, vain: false },
  { what: 'were answered otherwise than declared', lost: { wrongBody: 7 }, vain: false },
  { what: 'timed out, and none was answered', lost: { ok: 0, timedOut: 10_000 }, vain: false },
])('the work per answer is only known if requests were given up: some $what', ({ lost, vain }) => {
  const { workPerAnswer } = overloadedBy(() => ({ ok: 25, latenciesMs: [1], ...lost }));
  expect(workPerAnswer !== null).toBe(vain);
});

test('neither that nor what is possible is known if nothing was measured under another load', () => {
  const row = overloadedBy(() => ({ ok: 25, latenciesMs: [1], timedOut: 1 }), null);
  expect(row).toMatchObject({ possible: null, workPerAnswer: null });
});
