import * as hdr from 'hdr-histogram-js';
import { describe, expect, test } from 'vitest';
import { messageOf } from '../../src/base/errors.ts';
import { startGenerator } from '../../src/load/generator.ts';
import type { Measurement } from '../../src/load/measurement.ts';
import { answersOf } from '../../src/load/measurement.ts';
import type { ClosedOrder } from '../../src/load/protocol.ts';
import { NO_LEAD_IN } from '../../src/plan/draw.ts';
import { allGone, isAlive } from '../../src/system/processes.ts';
import { running, SINGLE, startContext, startFixtures } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { agesOf } from '../support/make-record.ts';
import {
  ALL_ANSWERED,
  BODY,
  bytesOfResponse,
  closedOrder,
  closedPort,
  serveHere,
  untilLoaded,
} from './servers.ts';
import { carryOutBy, shareGenerator } from './shared-generator.ts';

const place = ownPlace();
/** Above the largest pid that Linux can give. */
const NOBODY = 2 ** 22 + 1;
const LONG = { window: { ns: 60e9 } };

/** It takes one order at a time, and lives as long as all tests but those that end it. */
const shared = shareGenerator(place);

const serveAll = () => serveHere((response) => response.end(BODY));

/** What an order on this server comes to, in which every request is accounted for. */
async function measured(
  server: { origin: string },
  changes: Partial<ClosedOrder> = {},
): Promise<Measurement> {
  const order = closedOrder(server.origin, changes);
  const measurement = await shared.measure(order);
  const { ledger, window } = measurement;
  const { sent, timedOut, disconnected, inFlight } = ledger;
  expect(sent).toBe(answersOf(ledger) + timedOut + disconnected + inFlight);
  expect(inFlight).toBeLessThanOrEqual(order.connections * order.pipelining);
  expect(latencies(measurement).totalCount).toBe(window.ok);
  const { lost, inFlight: waiting } = agesOf(measurement);
  expect(lost.totalCount).toBe(window.timedOut + window.disconnected);
  expect(waiting.totalCount).toBe(inFlight);
  return measurement;
}

test('one slice against a real server says what happened', async () => {
  await using guarded = startContext();
  await using ready = await startFixtures(['ok'], [SINGLE], guarded.context);
  const server = running(ready, 'ok/single');
  const beside = { manager: [guarded.guardian], harness: [process.pid], services: {} };
  const pids = { server: [...server.pids], ...beside };
  const measurement = await measured(server, { window: { ns: 0.3e9 }, pids });

  const { window, ledger, windowNs, halfway } = measurement;
  expect(window.ok).toBeGreaterThan(0);
  expect(window).toMatchObject({ wrongStatus: 0, wrongBody: 0, timedOut: 0, disconnected: 0 });
  expect(ledger.ok).toBeGreaterThanOrEqual(window.ok);
  expect(window.bytes).toBe(window.ok * (await bytesOfResponse(server.spec.port)));
  expect(latencies(measurement).maxValue).toBeLessThan(windowNs);
  expect(agesOf(measurement).inFlight.maxValue * 1000).toBeLessThan(windowNs);
  expect(windowNs).toBeGreaterThanOrEqual(0.299e9);
  expect(halfway?.ns).toBeGreaterThanOrEqual(0.15e9);
  expect(halfway?.ns).toBeLessThan(windowNs);
  expect(halfway?.ok).toBeGreaterThan(0);
  expect(halfway?.ok).toBeLessThan(window.ok);
  expect(measurement.cpu.server.cpuNs).toBeGreaterThan(1e6);
  expect(measurement.cpu.server.cpuNs).toBeLessThan(4 * windowNs);
  expect(measurement.cpu.generator.cpuNs).toBeGreaterThan(1e6);
  expect(measurement.memory.server).toBeGreaterThan(5e6);
  expect(measurement.memory.manager).toBeGreaterThan(5e6);
  expect(measurement).toMatchObject({ warmupCapped: false, drainCapped: false });
  expect(measurement.turns).toEqual({ all: 0, empty: 0, idleNs: 0 });
});

test('the ledger has exactly what the server has', async () => {
  const answered = 100;
  let count = 0;
  await using server = await serveHere((response) => {
    if (++count <= answered) response.end(BODY);
  });
  const { ledger } = await measured(server, { pipelining: 4, window: { ns: 0.5e9 } });
  const none = { wrongStatus: 0, wrongBody: 0, timedOut: 0, disconnected: 0 };
  expect(ledger).toEqual({ ...none, sent: answered + 40, ok: answered, inFlight: 40 });
  expect(server.requests).toBe(ledger.sent);
  expect(server.connections.size).toBe(10);
});

test('a wrong status is counted as such whatever the body, and so is a wrong body', async () => {
  let count = 0;
  await using server = await serveHere((response) => {
    if (++count % 3 === 0) response.statusCode = count % 2 === 0 ? 500 : 201;
    response.end(count % 6 === 0 ? BODY : 'Goodbye World!');
  });
  const { window } = await measured(server);
  expect(window.ok).toBe(0);
  expect(window.wrongStatus).toBeGreaterThan(0);
  expect(window.wrongBody).toBeGreaterThan(window.wrongStatus);
});

test.each([1, 4])(
  'requests lost with connections that the server closes are disconnected (-p %d)',
  async (pipelining) => {
    const answersOn = new WeakMap<object, number>();
    await using server = await serveHere((response, { socket }) => {
      const answers = (answersOn.get(socket) ?? 0) + 1;
      answersOn.set(socket, answers);
      response.end(BODY, () => {
        if (answers === 5) socket.end();
      });
    });
    const { ledger, window } = await measured(server, { pipelining });
    expect(server.connections.size).toBeGreaterThan(10);
    expect(window.ok).toBeGreaterThan(0);
    expect(ledger.disconnected).toBeGreaterThan(0);
    expect(ledger).toMatchObject({ wrongStatus: 0, wrongBody: 0, timedOut: 0 });
    // What the server never answered can't be ok.
    expect(ledger.ok).toBeLessThanOrEqual(server.requests);
    expect(ledger.ok).toBeLessThanOrEqual(5 * server.connections.size);
  },
);

