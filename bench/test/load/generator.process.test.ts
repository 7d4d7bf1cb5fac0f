import * as hdr from 'hdr-histogram-js';
import { expect, test } from 'vitest';
import { messageOf } from '../../src/base/errors.ts';
import { SYSTEM_CLOCK } from '../../src/load/clock.ts';
import { type Generator, startGenerator } from '../../src/load/generator.ts';
import type { LedgerCounts } from '../../src/load/ledger.ts';
import type { Measurement } from '../../src/load/measurement.ts';
import type { ClosedOrder } from '../../src/load/protocol.ts';
import { measureTogether } from '../../src/load/together.ts';
import { NO_LEAD_IN } from '../../src/plan/draw.ts';
import { allGone, isAlive } from '../../src/system/processes.ts';
import { running, SINGLE, startContext, startFixtures } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import {
  ALL_ANSWERED,
  BODY,
  bytesOfResponse,
  closedOrder,
  closedPort,
  serveHere,
  untilLoaded,
} from './servers.ts';
import { shareGenerator } from './shared-generator.ts';

const place = ownPlace();
const NEVER = new AbortController().signal;
/** Above the largest pid that Linux can give. */
const NOBODY = 2 ** 22 + 1;

/** It takes one order at a time, and lives as long as all tests but those that end it. */
const shared = shareGenerator(place);

test('one slice against a real server says what happened', async () => {
  await using guarded = startContext();
  await using ready = await startFixtures(['ok'], [SINGLE], guarded.context);
  const server = running(ready, 'ok/single');
  const beside = { manager: [guarded.guardian], harness: [process.pid], services: {} };
  const pids = { server: [...server.pids], ...beside };
  const order = closedOrder(server.origin, { window: { ns: 0.3e9 }, pids });
  const measurement = await measured(shared.generator, order);

  const { window, ledger } = measurement;
  expect(window.ok).toBeGreaterThan(0);
  expect(window).toMatchObject({ wrongStatus: 0, wrongBody: 0, timedOut: 0, disconnected: 0 });
  expect(ledger.ok).toBeGreaterThanOrEqual(window.ok);
  expectToAddUp(ledger, order);
  expect(window.bytes).toBe(window.ok * (await bytesOfResponse(server.spec.port)));
  expect(latencies(measurement).totalCount).toBe(window.ok);
  expect(latencies(measurement).maxValue).toBeLessThan(measurement.windowNs);
  expect(measurement.windowNs).toBeGreaterThanOrEqual(0.299e9);
  expect(measurement.cpu.server.cpuNs).toBeGreaterThan(1e6);
  expect(measurement.cpu.server.cpuNs).toBeLessThan(4 * measurement.windowNs);
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
  const order = closedOrder(server.origin, { pipelining: 4, window: { ns: 0.5e9 } });
  const { ledger } = await measured(shared.generator, order);
  expect(ledger).toEqual({
    sent: answered + 10 * 4,
    ok: answered,
    wrongStatus: 0,
    wrongBody: 0,
    timedOut: 0,
    disconnected: 0,
    inFlight: 10 * 4,
  });
  expect(server.requests).toBe(ledger.sent);
  expect(server.connections.size).toBe(10);
});

test('wrong bodies are counted as such, and are no latency', async () => {
  await using server = await serveHere((response) => response.end('Goodbye World!'));
  const order = closedOrder(server.origin);
  const measurement = await measured(shared.generator, order);
  const { window, ledger } = measurement;
  expect(window).toMatchObject({ ok: 0, wrongStatus: 0 });
  expect(window.wrongBody).toBeGreaterThan(0);
  expectToAddUp(ledger, order);
  expect(latencies(measurement).totalCount).toBe(0);
});

test('a wrong status is counted as such, whatever the body', async () => {
  let count = 0;
  await using server = await serveHere((response) => {
    response.statusCode = count % 2 === 0 ? 500 : 201;
    response.end(count++ % 3 === 0 ? 'Goodbye World!' : BODY);
  });
  const order = closedOrder(server.origin);
  const measurement = await measured(shared.generator, order);
  expect(measurement.window).toMatchObject({ ok: 0, wrongBody: 0 });
  expect(measurement.window.wrongStatus).toBeGreaterThan(0);
  expectToAddUp(measurement.ledger, order);
  expect(latencies(measurement).totalCount).toBe(0);
});

