import { setTimeout as sleep } from 'node:timers/promises';
import * as hdr from 'hdr-histogram-js';
import { expect, test } from 'vitest';
import { SYSTEM_CLOCK } from '../../src/load/clock.ts';
import { startGenerator } from '../../src/load/generator.ts';
import { Pacer } from '../../src/load/pacer.ts';
import { measureTogether } from '../../src/load/together.ts';
import { ownPlace } from '../support/leftovers.ts';
import { closedOrder, startStalling } from './servers.ts';

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
  const ms = (histogramUs: hdr.Histogram, percent: number) =>
    histogramUs.getValueAtPercentile(percent) / 1000;

  // Of 5,000 requests 500 fall into the stall, and wait from 1 s down to 0: a share of 0.1 (1 - t / 1 s) takes
  // longer than t. So p99 is 0.9 s and p95 0.5 s, a little less of a run that lasts longer, and more where
  // it takes long to answer all who waited.
  expect(ms(open, 99)).toBeGreaterThan(850);
  expect(ms(open, 95)).toBeGreaterThan(400);

  // Only the ten requests under way have to wait, and the next are sent after the stall.
  expect(closed.totalCount).toBeGreaterThan(100 * CONNECTIONS);
  expect(ms(closed, 100)).toBeGreaterThan(950);
  expect(ms(closed, 99)).toBeLessThan(ms(open, 99) / 2);
});

/** The latencies of 10 s in an open loop, µs. */
async function openLoop(origin: string): Promise<hdr.Histogram> {
  const { requests } = closedOrder(origin);
  const pacer = new Pacer(
    {
      origin,
      requests,
      ratePerS: RATE_PER_S,
      connections: 2000,
      leastConnections: 1,
      timeoutNs: 10e9,
      neverSleep: false,
    },
    { onRefused: () => pacer.stop() },
  );
  await sleep(WINDOW_S * 1000);
  await pacer.stop();
  return pacer.total.latency;
}

/** The latencies of 10 s in a closed loop, µs. */
async function closedLoop(origin: string): Promise<hdr.Histogram> {
  await using generator = await startGenerator(null);
  const order = closedOrder(origin, {
    timeoutNs: 10e9,
    connections: CONNECTIONS,
    window: { ns: WINDOW_S * 1e9 },
    opening: { when: 'at once' },
  });
  const outcome = await measureTogether(
    [generator],
    order,
    new AbortController().signal,
    SYSTEM_CLOCK,
  );
  if (outcome.kind !== 'measured') throw new Error(`the closed loop ended as ${outcome.kind}`);
  return hdr.decodeFromCompressedBase64(outcome.measurement.latencyHistogram);
}
