/** The latency of every request, answered or not, of a real server and generator. */
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  histogramOf,
  inFlightAtClose,
  isOnSchedule,
  latencyOf,
} from '../../src/figures/latency.ts';
import { pooled, type Times } from '../../src/figures/times.ts';
import { HOST } from '../../src/launch/server.ts';
import type { OpenOrder, Order } from '../../src/load/protocol.ts';
import type { Slice } from '../../src/record/record.ts';
import { ownPlace } from '../support/leftovers.ts';
import { agesOf } from '../support/make-record.ts';
import {
  AT_ONCE,
  BODY,
  closedOrder,
  expectToAddUp,
  expectWithin,
  latenciesOf,
  openOrder,
  serveAll,
  serveByConnection,
  serveHere,
  shareGenerator,
  startServer,
  until,
} from './servers.ts';

const RATE_PER_S = 500;
/** More than a window has requests: nothing is dropped. */
const PLENTY = 4000;
const TIMEOUT_NS = 10e9;
const STOP_MS = 1000;

const shared = shareGenerator(ownPlace());

// The machine may delay server or generator.
const TRIES = { retry: 2 };

/**
 * Answers after a few ms, so that a closed loop leaves the machine to others. But once, 2 s after its first request, it
 * does nothing at all for 1 s; all connections that are opened meanwhile have room. The window of an open loop opens
 * 0.5 s after the first request.
 */
const STALLING = `
  const stall = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
  const server = require('node:http').createServer((_request, response) => {
    setTimeout(() => response.end('${BODY}'), 5);
  });
  server.once('request', () => setTimeout(stall, 2000));
  server.listen({ port: 0, host: '${HOST}', backlog: 4096 }, () => {
    console.log(server.address().port);
  });`;
const STALLED = { window: { ns: 4e9 } };

test(
  'a server that stalls for 1 s delays 500 requests at 500/s, by 1 s down to 0',
  TRIES,
  async () => {
    await using server = await startServer(STALLING);
    const slice = await measured(server.origin, STALLED);
    const { planned, dropped } = paceOf(slice);
    const { timedOut, disconnected } = slice.measurement.window;
    expect([dropped, timedOut, disconnected]).toEqual([0, 0, 0]);

    // Those planned in its first half wait for longer than 0.5 s; a busy machine takes a while to answer the rest,
    // so the median alone says that the others do not.
    const answered = answeredIn(slice);
    expect(longerThan(answered, 500)).toBeGreaterThanOrEqual(248);
    expect(answered.most / 1000).toBeGreaterThan(990);

    // Of 2,000 requests a quarter was delayed, an eighth by more than 0.5 s, the slowest twentieth by more than 0.8 s.
    const latency = latencyIn(slice);
    expect(longerThan(answered, 500) / planned).toBeGreaterThan(0.12);
    expect([latency.p50.kind, latency.p95.kind]).toEqual(['known', 'known']);
    expect(latency.p50.ns).toBeLessThan(0.5e9);
    expect(latency.p95.ns).toBeGreaterThan(0.78e9);
    expect(latency.p99.ns).toBeGreaterThan(0.94e9);
  },
);

test('a closed loop hardly sees it: only the ten requests in flight wait', TRIES, async () => {
  await using server = await startServer(STALLING);
  const slice = await measuredBy(closedOrder(server.origin, { ...STALLED, ...AT_ONCE }));
  const answered = answeredIn(slice);
  expect(answered.count).toBeGreaterThan(100 * 10);
  expect(answered.most / 1000).toBeGreaterThan(950);
  const { p99 } = latencyIn(slice);
  expect(p99.ns).toBeLessThan(0.42e9);
});

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
  // It measured the generator: if there is another slice, this one does not count.
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

/** A slice of 2 s on a server that answers one request in ten, and the others never. */
async function answeredByATenth(changes: Partial<OpenOrder> = {}): Promise<Slice> {
  const held: ServerResponse[] = [];
  await using server = await serveHere((response, _request, count) => {
    if (count % 10 === 9) response.end(BODY);
    else held.push(response);
  });
  return await measured(server.origin, { window: { ns: 2e9 }, ...changes });
}

test('if one request in ten is answered, the others took longer than they had waited', async () => {
  const slice = await answeredByATenth();
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
  // Of all requests: the survivors have a mean of their own.
  expect(mean.ns).toBeGreaterThan(0.85 * 1.9e9);
  expect(survivors.count).toBe(ok);
  expect(survivors.meanNs).toBeLessThan(1e9);
});

test('if the others time out, nine in ten took longer than the time-out', async () => {
  const timeoutNs = 0.5e9;
  const slice = await answeredByATenth({ timeoutNs });
  expect(slice.measurement.window.timedOut).toBeGreaterThan(400);
  const { p2_5, p50, p99 } = latencyIn(slice, timeoutNs);
  expect(p2_5.kind).toBe('known');
  for (const each of [p50, p99]) expect(each).toEqual({ kind: 'above', ns: timeoutNs });
});

test('if there are too few connections, the dropped requests took longer than all others', async () => {
  // The ramp takes 225 of these places, the window the rest.
  const slice = await answeredByATenth({ connections: 400 });
  const { planned, dropped } = paceOf(slice);
  expect(dropped).toBeGreaterThan(planned / 2);
  expect(slice.measurement.window.ok).toBeLessThan(planned / 20);
  const { p50, mean } = latencyIn(slice);
  expect([p50.kind, mean.kind]).toEqual(['above', 'above']);
  expect(p50.ns).toBeGreaterThan(1e9);
});

const CONNECTIONS = 5;
/** How many requests of each connection are answered. */
const ANSWERS = 3;