test.each([1, 4])(
  'requests lost with connections that the server closes are disconnected (-p %d)',
  async (pipelining) => {
    const answersOf = new WeakMap<object, number>();
    await using server = await serveHere((response, { socket }) => {
      const answers = (answersOf.get(socket) ?? 0) + 1;
      answersOf.set(socket, answers);
      response.end(BODY, () => {
        if (answers === 5) socket.end();
      });
    });
    const order = closedOrder(server.origin, { pipelining });
    const { ledger, window } = await measured(shared.generator, order);
    expect(server.connections.size).toBeGreaterThan(2 * order.connections);
    expect(window.ok).toBeGreaterThan(0);
    expect(ledger.disconnected).toBeGreaterThan(0);
    expect(ledger).toMatchObject({ wrongStatus: 0, wrongBody: 0, timedOut: 0 });
    expectToAddUp(ledger, order);
    // What the server never answered can't be ok.
    expect(ledger.ok).toBeLessThanOrEqual(server.requests);
    expect(ledger.ok).toBeLessThanOrEqual(5 * server.connections.size);
  },
);

test('600 connections are all answered before the window opens', async () => {
  await using server = await serveHere((response) => response.end(BODY));
  const order = closedOrder(server.origin, { connections: 600 });
  const measurement = await measured(shared.generator, order);
  const repliedMs = performance.now();
  expect(measurement.warmupCapped).toBe(false);
  expect(server.connections.size).toBe(600);
  const openedMs = repliedMs - (measurement.windowNs + measurement.drainNs) / 1e6;
  for (const { firstAnswerMs } of server.connections.values()) {
    expect(firstAnswerMs).not.toBeNull();
    expect(firstAnswerMs).toBeLessThanOrEqual(openedMs);
  }
  expectToAddUp(measurement.ledger, order);
});

test('a window opens at its cap where not every connection is answered', async () => {
  const silent = new Set<object>();
  await using server = await serveHere((response, { socket }) => {
    if (silent.size === 0) silent.add(socket);
    if (!silent.has(socket)) response.end(BODY);
  });
  const order = closedOrder(server.origin, { opening: { ...ALL_ANSWERED, capNs: 0.2e9 } });
  const measurement = await measured(shared.generator, order);
  expect(measurement.warmupCapped).toBe(true);
  expect(measurement.warmupNs).toBeGreaterThanOrEqual(0.199e9);
  expect(measurement.ledger.inFlight).toBeGreaterThan(0);
  expectToAddUp(measurement.ledger, order);
});

test('a refusing port is answered with `refused`', async () => {
  const origin = `http://127.0.0.1:${await closedPort()}`;
  const order = closedOrder(origin, { window: { ns: 30e9 } });
  expect(await measureTogether([shared.generator], order, NEVER, SYSTEM_CLOCK)).toEqual({
    kind: 'refused',
  });
  const atOnce = closedOrder(origin, { window: { ns: 30e9 }, opening: { when: 'at once' } });
  expect(await measureTogether([shared.generator], atOnce, NEVER, SYSTEM_CLOCK)).toEqual({
    kind: 'refused',
  });
});

test('an abort is answered with `stopped`, and the generator takes the next order', async () => {
  await using server = await serveHere((response) => response.end(BODY));
  const abort = new AbortController();
  const reply = measureTogether(
    [shared.generator],
    closedOrder(server.origin, { window: { ns: 60e9 } }),
    abort.signal,
    SYSTEM_CLOCK,
  );
  await untilLoaded(server);
  abort.abort();
  expect(await reply).toEqual({ kind: 'stopped' });
  const early = AbortSignal.abort();
  expect(
    await measureTogether(
      [shared.generator],
      closedOrder(server.origin, { window: { ns: 60e9 } }),
      early,
      SYSTEM_CLOCK,
    ),
  ).toEqual({
    kind: 'stopped',
  });
  expect((await measured(shared.generator, closedOrder(server.origin))).window.ok).toBeGreaterThan(
    0,
  );
});

test('halfway is half of the window, with about as many answers before as after it', async () => {
  await using server = await serveHere((response) => response.end(BODY));
  const order = closedOrder(server.origin, { window: { ns: 0.3e9 } });
  const { halfway, window, windowNs } = await measured(shared.generator, order);
  expect(halfway?.ns).toBeGreaterThanOrEqual(0.15e9);
  expect(halfway?.ns).toBeLessThan(windowNs);
  expect(halfway?.ok).toBeGreaterThan(0);
  expect(halfway?.ok).toBeLessThan(window.ok);
});

