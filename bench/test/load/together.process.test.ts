import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { messageOf } from '../../src/base/errors.ts';
import { now, SYSTEM_CLOCK } from '../../src/load/clock.ts';
import { type Generator, startGenerator } from '../../src/load/generator.ts';
import { GeneratorPool } from '../../src/load/pool.ts';
import type { ClosedOrder } from '../../src/load/protocol.ts';
import { measureTogether } from '../../src/load/together.ts';
import { isAlive } from '../../src/system/processes.ts';
import { serverOf } from '../../src/system/sockets.ts';
import { ownPlace } from '../support/leftovers.ts';
import { eventually } from '../support/processes.ts';
import { ALL_ANSWERED, BODY, closedOrder, closedPort, serveHere, untilLoaded } from './servers.ts';

const place = ownPlace();
const NEVER = new AbortController().signal;
const UNPINNED = [null, null, null];

/** They live as long as all tests but the one that ends them. */
const shared = new GeneratorPool(startGenerator, SYSTEM_CLOCK);
let generators: Generator[] = [];
beforeAll(async () => {
  generators = await shared.take(UNPINNED);
  place.keep();
});
afterAll(() => shared[Symbol.asyncDispose]());

describe('three generator processes', () => {
  test('deal the connections out exactly, and answer for all requests together', async () => {
    // Each connection has so many answers, and waits for more.
    const each = 3;
    const answers = new Map<object, number>();
    const held: (() => void)[] = [];
    let isHolding = true;
    await using server = await serveHere((response, { socket }) => {
      const answer = () => {
        const count = (answers.get(socket) ?? 0) + 1;
        answers.set(socket, count);
        if (count <= each) response.end(BODY);
      };
      if (isHolding) held.push(answer);
      else answer();
    });
    const opening = { ...ALL_ANSWERED, capNs: 60e9 };
    const load = { connections: 40, pipelining: 3, window: { ns: 0.5e9 }, opening };
    const order = closedOrder(server.origin, load);
    const measuring = measureTogether(generators, order, NEVER, SYSTEM_CLOCK);

    // All are there, and wait for one to be answered.
    expect(await eventually(() => server.connections.size === 40, 20_000)).toBe(true);
    const pids = generators.map(({ pid }) => pid);
    const owners = [...server.connections.keys()].map(({ remotePort = 0 }) => {
      return serverOf({ server: remotePort, client: server.port }, pids);
    });
    expect(pids.map((pid) => owners.filter((owner) => owner === pid).length)).toEqual([14, 13, 13]);

    isHolding = false;
    for (const answer of held) answer();
    const outcome = await measuring;
    if (outcome.kind !== 'measured') throw new Error(`they ended with ${outcome.kind}`);
    const { ledger, generators: merged } = outcome.measurement;
    expect(merged).toBe(3);
    expect(ledger).toEqual({
      sent: 40 * (each + 3),
      ok: 40 * each,
      wrongStatus: 0,
      wrongBody: 0,
      timedOut: 0,
      disconnected: 0,
      inFlight: 40 * 3,
    });
    expect(server.requests).toBe(ledger.sent);
    expect(server.connections.size).toBe(40);
  });

  test('count every answer once, halfway and in the whole window', async () => {
    await using server = await serveHere((response) => response.end(BODY));
    const order = closedOrder(server.origin, { connections: 31 });
    const outcome = await measureTogether(generators, order, NEVER, SYSTEM_CLOCK);
    if (outcome.kind !== 'measured') throw new Error(`they ended with ${outcome.kind}`);
    const { ledger, window, windowNs, halfway, cpu } = outcome.measurement;
    expect(server.requests).toBeGreaterThanOrEqual(ledger.ok);
    expect(server.requests).toBeLessThanOrEqual(ledger.sent);
    expect(ledger.sent - ledger.ok).toBe(31);
    expect(halfway?.ok).toBeGreaterThan(0);
    expect(halfway?.ok).toBeLessThanOrEqual(window.ok);
    expect(halfway?.ns).toBeGreaterThan(0);
    expect(halfway?.ns).toBeLessThan(windowNs);
    // The order names this process as the server's; three readings of it would be too many.
    expect(cpu.server.cpuNs).toBeLessThan(2 * windowNs);
  });

  test('carry out an order whose window opens at once', async () => {
    await using server = await serveHere((response) => response.end(BODY));
    const order = closedOrder(server.origin, { connections: 30, opening: { when: 'at once' } });
    const outcome = await measureTogether(generators, order, NEVER, SYSTEM_CLOCK);
    expect(outcome).toMatchObject({ kind: 'measured', measurement: { warmupCapped: false } });
    expect(server.connections.size).toBe(30);
  });

  test('are stopped together, and take the next order', async () => {
    await using server = await serveHere((response) => response.end(BODY));
    const abort = new AbortController();
    const long = closedOrder(server.origin, { connections: 30, window: { ns: 60e9 } });
    const measuring = measureTogether(generators, long, abort.signal, SYSTEM_CLOCK);
    expect(await eventually(() => server.connections.size === 30, 20_000)).toBe(true);
    abort.abort();
    expect(await measuring).toEqual({ kind: 'stopped' });
    const atOnce: ClosedOrder = { ...long, opening: { when: 'at once' } };
    expect(await measureTogether(generators, atOnce, AbortSignal.abort(), SYSTEM_CLOCK)).toEqual({
      kind: 'stopped',
    });
    const short = closedOrder(server.origin, { connections: 30 });
    expect(await measureTogether(generators, short, NEVER, SYSTEM_CLOCK)).toMatchObject({
      kind: 'measured',
    });
  });

  test('are refused together', async () => {
    const origin = `http://127.0.0.1:${await closedPort()}`;
    const order = closedOrder(origin, { window: { ns: 30e9 } });
    const outcome = await measureTogether(generators, order, NEVER, SYSTEM_CLOCK);
    expect(outcome).toEqual({ kind: 'refused' });
  });

  test('end with the one that is killed', async () => {
    await using server = await serveHere((response) => response.end(BODY));
    await using pool = new GeneratorPool(startGenerator, SYSTEM_CLOCK);
    const generators = await pool.take(UNPINNED);
    const order = closedOrder(server.origin, { window: { ns: 60e9 } });
    const ended = measureTogether(generators, order, NEVER, SYSTEM_CLOCK).then(
      () => 'nothing',
      messageOf,
    );
    await untilLoaded(server);
    process.kill(generators[1]?.pid ?? 0, 'SIGKILL');
    expect(await ended).toBe('the load generator ended with SIGKILL');
  });
});

