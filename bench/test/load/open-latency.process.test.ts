/** That each planned request of an open loop is in the distribution of its latency, by a real server and generator. */
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  histogramOf,
  inFlightAtClose,
  isOnSchedule,
  type Latency,
  latencyOf,
} from '../../src/figures/latency.ts';
import { pooled, type Times } from '../../src/figures/times.ts';
import type { OpenOrder } from '../../src/load/protocol.ts';
import type { Slice } from '../../src/record/record.ts';
import { ownPlace } from '../support/leftovers.ts';
import { agesOf } from '../support/make-record.ts';
import {
  BODY,
  expectToAddUp,
  openOrder,
  serveAll,
  serveHere,
  shareGenerator,
  startStalling,
  until,
} from './servers.ts';

const RATE_PER_S = 500;
/** More than a window has requests: nothing is dropped. */
const PLENTY = 4000;
const TIMEOUT_NS = 10e9;
const STOP_MS = 1000;

const shared = shareGenerator(ownPlace());

// Another try where the machine held server or generator up.
const TRIES = { retry: 2 };

test(
  'a server that stalls for 1 s delays 500 requests at 500/s, by 1 s down to 0',
  TRIES,
  async () => {
    // The window opens 0.5 s after the first request.
    await using server = await startStalling(2000);
    const slice = await measured(server.origin, { window: { ns: 4e9 } });
    const { planned, dropped } = paceOf(slice);
    const { timedOut, disconnected } = slice.measurement.window;
    expect({ dropped, timedOut, disconnected }).toEqual({
      dropped: 0,
      timedOut: 0,
      disconnected: 0,
    });

    // Those planned in its first half wait for longer than 0.5 s; a busy machine takes a while to answer the rest,
    // so the median alone says that the others do not.
    const answered = answeredIn(slice);
    expect(longerThan(answered, 500)).toBeGreaterThanOrEqual(248);
    expect(answered.most / 1000).toBeGreaterThan(990);

    // Of 2,000 requests a quarter was delayed, an eighth by more than 0.5 s and the slowest twentieth by more than 0.8 s.
    const latency = latencyIn(slice);
    expect(longerThan(answered, 500) / planned).toBeGreaterThan(0.12);
    expect([latency.p50.kind, latency.p95.kind]).toEqual(['known', 'known']);
    expect(latency.p50.ns).toBeLessThan(0.5e9);
    expect(latency.p95.ns).toBeGreaterThan(0.78e9);
    expect(latency.p99.ns).toBeGreaterThan(0.94e9);
  },
);

test.each([
  ['are sent, each with its lateness', PLENTY],
  ['are sent as far as there is room, and dropped beyond it, each with its lateness', 100],
])('the requests of 1 s in which the generator is stopped %s', TRIES, async (_, connections) => {
  await using server = await serveAll();
  const measuring = measured(server.origin, { connections, window: { ns: 3e9 } });
  // In the window, which opens after 0.5 s.
  await until(() => server.requests >= 1.2 * RATE_PER_S);
  process.kill(shared.generator.pid, 'SIGSTOP');
  await sleep(STOP_MS);
  process.kill(shared.generator.pid, 'SIGCONT');
  const slice = await measuring;

  const { dropped, lateness } = paceOf(slice);
  const late = pooled([lateness.histogram]);
  expect(lateness.late).toBeGreaterThanOrEqual(498);
  expect(longerThan(late, 500)).toBeGreaterThanOrEqual(248);
  expect(longerThan(late, 500)).toBeLessThan(((late.most / 1000 + 50 - 500) / 1000) * RATE_PER_S);
  expect(late.most / 1000).toBeGreaterThan(990);
  // It measured the generator: where there is another slice, this one does not count.
  expect(isOnSchedule(slice)).toBe(false);

  const latency = latencyIn(slice);
  if (connections === PLENTY) {
    expect(dropped).toBe(0);
    expect(longerThan(answeredIn(slice), 500)).toBeGreaterThanOrEqual(248);
    expect(latency.p95).toMatchObject({ kind: 'known' });
    expect(latency.p95.ns).toBeGreaterThan(0.6e9);
  } else {
    // All that are due are sent or dropped in one go: as many are sent as there is room for.
    expect(dropped).toBeGreaterThanOrEqual(500 - connections - 2);
    expect(latency.p50.kind).toBe('known');
    expect(latency.p95.kind).toBe('above');
  }
});

/** Answers one request in ten, and the others never. */
function serveATenth() {
  const held: ServerResponse[] = [];
  return serveHere((response, _request, count) => {
    if (count % 10 === 9) response.end(BODY);
    else held.push(response);
  });
}