test('an event loop that never sleeps takes no shorter turns than it is told to', async () => {
  await using server = await serveHere((response) => response.end(BODY));
  const order = closedOrder(server.origin, { turnNs: 5e6, window: { ns: 2e8 } });
  const { turns, windowNs } = await measured(shared.generator, order);
  expect(turns.all).toBeGreaterThan(0);
  expect(turns.all).toBeLessThanOrEqual(windowNs / 5e6 + 1);
  expect(turns.idleNs).toBeGreaterThan(0);
  expect(turns.idleNs).toBeLessThanOrEqual(windowNs + 5e6);
});

test('the turns of an event loop that never sleeps are counted', async () => {
  await using server = await serveHere((response) => response.end(BODY));
  const { turns } = await measured(shared.generator, closedOrder(server.origin, { turnNs: 0 }));
  expect(turns.all).toBeGreaterThan(0);
  expect(turns.empty).toBeGreaterThan(0);
  expect(turns.empty).toBeLessThan(turns.all);
});

test('a server process that is gone is an answer, not a crash', async () => {
  await using server = await serveHere((response) => response.end(BODY));
  const pids = { server: [NOBODY], manager: [], harness: [], services: {} };
  expect(
    await measureTogether(
      [shared.generator],
      closedOrder(server.origin, { pids }),
      NEVER,
      SYSTEM_CLOCK,
    ),
  ).toMatchObject({
    kind: 'failed',
  });
  expect((await measured(shared.generator, closedOrder(server.origin))).window.ok).toBeGreaterThan(
    0,
  );
});

test('an order that the generator can not read is told of, and the next one is carried out', async () => {
  await using server = await serveHere((response) => response.end(BODY));
  const unreadable = { ...closedOrder(server.origin), requests: [] };
  const unreadably = { orders: [unreadable], blocks: [[0]], leadIn: NO_LEAD_IN };
  await expect(shared.generator.interleave(unreadably)).rejects.toThrow(
    /^the load generator failed: /,
  );
  expect((await measured(shared.generator, closedOrder(server.origin))).window.ok).toBeGreaterThan(
    0,
  );
});

test('disposing of a generator under way leaves no process, and its order rejects', async () => {
  await using server = await serveHere((response) => response.end(BODY));
  const generator = await startGenerator(null);
  expect(place.processes().map(({ pid }) => pid)).toContain(generator.pid);
  const ended = rejection(
    measureTogether(
      [generator],
      closedOrder(server.origin, { window: { ns: 60e9 } }),
      NEVER,
      SYSTEM_CLOCK,
    ),
  );
  await untilLoaded(server);
  await generator[Symbol.asyncDispose]();
  expect(isAlive(generator.pid)).toBe(false);
  expect(await ended).toBe('the load generator ended with SIGKILL');
});

test('a generator that is killed rejects its order, and later ones', async () => {
  await using server = await serveHere((response) => response.end(BODY));
  await using generator = await startGenerator(null);
  const ended = rejection(
    measureTogether(
      [generator],
      closedOrder(server.origin, { window: { ns: 60e9 } }),
      NEVER,
      SYSTEM_CLOCK,
    ),
  );
  await untilLoaded(server);
  process.kill(generator.pid, 'SIGTERM');
  expect(await ended).toBe('the load generator ended with SIGTERM');
  expect(await allGone([generator.pid], 2000)).toBe(true);
  expect(
    await rejection(measureTogether([generator], closedOrder(server.origin), NEVER, SYSTEM_CLOCK)),
  ).toBe('the load generator ended with SIGTERM');
});

/** What this is rejected with. */
async function rejection(promise: Promise<unknown>): Promise<string> {
  return promise.then(() => 'it was not rejected', messageOf);
}

async function measured(generator: Generator, order: ClosedOrder): Promise<Measurement> {
  const outcome = await measureTogether([generator], order, NEVER, SYSTEM_CLOCK);
  if (outcome.kind === 'measured') return outcome.measurement;
  throw new Error(`the generator answered ${JSON.stringify(outcome)}`);
}

function expectToAddUp(ledger: LedgerCounts, { connections, pipelining }: ClosedOrder): void {
  const { sent, ok, wrongStatus, wrongBody, timedOut, disconnected, inFlight } = ledger;
  expect(sent).toBe(ok + wrongStatus + wrongBody + timedOut + disconnected + inFlight);
  expect(Math.min(...Object.values(ledger))).toBeGreaterThanOrEqual(0);
  expect(inFlight).toBeLessThanOrEqual(connections * pipelining);
}

function latencies({ latencyHistogram }: Measurement): hdr.Histogram {
  return hdr.decodeFromCompressedBase64(latencyHistogram);
}
