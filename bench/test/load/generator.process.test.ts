import { describe, expect, test } from 'vitest';
import { messageOf } from '../../src/base/errors.ts';
import { startGenerator } from '../../src/load/generator.ts';
import { answersOf, type Measurement } from '../../src/load/measurement.ts';
import type { ClosedOrder, Reply } from '../../src/load/protocol.ts';
import { NO_LEAD_IN } from '../../src/plan/draw.ts';
import { allGone, isAlive } from '../../src/system/processes.ts';
import { running, SINGLE, startFixtures } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { agesOf } from '../support/make-record.ts';
import {
  ALL_ANSWERED,
  AT_ONCE,
  BODY,
  bytesOfResponse,
  carryOutBy,
  closedOrder,
  closedOrigin,
  expectToAddUp,
  expectWithin,
  LONG,
  latenciesOf,
  ledgerOf,
  pidsOf,
  serveAll,
  serveByConnection,
  serveHere,
  shareGenerator,
  untilLoaded,
} from './servers.ts';

const place = ownPlace();
/** It takes one order at a time, and lives as long as all tests but those that end it. */
const shared = shareGenerator(place);

/** What an order on this server comes to, in which every request is accounted for. */
async function measured(
  server: { origin: string },
  changes: Partial<ClosedOrder> = {},
): Promise<Measurement> {
  const order = closedOrder(server.origin, changes);
  const measurement = await shared.measure(order);
  const { ledger, window } = measurement;
  expectToAddUp(ledger);
  expect(ledger.inFlight).toBeLessThanOrEqual(order.connections * order.pipelining);
  expect(latenciesOf(measurement).totalCount).toBe(window.ok);
  const { lost, inFlight } = agesOf(measurement);
  expect(lost.totalCount).toBe(window.timedOut + window.disconnected);
  expect(inFlight.totalCount).toBe(ledger.inFlight);
  return measurement;
}

test('one slice against a real server says what happened', async () => {
  await using ready = await startFixtures(['ok'], [SINGLE]);
  const server = running(ready, 'ok/single');
  const beside = { manager: [ready.guardian], harness: [process.pid] };
  const pids = { ...pidsOf(...server.pids), ...beside };
  const measurement = await measured(server, { window: { ns: 0.3e9 }, pids });

  const { window, ledger, windowNs, halfway, cpu, memory } = measurement;
  expect(window).toMatchObject({ wrongStatus: 0, wrongBody: 0, timedOut: 0, disconnected: 0 });
  expectWithin(window.ok, 1, ledger.ok);
  expect(window.bytes).toBe(window.ok * (await bytesOfResponse(server.spec.port)));
  expect(latenciesOf(measurement).maxValue).toBeLessThan(windowNs);
  expect(agesOf(measurement).inFlight.maxValue * 1000).toBeLessThan(windowNs);
  expect(windowNs).toBeGreaterThanOrEqual(0.299e9);
  expectWithin(halfway?.ns, 0.15e9, windowNs - 1);
  expectWithin(halfway?.ok, 1, window.ok - 1);
  expectWithin(cpu.server.cpuNs, 1e6, 4 * windowNs);
  for (const more of [memory.server, memory.manager, 5 * cpu.generator.cpuNs]) {
    expect(more).toBeGreaterThan(5e6);
  }
  expect(measurement).toMatchObject({ warmupCapped: false, drainCapped: false });
  expect(measurement.turns).toEqual({ all: 0, empty: 0, idleNs: 0 });
});

test('the ledger has exactly what the server has', async () => {
  await using server = await serveHere((response, _request, count) => {
    if (count < 100) response.end(BODY);
  });
  const { ledger } = await measured(server, { pipelining: 4, window: { ns: 0.5e9 } });
  expect(ledger).toEqual(ledgerOf({ ok: 100, inFlight: 40 }));
  expect(server.requests).toBe(ledger.sent);
  expect(server.connections.size).toBe(10);
});

test.each([1, 4])(
  'requests lost with connections that the server closes are disconnected (-p %d)',
  async (pipelining) => {
    await using server = await serveByConnection((response, { socket }, count) => {
      response.end(BODY, () => {
        if (count === 4) socket.end();
      });
    });
    const { ledger, window } = await measured(server, { pipelining });
    expect(server.connections.size).toBeGreaterThan(10);
    expect(window.ok).toBeGreaterThan(0);
    expect(ledger.disconnected).toBeGreaterThan(0);
    expect(ledger).toMatchObject({ wrongStatus: 0, wrongBody: 0, timedOut: 0 });
    // What the server never answered can't be ok.
    expectWithin(ledger.ok, 1, Math.min(server.requests, 5 * server.connections.size));
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
      expect(firstAnswerMs ?? Infinity).toBeLessThanOrEqual(openedMs);
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

test('an event loop that never sleeps has its turns counted, none shorter than it is told', async () => {
  await using server = await serveAll();
  const { turns: long, windowNs } = await measured(server, { turnNs: 5e6 });
  expectWithin(long.all, 1, windowNs / 5e6 + 1);
  expectWithin(long.idleNs, 1, windowNs + 5e6);
  const { turns: short } = await measured(server, { turnNs: 0 });
  expectWithin(short.empty, 1, short.all - 1);
});

describe('an order that comes to nothing says why, and the next one is carried out:', () => {
  const refused = async (changes: Partial<ClosedOrder>) => {
    return shared.carryOut(closedOrder(await closedOrigin(), changes));
  };
  const failed = { kind: 'failed', message: expect.stringMatching(/\S/) };
  const unreadable = (origin: string) => {
    const orders = [{ ...closedOrder(origin), requests: [] }];
    const interleaving = { orders, blocks: [[0]], leadIn: NO_LEAD_IN };
    return shared.generator.ask({ kind: 'interleave', interleaving });
  };

  test.each<[string, (origin: string) => Promise<Reply>, unknown]>([
    ['nobody listens', () => refused({}), { kind: 'refused' }],
    [
      'nobody listens when the window opens at once',
      () => refused({ ...LONG, ...AT_ONCE }),
      { kind: 'refused' },
    ],
    [
      'a process of the server is gone',
      // Above the largest pid that Linux can give.
      (origin) => shared.carryOut(closedOrder(origin, { pids: pidsOf(2 ** 22 + 1) })),
      failed,
    ],
    [
      'it is stopped before it began',
      (origin) => shared.carryOut(closedOrder(origin, LONG), AbortSignal.abort()),
      { kind: 'stopped' },
    ],
    ['the generator can not read it', unreadable, failed],
  ])('%s', async (_why, carryOut, reply) => {
    await using server = await serveAll();
    expect(await carryOut(server.origin)).toEqual(reply);
    expect((await measured(server)).window.ok).toBeGreaterThan(0);
  });

  test('it is stopped under way', async () => {
    await using server = await serveAll();
    const abort = new AbortController();
    const reply = shared.carryOut(closedOrder(server.origin, LONG), abort.signal);
    await untilLoaded(server);
    abort.abort();
    expect(await reply).toEqual({ kind: 'stopped' });
    expect(answersOf((await measured(server)).window)).toBeGreaterThan(0);
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
    const order = closedOrder(server.origin, LONG);
    const ended = carryOutBy(generator, order).catch(messageOf);
    await untilLoaded(server);
    process.kill(generator.pid, 'SIGTERM');
    expect(await ended).toBe('the load generator ended with SIGTERM');
    expect(await allGone([generator.pid], 2000)).toBe(true);
    const later = await carryOutBy(generator, order).catch(messageOf);
    expect(later).toBe('the load generator ended with SIGTERM');
  });
});
