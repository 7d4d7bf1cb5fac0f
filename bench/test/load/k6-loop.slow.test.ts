import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Generator, startGenerator } from '../../src/load/generator.ts';
import type { Measurement } from '../../src/load/measurement.ts';
import type { OpenOrder } from '../../src/load/protocol.ts';
import { onPath } from '../../src/system/on-path.ts';
import { textExchange, unverifiedExchange } from '../../src/targets/exchange.ts';
import { on, start } from '../cli/harness.ts';
import { ownPlace } from '../support/leftovers.ts';
import {
  BODY,
  bytesOfResponse,
  carryOutBy,
  closedOrigin,
  expectedExchange,
  expectToAddUp,
  expectWithin,
  LONG,
  type LocalServer,
  latenciesOf,
  measuredIn,
  NEVER,
  openOrder,
  serveAll,
  serveHere,
  until,
  untilLoaded,
} from './servers.ts';

const place = ownPlace();
const RATE_PER_S = 200;
const DELAY_MS = 20;
/** How late k6 and this machine may make half of all requests. */
const AGREED_MS = 10;

describe('k6', () => {
  const isThere = onPath('k6');
  beforeEach(({ skip }) => skip(!isThere, 'k6 is not on the PATH'));

  // A machine that is busy with other tests holds k6 up for longer than it has room for, now and then.
  test('it agrees with the pacer on counts and latency', { retry: 2 }, async () => {
    const answerLate = async (driver: string) => {
      await using server = await serveHere((response) => {
        setTimeout(() => response.end(BODY), DELAY_MS);
      });
      // As many connections as requests: a busy machine that holds both up for a while drops none.
      const room = { connections: 4 * RATE_PER_S };
      const measurement = await measured(server, { driver, window: { ns: 2e9 }, ...room });
      const { window, pace } = measurement;
      expectAllSent(server, measurement);
      expectToAddUp(measurement.ledger);
      expect(pace).toMatchObject({ dropped: 0, planned: window.sent });
      expect(latenciesOf(measurement).totalCount).toBe(window.ok);
      return measurement;
    };
    const k6 = await answerLate('k6');
    const pacer = await answerLate('pacer');
    for (const { window, windowNs } of [k6, pacer]) {
      const planned = (RATE_PER_S * windowNs) / 1e9;
      // The edges of the window are the harness's, the count is k6's.
      expectWithin(window.sent, 0.95 * planned - 2, planned + 2);
      expectWithin(window.ok, 0.5 * planned, window.sent);
      expect(window).toMatchObject({ wrongStatus: 0, wrongBody: 0, timedOut: 0, disconnected: 0 });
    }
    // Of the quickest, which a busy machine did not hold up.
    const quickMs = (measurement: Measurement) => {
      return latenciesOf(measurement).getValueAtPercentile(2) / 1000;
    };
    expectWithin(quickMs(pacer), DELAY_MS - 1, DELAY_MS + AGREED_MS);
    expectWithin(quickMs(k6), DELAY_MS - 1, quickMs(pacer) + AGREED_MS);
    expect(k6.cpu.generator.cpuNs).toBeGreaterThan(1e6);
    expect(k6.cpu.server.cpuNs).toBeGreaterThan(1e6);
  });

  test('it counts what becomes of each request', { retry: 2 }, async () => {
    await using server = await serveHere((response, { socket }, count) => {
      const turn = count % 5;
      if (turn === 1) response.statusCode = 503;
      if (turn === 3) {
        response.writeHead(200, { 'content-length': 100 });
        response.write(BODY, () => socket.destroy());
      } else if (turn < 3) response.end(turn === 2 ? 'Goodbye World!' : BODY);
    });
    const measurement = await measured(server, { window: { ns: 2e9 }, timeoutNs: 0.2e9 });
    const { window, pace } = measurement;
    expectToAddUp(measurement.ledger);
    expectAllSent(server, measurement);
    const each = (measurement.windowNs / 1e9) * (RATE_PER_S / 5);
    for (const fate of ['ok', 'wrongStatus', 'wrongBody', 'disconnected'] as const) {
      expectWithin(window[fate], each - 10, each + 10);
    }
    // Those of the last 0.2 s are still in flight, unless this machine was busy.
    expectWithin(window.timedOut, 0.6 * each, 1.05 * each);
    expect(pace?.dropped).toBe(0);
    expect(latenciesOf(measurement).totalCount).toBe(window.ok);
  });

  test('it sends a mix in its order, goes on where it was, and counts the answers of each', async () => {
    const asked: string[] = [];
    await using server = await serveHere((response, { url = '' }) => {
      asked.push(url);
      if (url === '/none') response.writeHead(204);
      response.end(url === '/none' ? undefined : url === '/often' ? '한국어' : 'another');
    });
    const asks = { method: 'GET', path: '/none' } as const;
    const none = textExchange(asks, { status: 204, headers: {}, body: '' });
    const requests = [
      expectedExchange('한국어', '/often', 3),
      expectedExchange('Hello World!', '/wrong'),
      { ...unverifiedExchange(none), weight: 1 },
    ];
    const { requests: answers, window } = await measured(server, { requests, window: { ns: 2e9 } });
    const [often, wrong, empty] = answers;
    expect(answers).toHaveLength(3);
    expectWithin(often?.ok ?? 0, 2.8 * (empty?.ok ?? 0), 3.2 * (empty?.ok ?? 0));
    expect(empty?.ok).toBeGreaterThan(0);
    expect(wrong).toMatchObject({ ok: 0, wrongStatus: 0 });
    expect(window.ok).toBe((often?.ok ?? 0) + (empty?.ok ?? 0));
    expect(window.wrongBody).toBe(wrong?.wrongBody);
    // Several may be under way at a time, so their order is only about that of the mix.
    expect(new Set(asked.slice(0, 5))).toEqual(new Set(['/often', '/wrong', '/none']));
  });

  // Of an answer that comes after the window, since something held the machine up, k6 counts the bytes too.
  test('it tells the bytes of the window', { retry: 2 }, async () => {
    await using server = await serveAll();
    const { window } = await measured(server);
    expect(window.bytes).toBe(window.ok * (await bytesOfResponse(server.port)));
  });

  test('it drops what would exceed the connections, and then nobody knows how late it was', async () => {
    await using server = await serveHere(() => {});
    const measurement = await measured(server, { connections: 5 });
    const planned = 0.5 * RATE_PER_S;
    expect(measurement.ledger).toMatchObject({ sent: 5, inFlight: 5 });
    expect(measurement.window.sent).toBe(0);
    expect(measurement.pace).toEqual({ planned, dropped: planned, lost: 0, lateness: null });
    expect(server.connections.size).toBe(5);
  });

  test('it counts from the planned instant while the server stalls', async () => {
    const held: (() => void)[] = [];
    await using server = await serveHere((response) => {
      // The first of the window and those of the half second after it wait for its end.
      if (server.requests <= RATE_PER_S || server.requests > 1.5 * RATE_PER_S) response.end(BODY);
      else held.push(() => response.end(BODY));
      if (server.requests === 1.5 * RATE_PER_S) for (const answer of held) answer();
    });
    const measurement = await measured(server, { window: { ns: 1e9 }, connections: 1000 });
    expect(measurement.pace?.dropped).toBe(0);
    expect(latenciesOf(measurement).maxValue).toBeGreaterThan(450_000);
  });

  test.each(['is stopped', 'is disposed of', 'is killed'])(
    'a generator that %s leaves no k6',
    async (how) => {
      await using server = await serveAll();
      await using generator = await startGenerator(null);
      const stop = new AbortController();
      const outcome = carryOut(generator, server, LONG, stop.signal).catch(() => 'failed');
      await untilLoaded(server);
      expect(k6s()).toBe(1);
      if (how === 'is stopped') stop.abort();
      else if (how === 'is killed') process.kill(generator.pid, 'SIGKILL');
      else await generator[Symbol.asyncDispose]();
      expect(await outcome).toEqual(how === 'is stopped' ? { kind: 'stopped' } : 'failed');
      if (how === 'is stopped') await until(() => k6s() === 0, 5000);
      await generator[Symbol.asyncDispose]();
      // Whoever was killed is there until the system has come to it.
      await place.untilEmpty(5_000);
    },
  );

  test('a harness that is killed leaves no k6', async () => {
    const args = [...on(['ok'], 'single'), '--rate', '100', '--driver', 'k6', '-d', '60'];
    const harness = start(place, ['frameworks', ...args, '--launches', '1', '--contiguous']);
    await until(() => k6s() === 1, 30_000);
    await sleep(500);
    process.kill(harness.pid, 'SIGKILL');
    await harness.finished;
    await place.untilEmpty(10_000);
  });

  test('a server that refuses connections ends the order as such', async () => {
    await using generator = await startGenerator(null);
    const refusing = { origin: await closedOrigin() };
    expect(await carryOut(generator, refusing, {})).toEqual({ kind: 'refused' });
  });
});

function carryOut(
  generator: Generator,
  { origin }: Pick<LocalServer, 'origin'>,
  changes: Partial<OpenOrder>,
  stopped = NEVER,
) {
  const load = { driver: 'k6', ratePerS: RATE_PER_S, connections: 100, window: { ns: 0.5e9 } };
  return carryOutBy(generator, openOrder(origin, { ...load, ...changes }), stopped);
}

async function measured(
  server: LocalServer,
  changes: Partial<OpenOrder> = {},
): Promise<Measurement> {
  await using generator = await startGenerator(null);
  return measuredIn(await carryOut(generator, server, changes));
}

/** What is in flight at the end may be cut off before a busy server has read it. */
function expectAllSent(server: LocalServer, { ledger: { sent, inFlight } }: Measurement): void {
  expectWithin(server.requests, sent - inFlight - 2, sent);
}

/** How many k6 run in this file's place. */
function k6s(): number {
  return place.processes().filter(({ command }) => /(^|\/)k6 run/.test(command)).length;
}
