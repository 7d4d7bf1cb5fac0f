import { describe, expect, test } from 'vitest';
import { messageOf } from '../../src/base/errors.ts';
import { now } from '../../src/load/clock.ts';
import { startGenerator } from '../../src/load/generator.ts';
import type { BatchWindow, ClosedOrder } from '../../src/load/protocol.ts';
import { running, startFixtures } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { agesOf } from '../support/make-record.ts';
import { SINGLE } from '../support/topologies.ts';
import { bytesOfResponse, expectToAddUp, expectWithin, ledgerOf, until } from './expectations.ts';
import { carryOutBy, latenciesOf, shareGenerator } from './generators.ts';
import { ALL_ANSWERED, AT_ONCE, closedOrder, GONE, LONG, pidsOf } from './orders.ts';
import { BODY, closedOrigin, serveByConnection, serveHere } from './servers.ts';

const place = ownPlace();
/** It takes one order at a time, and lives as long as all tests but those that end it. */
const shared = shareGenerator(place);

/** The measurement of an order on this server, in which every request is accounted for. */
async function measured({ origin }: { origin: string }, changes: Partial<ClosedOrder> = {}) {
  const order = closedOrder(origin, changes);
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

test('a slice of a real server is measured', async () => {
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
  const turns = { all: 0, empty: 0, idleNs: 0 };
  expect(measurement).toMatchObject({ warmupCapped: false, turns });
});

describe('the window', () => {
  test('opens once all of 600 connections are answered', async () => {
    const firstAnswersNs: number[] = [];
    await using server = await serveByConnection((response, _request, count) => {
      if (count === 0) response.once('finish', () => firstAnswersNs.push(now()));
      response.end(BODY);
    });
    const { warmupCapped, openedNs } = await measured(server, { connections: 600 });
    expect(warmupCapped).toBe(false);
    expect(server.connections.size).toBe(600);
    expect(firstAnswersNs).toHaveLength(600);
    expect(Math.max(...firstAnswersNs)).toBeLessThanOrEqual(openedNs);
  });

  test('opens at its cap if not every connection is answered', async () => {
    const silent = new Set<object>();
    await using server = await serveHere((response, { socket }) => {
      if (silent.size === 0) silent.add(socket);
      if (!silent.has(socket)) response.end(BODY);
    });
    const opening = { ...ALL_ANSWERED, capNs: 0.2e9 };
    const startedNs = now();
    const { warmupCapped, openedNs, ledger } = await measured(server, { opening });
    expect(warmupCapped).toBe(true);
    expect(openedNs - startedNs).toBeGreaterThanOrEqual(0.199e9);
    expect(ledger.inFlight).toBeGreaterThan(0);
  });
});

test.each([
  ['timedOut', 4, 1000],
  ['disconnected', 4, 60],
  ['disconnected', 1, 60],
] as const)(
  'requests counted as %s have waited, and their places are taken again (-p %d)',
  async (ending, pipelining, waitedMs) => {
    const isCut = ending === 'disconnected';
    const answered = 3;
    await using server = await serveByConnection((response, { socket }, count) => {
      const isLast = count === answered + pipelining - 1;
      if (count < answered) response.end(BODY);
      else if (isCut && isLast) setTimeout(() => socket.end(), waitedMs);
    });
    const overload = { ...AT_ONCE, timeoutNs: 1e9, window: { ns: 1.6e9 }, drainCapNs: 0 };
    const load = { connections: 5, pipelining, ...(isCut ? {} : overload) };
    const measurement = await measured(server, load);
    const { window, ledger } = measurement;
    expect(window[ending]).toBeGreaterThan(0);
    // What the server never answered can't be ok.
    expectWithin(ledger.ok, 1, answered * server.connections.size);
    // In a closed loop every place is always taken.
    const places = 5 * pipelining;
    const { ok, [ending]: lost } = ledger;
    expect(ledger).toEqual(ledgerOf({ ok, [ending]: lost, inFlight: places }));
    expect(window.sent).toBe(window.ok + window[ending] + (isCut ? 0 : places));
    // Within the precision of timers.
    expect(agesOf(measurement).lost.minNonZeroValue).toBeGreaterThan((waitedMs - 4) * 1000);
    // No answer is taken for that to a request which was lost before.
    expect(latenciesOf(measurement).getValueAtPercentile(50)).toBeLessThan(waitedMs * 1000);
  },
);

test('the turns of an event loop that never sleeps are counted, and last as long as they should', async () => {
  await using server = await serveHere();
  const { turns: long, windowNs } = await measured(server, { turnNs: 5e6 });
  expectWithin(long.all, 1, windowNs / 5e6 + 1);
  expectWithin(long.idleNs, 1, windowNs + 5e6);
  const { turns: short } = await measured(server, { turnNs: 0 });
  expectWithin(short.empty, 1, short.all - 1);
});

test.each([
  ['nobody listens', { ...LONG, ...AT_ONCE }, 'refused'],
  ['a process of the server is gone', { pids: GONE }, 'failed'],
  ['the generator can not parse it', { requests: [] }, 'failed'],
])('what ends an order is told, and the next one is carried out: %s', async (_, parts, kind) => {
  await using server = await serveHere();
  const origin = kind === 'refused' ? await closedOrigin() : server.origin;
  const message = kind === 'failed' ? { message: expect.stringMatching(/\S/) } : {};
  expect(await shared.carryOut(closedOrder(origin, parts))).toEqual({ kind, ...message });
  expect((await measured(server)).window.ok).toBeGreaterThan(0);
});

test('a generator that is ended rejects all orders, and is gone', async () => {
  await using server = await serveHere();
  await using generator = await startGenerator(null);
  expect(place.processes()).toHaveLength(1);
  const order = closedOrder(server.origin, LONG);
  const ended = carryOutBy(generator, order).catch(messageOf);
  await until(() => server.requests > 10);
  await generator[Symbol.asyncDispose]();
  expect(place.processes()).toEqual([]);
  const message = 'the load generator ended with SIGKILL';
  expect(await ended).toBe(message);
  expect(await carryOutBy(generator, order).catch(messageOf)).toBe(message);
});

const CONNECTIONS = 10;
const PIPELINING = 4;
/** What may come in the turn in which the last awaited answer comes. */
const PLACES = CONNECTIONS * PIPELINING;
const LONG_NS = 60e9;

/** A load of a closed loop that has begun. */
async function begun(origin: string, changes: Partial<ClosedOrder> = {}) {
  const { generator } = shared;
  const { window: _window, ...order } = closedOrder(origin, changes);
  expect(await generator.ask({ kind: 'begin', order })).toEqual({ kind: 'ready' });
  const take = (window: BatchWindow) => generator.ask({ kind: 'batch', window });
  const end = async () => {
    expect(await generator.ask({ kind: 'end' })).toEqual({ kind: 'ready' });
  };
  const measured = async (window: BatchWindow) => {
    const reply = await take(window);
    if (reply.kind === 'batch') return reply.batch;
    throw new Error(`it ended with ${JSON.stringify(reply)}`);
  };
  return { take, measured, end, [Symbol.asyncDispose]: end };
}

describe('a window that ends by a count', () => {
  test('closes as soon as so many answers have come, right or wrong', async () => {
    await using server = await serveHere((response, _request, count) => {
      if (count % 3 === 1) response.statusCode = 500;
      response.end(count % 3 === 2 ? 'Goodbye World!' : BODY);
    });
    await using load = await begun(server.origin, { pipelining: PIPELINING, turnNs: 2e6 });
    for (const answers of [1000, 300]) {
      const batch = await load.measured({ ns: LONG_NS, answers });
      expect(batch.ns).toBeLessThan(LONG_NS / 2);
      expectWithin(batch.answers, answers, answers + PLACES);
    }
  });

  test.each([
    ['with the last answer that it waits for, though none comes after it', LONG_NS, 30],
    ['by the clock if too few come', 0.3e9, 1000],
  ])('closes %s', async (_when, ns, answers) => {
    await using server = await serveHere((response, _request, count) => {
      if (count < 30) response.end(BODY);
    });
    await using load = await begun(server.origin, { ...AT_ONCE, timeoutNs: LONG_NS });
    const batch = await load.measured({ ns, answers });
    expect(batch.answers).toBe(30);
    if (answers === 30) expect(batch.ns).toBeLessThan(LONG_NS / 2);
    else expect(batch.ns).toBeGreaterThanOrEqual(ns);
  });
});

describe('a load that goes on', () => {
  test('is on between two windows, with one set of connections, until it ends and another begins', async () => {
    await using server = await serveHere();
    for (const times of [1, 2]) {
      const earlier = server.requests;
      await using load = await begun(server.origin);
      const first = await load.measured({ ns: LONG_NS, answers: 100 });
      const before = server.requests;
      await until(() => server.requests > before + 100);
      const second = await load.measured({ ns: LONG_NS, answers: 100 });
      await load.end();
      const { requests } = server;
      // What came in between is in no window.
      expect(first.answers + second.answers).toBeLessThan(requests - earlier);
      await load.end();
      expect(server.requests).toBe(requests);
      expect(server.connections.size).toBe(times * CONNECTIONS);
    }
  });

  test.each([
    ['it is told to stop', 'stopped', {}],
    ['nobody listens', 'refused', {}],
    ['a process whose CPU time it is to read is gone', 'failed', { pids: GONE }],
  ])('says that %s', async (_what, kind, changes) => {
    await using server = await serveHere();
    const origin = kind === 'refused' ? await closedOrigin() : server.origin;
    await using load = await begun(origin, changes);
    const taking = load.take({ ns: LONG_NS, answers: kind === 'stopped' ? null : 10 });
    if (kind === 'stopped') shared.generator.stop();
    const message = kind === 'failed' ? { message: expect.any(String) } : {};
    expect(await taking).toEqual({ kind, ...message });
  });
});
