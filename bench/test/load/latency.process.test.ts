/** The latency of every request, answered or not, of a real server and generator. */
import { sum } from 'simple-statistics';
import { expect, test } from 'vitest';
import { histogramOf, latencyOf } from '../../src/figures/latency.ts';
import { pooled, type Times } from '../../src/figures/times.ts';
import { ownPlace } from '../support/leftovers.ts';
import { agesOf, makeSlice } from '../support/make-record.ts';
import { present } from '../support/summaries.ts';
import { expectWithin } from './expectations.ts';
import { shareGenerator } from './generators.ts';
import { AT_ONCE, closedOrder, openOrder } from './orders.ts';
import { startOdd } from './servers.ts';

const TIMEOUT_NS = 10e9;
const WINDOW = { ns: 2e9 };

const shared = shareGenerator(ownPlace());

// The machine may delay server or generator.
const TRIES = { retry: 2 };

test('a stall of 0.5 s delays 250 requests at 500/s, by 0.5 s down to 0', TRIES, async () => {
  await using server = await startOdd('stalls-once');
  // At 500/s the ramp has 250 requests. There is room for all of them: nothing is dropped.
  const room = { connections: 4000, timeoutNs: TIMEOUT_NS, drainCapNs: 0, window: WINDOW };
  const measurement = await shared.measure(openOrder(server.origin, { ratePerS: 500, ...room }));
  const { ok } = measurement.window;
  const { planned, lateness } = present(measurement.pace, 'plan');
  expect(pooled([present(lateness, 'lateness').histogram]).count).toBe(planned);
  const slices = [{ ...makeSlice(), measurement }];
  const answered = present(histogramOf(slices), 'histogram');
  expect(answered.count).toBe(ok);
  // None was dropped or lost.
  expect(agesOf(measurement).inFlight.totalCount).toBe(planned - ok);

  // Those planned in its first half wait for longer than 0.25 s; a busy machine takes a while to answer the rest, so
  // the median alone says that the others do not.
  expect(longerThan(answered, 250)).toBeGreaterThanOrEqual(124);
  expect(answered.most / 1000).toBeGreaterThan(490);
  // Of 1,000 requests a quarter was delayed, an eighth by more than 0.25 s, the slowest twentieth by more than 0.4 s.
  const load = { kind: 'closed', method: 'contiguous', timeoutNs: TIMEOUT_NS } as const;
  const { p50, p95, p99 } = present(latencyOf(slices, load), 'latency');
  expect([p50.kind, p95.kind]).toEqual(['known', 'known']);
  expect(p50.ns).toBeLessThan(0.25e9);
  expect(p95.ns).toBeGreaterThan(0.39e9);
  expect(p99.ns).toBeGreaterThan(0.47e9);
});

test('a closed loop hardly sees it: only the ten requests in flight wait', TRIES, async () => {
  await using server = await startOdd('stalls-once');
  const order = closedOrder(server.origin, { window: WINDOW, ...AT_ONCE });
  const slices = [{ ...makeSlice(), measurement: await shared.measure(order) }];
  expectWithin(longerThan(present(histogramOf(slices), 'histogram'), 450), 1, 10);
});

function longerThan({ buckets }: Times, ms: number): number {
  return sum(buckets.filter(([us]) => us > ms * 1000).map(([, requests]) => requests));
}