describe('the window', () => {
  test('opens once all of 600 connections are answered', async () => {
    await using server = await serveAll();
    const { warmupCapped, windowNs, drainNs } = await measured(server, { connections: 600 });
    const openedMs = performance.now() - (windowNs + drainNs) / 1e6;
    expect(warmupCapped).toBe(false);
    expect(server.connections.size).toBe(600);
    for (const { firstAnswerMs } of server.connections.values()) {
      expect(firstAnswerMs).not.toBeNull();
      expect(firstAnswerMs).toBeLessThanOrEqual(openedMs);
    }
  });

  test('opens at its cap where not every connection is answered', async () => {
    const silent = new Set<object>();
    await using server = await serveHere((response, { socket }) => {
      if (silent.size === 0) silent.add(socket);
      if (!silent.has(socket)) response.end(BODY);
    });
    const opening = { ...ALL_ANSWERED, capNs: 0.2e9 };
    const { warmupCapped, warmupNs, ledger } = await measured(server, { opening });
    expect(warmupCapped).toBe(true);
    expect(warmupNs).toBeGreaterThanOrEqual(0.199e9);
    expect(ledger.inFlight).toBeGreaterThan(0);
  });
});

describe('an event loop that never sleeps', () => {
  test('takes no shorter turns than it is told to', async () => {
    await using server = await serveAll();
    const { turns, windowNs } = await measured(server, { turnNs: 5e6 });
    expect(turns.all).toBeGreaterThan(0);
    expect(turns.all).toBeLessThanOrEqual(windowNs / 5e6 + 1);
    expect(turns.idleNs).toBeGreaterThan(0);
    expect(turns.idleNs).toBeLessThanOrEqual(windowNs + 5e6);
  });

  test('has its turns counted', async () => {
    await using server = await serveAll();
    const { turns } = await measured(server, { turnNs: 0 });
    expect(turns.empty).toBeGreaterThan(0);
    expect(turns.empty).toBeLessThan(turns.all);
  });
});

describe('an order that comes to nothing says why, and the next one is carried out:', () => {
  test.each<[string, (server: { origin: string }) => Promise<unknown>, unknown]>([
    [
      'nobody listens',
      async () => shared.carryOut(closedOrder(`http://127.0.0.1:${await closedPort()}`)),
      { kind: 'refused' },
    ],
    [
      'nobody listens when the window opens at once',
      async () => {
        const origin = `http://127.0.0.1:${await closedPort()}`;
        return shared.carryOut(closedOrder(origin, { ...LONG, opening: { when: 'at once' } }));
      },
      { kind: 'refused' },
    ],
    [
      'a process of the server is gone',
      ({ origin }) => {
        const pids = { server: [NOBODY], manager: [], harness: [], services: {} };
        return shared.carryOut(closedOrder(origin, { pids }));
      },
      expect.objectContaining({ kind: 'failed' }),
    ],
    [
      'it is stopped before it began',
      ({ origin }) => shared.carryOut(closedOrder(origin, LONG), AbortSignal.abort()),
      { kind: 'stopped' },
    ],
    [
      'the generator can not read it',
      ({ origin }) => {
        const orders = [{ ...closedOrder(origin), requests: [] }];
        const interleaving = { orders, blocks: [[0]], leadIn: NO_LEAD_IN };
        return shared.generator.interleave(interleaving).catch(messageOf);
      },
      expect.stringMatching(/^the load generator failed: /),
    ],
  ])('%s', async (_why, carryOut, outcome) => {
    await using server = await serveAll();
    expect(await carryOut(server)).toEqual(outcome);
    expect((await measured(server)).window.ok).toBeGreaterThan(0);
  });

  test('it is stopped under way', async () => {
    await using server = await serveAll();
    const abort = new AbortController();
    const outcome = shared.carryOut(closedOrder(server.origin, LONG), abort.signal);
    await untilLoaded(server);
    abort.abort();
    expect(await outcome).toEqual({ kind: 'stopped' });
    expect((await measured(server)).window.ok).toBeGreaterThan(0);
  });
});

describe('a generator that ends under way rejects its order', () => {
  test('and leaves no process, where it is disposed of', async () => {
    await using server = await serveAll();
    const generator = await startGenerator(null);
    expect(place.processes().map(({ pid }) => pid)).toContain(generator.pid);
    const ended = carryOutBy(generator, closedOrder(server.origin, LONG)).catch(messageOf);
    await untilLoaded(server);
    await generator[Symbol.asyncDispose]();
    expect(isAlive(generator.pid)).toBe(false);
    expect(await ended).toBe('the load generator ended with SIGKILL');
  });

  test('and later ones, where it is killed', async () => {
    await using server = await serveAll();
    await using generator = await startGenerator(null);
    const ended = carryOutBy(generator, closedOrder(server.origin, LONG)).catch(messageOf);
    await untilLoaded(server);
    process.kill(generator.pid, 'SIGTERM');
    expect(await ended).toBe('the load generator ended with SIGTERM');
    expect(await allGone([generator.pid], 2000)).toBe(true);
    const later = carryOutBy(generator, closedOrder(server.origin)).catch(messageOf);
    expect(await later).toBe('the load generator ended with SIGTERM');
  });
});

function latencies({ latencyHistogram }: Measurement): hdr.Histogram {
  return hdr.decodeFromCompressedBase64(latencyHistogram);
}