test('where one request in ten is answered, nine are longer than they had waited', async () => {
  await using server = await serveATenth();
  const slice = await measured(server.origin, { window: { ns: 2e9 } });
  const { planned, dropped } = paceOf(slice);
  const { ok } = slice.measurement.window;
  expect(dropped).toBe(0);
  expect(Math.abs(ok - planned / 10)).toBeLessThan(10);
  expect(inFlightAtClose(slice)).toBe(planned - ok);

  const { p2_5, p50, p95, p99, max, mean, survivors } = latencyIn(slice);
  expect(p2_5.kind).toBe('known');
  expect(p2_5.ns).toBeLessThan(1e9);
  for (const { kind } of [p50, p95, p99, max, mean]) expect(kind).toBe('above');
  for (const { ns } of [p50, p95, p99, max]) expect(ns).toBeGreaterThan(1.9e9);
  // Of all of them, and not of the survivors, which have a figure of their own.
  expect(mean.ns).toBeGreaterThan(0.85 * 1.9e9);
  expect(survivors.count).toBe(ok);
  expect(survivors.meanNs).toBeLessThan(1e9);
});

test('where those that wait for nothing are given up, nine in ten are longer than the time-out', async () => {
  await using server = await serveATenth();
  const timeoutNs = 0.5e9;
  const slice = await measured(server.origin, { timeoutNs, window: { ns: 2e9 } });
  expect(slice.measurement.window.timedOut).toBeGreaterThan(400);
  const { p2_5, p50, p99 } = latencyIn(slice, timeoutNs);
  expect(p2_5.kind).toBe('known');
  for (const each of [p50, p99]) expect(each).toEqual({ kind: 'above', ns: timeoutNs });
});

test('where there is no room for those that wait, the dropped are longer than all that was seen', async () => {
  await using server = await serveATenth();
  // The ramp takes 225 of these places, the window the rest.
  const slice = await measured(server.origin, { connections: 400, window: { ns: 2e9 } });
  const { planned, dropped } = paceOf(slice);
  const { ok } = slice.measurement.window;
  expect(dropped).toBeGreaterThan(planned / 2);
  expect(ok).toBeLessThan(planned / 20);
  const latency = latencyIn(slice);
  expect(latency.p50.kind).toBe('above');
  expect(latency.p50.ns).toBeGreaterThan(1e9);
  expect(latency.mean.kind).toBe('above');
});

/** The slice of an order at 500/s, in which every request is accounted for. */
async function measured(origin: string, changes: Partial<OpenOrder>): Promise<Slice> {
  const load = { ratePerS: RATE_PER_S, connections: PLENTY, timeoutNs: TIMEOUT_NS, drainCapNs: 0 };
  const measurement = await shared.measure(openOrder(origin, { ...load, ...changes }));
  const cell = { cell: 'a/single/rate-500', launch: 0, round: 0 };
  const slice = { ...cell, startedNs: 0, handler: null, measurement };
  expectComplete(slice);
  return slice;
}

/** Every request of the plan is counted once, by what became of it, and each has a time. */
function expectComplete(slice: Slice): void {
  const { window, windowNs, ledger } = slice.measurement;
  expectToAddUp(ledger);
  const { planned, dropped, lateness } = paceOf(slice);
  const { lost, inFlight } = agesOf(slice.measurement);
  expect(Math.abs(planned - (windowNs / 1e9) * RATE_PER_S)).toBeLessThanOrEqual(1);
  expect(window).toMatchObject({ wrongStatus: 0, wrongBody: 0 });
  expect(planned).toBe(
    window.ok + window.timedOut + window.disconnected + inFlight.totalCount + dropped,
  );
  expect(answeredIn(slice).count).toBe(window.ok);
  expect(lost.totalCount).toBe(window.timedOut + window.disconnected);
  expect(pooled([lateness.histogram]).count).toBe(planned);
}

function known<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('the slice does not tell it');
  return value;
}

function paceOf({ measurement: { pace } }: Slice) {
  return { ...known(pace), lateness: known(pace?.lateness) };
}

const answeredIn = (slice: Slice): Times => known(histogramOf([slice]));
const latencyIn = (slice: Slice, timeoutNs = TIMEOUT_NS): Latency => {
  return known(latencyOf([slice], { fromTheStart: true, timeoutNs }));
};

function longerThan({ buckets }: Times, ms: number): number {
  return buckets.reduce((sum, [us, count]) => sum + (us > ms * 1000 ? count : 0), 0);
}
