import { setTimeout as sleep } from 'node:timers/promises';
import type { Histogram } from 'hdr-histogram-js';
import { expect, test } from 'vitest';
import { startGenerator } from '../../src/load/generator.ts';
import { Pacer } from '../../src/load/pacer.ts';
import { ownPlace } from '../support/leftovers.ts';
import {
  AT_ONCE,
  carryOutBy,
  closedOrder,
  latenciesOf,
  measuredIn,
  openOrder,
  startStalling,
} from './servers.ts';

const RATE_PER_S = 500;
const WINDOW_S = 10;
const CONNECTIONS = 10;
const STALL_AFTER_MS = 4000;

ownPlace();

test('an open loop sees a stall as its users do, and a closed loop does not', async () => {
  await using openServer = await startStalling(STALL_AFTER_MS);
  await using closedServer = await startStalling(STALL_AFTER_MS);
  const [open, closed] = await Promise.all([
    openLoop(openServer.origin),
    closedLoop(closedServer.origin),
  ]);
  const ms = (histogramUs: Histogram, percent: number) =>
    histogramUs.getValueAtPercentile(percent) / 1000;

  // Of 5,000 requests 500 fall into the stall, and wait from 1 s down to 0: a share of 0.1 (1 - t / 1 s) takes
  // longer than t. So p99 is 0.9 s and p95 0.5 s, a little less of a run that lasts longer, and more where
  // it takes long to answer all who waited.
  expect(ms(open, 99)).toBeGreaterThan(850);
  expect(ms(open, 95)).toBeGreaterThan(400);

  // Only the ten requests in flight have to wait, and the next are sent after the stall.
  expect(closed.totalCount).toBeGreaterThan(100 * CONNECTIONS);
  expect(ms(closed, 100)).toBeGreaterThan(950);
  expect(ms(closed, 99)).toBeLessThan(ms(open, 99) / 2);
});

/** The latencies of 10 s in an open loop, µs. */
async function openLoop(origin: string): Promise<Histogram> {
  const pacer = new Pacer(openOrder(origin, { ratePerS: RATE_PER_S, connections: 2000 }));
  await sleep(WINDOW_S * 1000);
  await pacer.stop();
  expect(pacer.broken.aborted).toBe(false);
  return pacer.total.latency;
}

/** The latencies of 10 s in a closed loop, µs. */
async function closedLoop(origin: string): Promise<Histogram> {
  await using generator = await startGenerator(null);
  const load = { connections: CONNECTIONS, window: { ns: WINDOW_S * 1e9 }, ...AT_ONCE };
  return latenciesOf(measuredIn(await carryOutBy(generator, closedOrder(origin, load))));
}