/** Answers the first few requests of each connection; calls this once no more can come after those. */
function serveFew(pipelining: number, thenAllWait: (socket: { end(): void }) => void) {
  return serveByConnection((response, { socket }, count) => {
    if (count < ANSWERS) response.end(BODY);
    else if (count === ANSWERS + pipelining - 1) thenAllWait(socket);
  });
}

test('a contiguous overload with time-outs adds up, and every request without an answer has an age', async () => {
  const load = { connections: CONNECTIONS, pipelining: 4 };
  const places = CONNECTIONS * 4;
  await using server = await serveFew(4, () => {});
  const timeoutNs = 1e9;
  const changes = { ...load, ...AT_ONCE, timeoutNs, window: { ns: 1.6e9 }, drainCapNs: 0 };
  const slice = await measuredBy(closedOrder(server.origin, changes));
  const { window, windowNs, ledger } = slice.measurement;
  expect(window.timedOut).toBeGreaterThan(0);
  expect(window).toMatchObject({ disconnected: 0, wrongStatus: 0, wrongBody: 0 });
  expectWithin(window.ok, 1, (ANSWERS * (window.timedOut + places)) / load.pipelining);

  expect(answeredIn(slice).count).toBe(window.ok);
  const { lost, inFlight } = agesOf(slice.measurement);
  expect(lost.totalCount).toBe(window.timedOut);
  expect([inFlight.totalCount, inFlightAtClose(slice)]).toEqual([places, places]);
  expect(window.sent).toBe(window.ok + window.timedOut + places);
  for (const more of [ledger.sent, server.requests]) {
    expect(more).toBeGreaterThanOrEqual(window.sent);
  }
  // A time-out comes no earlier than it should, within the precision of timers.
  expect(lost.minNonZeroValue * 1000).toBeGreaterThan(0.99 * timeoutNs);
  for (const { maxValue } of [lost, inFlight]) expect(maxValue * 1000).toBeLessThan(windowNs);

  const { p2_5, p97_5, survivors } = latencyIn(slice, timeoutNs);
  expect([p2_5.kind, p97_5.kind]).toEqual(['known', 'above']);
  expect(p97_5.ns).toBeGreaterThan(0.99 * timeoutNs);
  expect(survivors.count).toBe(window.ok);
});

test.each([1, 4])(
  'requests that the server drops with their connection are as old as it held them for (-p %d)',
  async (pipelining) => {
    const heldMs = 60;
    await using server = await serveFew(pipelining, (socket) => {
      sleep(heldMs).then(() => socket.end());
    });
    const order = closedOrder(server.origin, { connections: CONNECTIONS, pipelining });
    const { measurement } = await measuredBy(order);
    const { window, ledger } = measurement;
    expectToAddUp(ledger);
    // What the server never answered can't be ok.
    expectWithin(ledger.ok, 1, ANSWERS * server.connections.size);
    const { lost, inFlight } = agesOf(measurement);
    expect(window.disconnected).toBeGreaterThan(0);
    expect(window).toMatchObject({ wrongStatus: 0, wrongBody: 0, timedOut: 0 });
    expect(lost.totalCount).toBe(window.disconnected);
    expect(lost.minNonZeroValue).toBeGreaterThan((heldMs - 2) * 1000);
    // In a closed loop every place is always taken, so as many requests end as are sent.
    expect(inFlight.totalCount).toBe(CONNECTIONS * pipelining);
    expect(window.sent).toBe(window.ok + window.disconnected);
    // No answer is taken for that to a request which was lost before.
    expect(latenciesOf(measurement).getValueAtPercentile(50)).toBeLessThan(heldMs * 1000);
  },
);

async function measuredBy(order: Order): Promise<Slice> {
  const cell = { cell: 'a/single/any', launch: 0, round: 0 };
  return { ...cell, startedNs: 0, handler: null, measurement: await shared.measure(order) };
}

/** The slice of an order at 500/s: every planned request is counted once, by what became of it, and has a time. */
async function measured(origin: string, changes: Partial<OpenOrder>): Promise<Slice> {
  const load = { ratePerS: RATE_PER_S, connections: PLENTY, timeoutNs: TIMEOUT_NS, drainCapNs: 0 };
  const slice = await measuredBy(openOrder(origin, { ...load, ...changes }));
  const { window, windowNs, ledger } = slice.measurement;
  expectToAddUp(ledger);
  const { planned, dropped, lateness } = paceOf(slice);
  const { lost, inFlight } = agesOf(slice.measurement);
  expect(Math.abs(planned - (windowNs / 1e9) * RATE_PER_S)).toBeLessThanOrEqual(1);
  expect(window).toMatchObject({ wrongStatus: 0, wrongBody: 0 });
  const ends = window.ok + window.timedOut + window.disconnected;
  expect(planned).toBe(ends + inFlight.totalCount + dropped);
  expect(answeredIn(slice).count).toBe(window.ok);
  expect(lost.totalCount).toBe(window.timedOut + window.disconnected);
  expect(pooled([lateness.histogram]).count).toBe(planned);
  return slice;
}

function known<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('the slice does not have it');
  return value;
}

function paceOf({ measurement: { pace } }: Slice) {
  return { ...known(pace), lateness: known(pace?.lateness) };
}

const answeredIn = (slice: Slice): Times => known(histogramOf([slice]));
const latencyIn = (slice: Slice, timeoutNs = TIMEOUT_NS) => {
  return known(latencyOf([slice], { kind: 'closed', method: 'contiguous', timeoutNs }));
};

function longerThan({ buckets }: Times, ms: number): number {
  return buckets.reduce((sum, [us, count]) => sum + (us > ms * 1000 ? count : 0), 0);
}
