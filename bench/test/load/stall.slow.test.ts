import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import * as hdr from 'hdr-histogram-js';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { HOST } from '../../src/launch/server.ts';
import { SYSTEM_CLOCK } from '../../src/load/clock.ts';
import { startGenerator } from '../../src/load/generator.ts';
import { Pacer } from '../../src/load/pacer.ts';
import { measureTogether } from '../../src/load/together.ts';
import { ownPlace } from '../support/leftovers.ts';
import { closedOrder } from './servers.ts';

const SERVER = join(import.meta.dirname, 'stalling-server.ts');
const RATE_PER_S = 500;
const WINDOW_S = 20;
const CONNECTIONS = 10;
/** Time to answer all who waited once the stall is over, at the most: on an idle machine it takes 0.2 s. */
const CATCH_UP_MS = 1000;

ownPlace();

test('an open loop sees a stall as its users do, and a closed loop does not', async () => {
  await using openServer = await startServer();
  await using closedServer = await startServer();
  const [open, closed] = await Promise.all([
    openLoop(openServer.origin),
    closedLoop(closedServer.origin),
  ]);
  const ms = (histogramUs: hdr.Histogram, percent: number) =>
    histogramUs.getValueAtPercentile(percent) / 1000;

  // Of 10,000 requests 1,000 fall into the stall, and wait from 2 s down to 0: a share of 0.1 (1 - t / 2 s)
  // takes longer than t. So p99 is 1.8 s, p95 1 s, p90 0. As they are answered in order, the catching-up
  // adds a tenth of its length to p99, half to p95, all to p90; a run longer by 1 % makes p95 10 ms less.
  expect(open.totalCount).toBeGreaterThan(0.99 * RATE_PER_S * WINDOW_S);
  expectWithin(ms(open, 99), 1780, 1800 + 0.1 * CATCH_UP_MS);
  expectWithin(ms(open, 95), 950, 1000 + 0.5 * CATCH_UP_MS);
  expectWithin(ms(open, 90), 0, CATCH_UP_MS);

  // Only the ten requests under way have to wait, and the next are sent after the stall.
  expect(closed.totalCount).toBeGreaterThan(100 * CONNECTIONS);
  expect(ms(closed, 100)).toBeGreaterThan(1900);
  expect(ms(closed, 99)).toBeLessThan(ms(open, 99) / 5);
});

/** The latencies of 20 s in an open loop, µs. */
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

/** The latencies of 20 s in a closed loop, µs. */
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

async function startServer() {
  const child = execa(process.execPath, [SERVER], { stderr: 'inherit', reject: false });
  const [port] = await child
    .iterable()
    [Symbol.asyncIterator]()
    .next()
    .then(({ value }) => [value]);
  return {
    origin: `http://${HOST}:${z.coerce.number().int().positive().parse(port)}`,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await child;
    },
  };
}

function expectWithin(value: number, least: number, most: number): void {
  expect(value).toBeGreaterThanOrEqual(least);
  expect(value).toBeLessThanOrEqual(most);
}
