import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { messageOf } from '../../src/base/errors.ts';
import { now, SYSTEM_CLOCK } from '../../src/load/clock.ts';
import { fanOut } from '../../src/load/fan-out.ts';
import { type Generator, startGenerator } from '../../src/load/generator.ts';
import { generatorPool } from '../../src/load/pool.ts';
import type { ClosedOrder } from '../../src/load/protocol.ts';
import { ownPlace } from '../support/leftovers.ts';
import { ledgerOf, until } from './expectations.ts';
import { measuredIn, NEVER } from './generators.ts';
import { ALL_ANSWERED, AT_ONCE, closedOrder, LONG } from './orders.ts';
import { BODY, closedOrigin, serveByConnection, serveHere } from './servers.ts';

const place = ownPlace();
const UNPINNED = [null, null, null];

/** They live as long as all tests but the one that ends them. */
const shared = generatorPool(startGenerator, SYSTEM_CLOCK);
let generators: Generator[] = [];
beforeAll(async () => {
  generators = await shared.take(UNPINNED);
  place.keep();
});
afterAll(() => shared[Symbol.asyncDispose]());

const carryOut = (order: ClosedOrder, stopped = NEVER) => {
  return fanOut(generators, order, stopped, SYSTEM_CLOCK);
};
const measured = async (order: ClosedOrder) => measuredIn(await carryOut(order));

describe('three generator processes', () => {
  test('open the connections of one order, and answer for all requests together', async () => {
    // Each connection has this many answers, and waits for more.
    const each = 3;
    const held = Promise.withResolvers<void>();
    await using server = await serveByConnection(async (response, _request, count) => {
      await held.promise;
      if (count < each) response.end(BODY);
    });
    const opening = { ...ALL_ANSWERED, capNs: 60e9 };
    const load = { connections: 40, pipelining: 3, window: { ns: 0.5e9 }, opening };
    const measuring = measured(closedOrder(server.origin, load));

    // All are there before one is answered.
    await until(() => server.connections.size === 40);
    held.resolve();
    const { ledger, generators: merged } = await measuring;
    expect(merged).toBe(3);
    expect(ledger).toEqual(ledgerOf({ ok: 40 * each, inFlight: 40 * 3 }));
    expect(server.requests).toBe(ledger.sent);
    expect(server.connections.size).toBe(40);
  });

  test('are stopped together, are refused together, and take the next order', async () => {
    await using server = await serveHere();
    const abort = new AbortController();
    const long = closedOrder(server.origin, { ...LONG, connections: 30 });
    const reply = carryOut(long, abort.signal);
    await until(() => server.connections.size === 30);
    abort.abort();
    expect(await reply).toEqual({ kind: 'stopped' });
    const atOnce = carryOut({ ...long, ...AT_ONCE }, AbortSignal.abort());
    expect(await atOnce).toEqual({ kind: 'stopped' });
    const refused = await carryOut(closedOrder(await closedOrigin(), LONG));
    expect(refused).toEqual({ kind: 'refused' });
    expect((await measured(closedOrder(server.origin))).generators).toBe(3);
  });
});

test('a pool starts a generator once, keeps it, and ends all; one that is killed ends an order for all', async () => {
  await using server = await serveHere();
  {
    await using pool = generatorPool(startGenerator, SYSTEM_CLOCK);
    const [first] = await pool.take([null]);
    const all = await pool.take(UNPINNED);
    expect(all[0]).toBe(first);
    expect(await pool.take([null])).toEqual([first]);
    expect(place.processes()).toHaveLength(3);

    const order = closedOrder(server.origin, LONG);
    const ended = fanOut(all, order, NEVER, SYSTEM_CLOCK).catch(messageOf);
    await until(() => server.requests > 10);
    process.kill(place.processes()[1]?.pid ?? Number.NaN, 'SIGKILL');
    expect(await ended).toBe('the load generator ended with SIGKILL');
  }
  expect(place.processes()).toEqual([]);
});

test.each([
  ['has all its connections before that', { opening: ALL_ANSWERED }, 10],
  ['that opens at once has none before that', AT_ONCE, 0],
])('a window does not open before its instant, and %s', async (_what, opening, before) => {
  await using server = await serveHere();
  const [generator] = generators;
  const order = closedOrder(server.origin, opening);
  expect(await generator?.ask({ kind: 'prepare', order })).toEqual({ kind: 'ready' });
  const atNs = now() + 0.2e9;
  const opened = generator?.ask({ kind: 'open', atNs });
  await sleep(50);
  expect(server.connections.size).toBe(before);
  expect(measuredIn(await opened).openedNs).toBeGreaterThan(atNs);
  expect(server.connections.size).toBe(10);
});
