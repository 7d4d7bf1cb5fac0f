/** The latency of every request, answered or not, of a real server and generator. */
import { expect, test } from 'vitest';
import { histogramOf, latencyOf } from '../../src/figures/latency.ts';
import { pooled, type Times } from '../../src/figures/times.ts';
import { HOST } from '../../src/launch/server.ts';
import type { Order } from '../../src/load/protocol.ts';
import type { Slice } from '../../src/record/record.ts';
import { ownPlace } from '../support/leftovers.ts';
import { agesOf } from '../support/make-record.ts';
import {
  AT_ONCE,
  BODY,
  closedOrder,
  expectToAddUp,
  expectWithin,
  openOrder,
  shareGenerator,
  startServer,
} from './servers.ts';

const TIMEOUT_NS = 10e9;

const shared = shareGenerator(ownPlace());

// The machine may delay server or generator.
const TRIES = { retry: 2 };

/**
 * Answers after a few ms, so that a closed loop leaves the machine to others. But once, at its 400th request, it does
 * nothing at all for 0.5 s; all connections that are opened meanwhile have room. At 500/s the ramp has 250 requests.
 */
const STALLING = `
  let requests = 0;
  const server = require('node:http').createServer((_request, response) => {
    if (++requests === 400) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    setTimeout(() => response.end('${BODY}'), 5);
  });
  server.listen({ port: 0, host: '${HOST}', backlog: 4096 }, () => {
    console.log(server.address().port);
  });`;
const STALLED = { window: { ns: 2e9 } };

test('a stall of 0.5 s delays 250 requests at 500/s, by 0.5 s down to 0', TRIES, async () => {
  await using server = await startServer(STALLING);
  // Room for all requests: nothing is dropped.
  const load = { ratePerS: 500, connections: 4000, timeoutNs: TIMEOUT_NS, drainCapNs: 0 };
  const slice = await measuredBy(openOrder(server.origin, { ...load, ...STALLED }));
  const { ledger, window, windowNs, pace } = slice.measurement;
  expectToAddUp(ledger);
  const { planned, dropped, lateness } = known(pace);
  expect(Math.abs(planned - (windowNs / 1e9) * 500)).toBeLessThanOrEqual(1);
  expect(pooled([known(lateness).histogram]).count).toBe(planned);
  const { wrongStatus, wrongBody, timedOut, disconnected } = window;
  expect([dropped, wrongStatus, wrongBody, timedOut, disconnected]).toEqual([0, 0, 0, 0, 0]);
  const answered = answeredIn(slice);
  expect(answered.count).toBe(window.ok);
  expect(agesOf(slice.measurement).inFlight.totalCount).toBe(planned - window.ok);

  // Those planned in its first half wait for longer than 0.25 s; a busy machine takes a while to answer the rest, so
  // the median alone says that the others do not.
  expect(longerThan(answered, 250)).toBeGreaterThanOrEqual(124);
  expect(answered.most / 1000).toBeGreaterThan(490);
  // Of 1,000 requests a quarter was delayed, an eighth by more than 0.25 s, the slowest twentieth by more than 0.4 s.
  const { p50, p95, p99 } = latencyIn(slice);
  expect([p50.kind, p95.kind]).toEqual(['known', 'known']);
  expect(p50.ns).toBeLessThan(0.25e9);
  expect(p95.ns).toBeGreaterThan(0.39e9);
  expect(p99.ns).toBeGreaterThan(0.47e9);
});

test('a closed loop hardly sees it: only the ten requests in flight wait', TRIES, async () => {
  await using server = await startServer(STALLING);
  const slice = await measuredBy(closedOrder(server.origin, { ...STALLED, ...AT_ONCE }));
  expectWithin(longerThan(answeredIn(slice), 450), 1, 10);
});

async function measuredBy(order: Order): Promise<Slice> {
  const cell = { cell: 'a/single/any', launch: 0, round: 0 };
  return { ...cell, startedNs: 0, handler: null, measurement: await shared.measure(order) };
}

function known<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('the slice does not have it');
  return value;
}

const answeredIn = (slice: Slice): Times => known(histogramOf([slice]));
const latencyIn = (slice: Slice, timeoutNs = TIMEOUT_NS) => {
  return known(latencyOf([slice], { kind: 'closed', method: 'contiguous', timeoutNs }));
};

function longerThan({ buckets }: Times, ms: number): number {
  return buckets.reduce((sum, [us, count]) => sum + (us > ms * 1000 ? count : 0), 0);
}