describe('a pool', () => {
  test('starts a generator once, keeps it, and ends all of them', async () => {
    const pids: number[] = [];
    {
      await using pool = new GeneratorPool(startGenerator, SYSTEM_CLOCK);
      const [first] = await pool.take([null]);
      const again = await pool.take(UNPINNED);
      expect(again).toHaveLength(3);
      expect(again[0]).toBe(first);
      expect(await pool.take([null])).toEqual([first]);
      pids.push(...again.map(({ pid }) => pid));
      expect(new Set(pids).size).toBe(3);
      expect(place.processes().map(({ pid }) => pid)).toEqual(expect.arrayContaining(pids));
    }
    expect(pids.filter(isAlive)).toEqual([]);
  });
});

describe('a window', () => {
  test('does not open before its instant', async () => {
    await using server = await serveHere((response) => response.end(BODY));
    const [generator] = generators;
    if (generator === undefined) throw new Error('the pool is empty');
    expect(await generator.prepare(closedOrder(server.origin))).toEqual({ kind: 'ready' });
    expect(server.connections.size).toBe(10);
    const outcome = await generator.open(now() + 0.2e9);
    if (outcome.kind !== 'measured') throw new Error(`it ended with ${outcome.kind}`);
    expect(outcome.measurement.warmupNs).toBeGreaterThan(0.2e9);
  });

  test('that opens at once has no connection before its instant', async () => {
    await using server = await serveHere((response) => response.end(BODY));
    const [generator] = generators;
    if (generator === undefined) throw new Error('the pool is empty');
    const order = closedOrder(server.origin, { opening: { when: 'at once' } });
    expect(await generator.prepare(order)).toEqual({ kind: 'ready' });
    const opening = generator.open(now() + 0.2e9);
    await sleep(100);
    expect(server.connections.size).toBe(0);
    expect(await opening).toMatchObject({ kind: 'measured' });
    expect(server.connections.size).toBe(10);
  });
});
