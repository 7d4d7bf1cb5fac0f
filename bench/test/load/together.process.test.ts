import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { messageOf } from '../../src/base/errors.ts';
import { now, SYSTEM_CLOCK } from '../../src/load/clock.ts';
import { type Generator, startGenerator } from '../../src/load/generator.ts';
import { GeneratorPool } from '../../src/load/pool.ts';
import type { ClosedOrder, Outcome, Prepared } from '../../src/load/protocol.ts';
import { measureTogether } from '../../src/load/together.ts';
import { isAlive } from '../../src/system/processes.ts';
import { serverOf } from '../../src/system/sockets.ts';
import { ownPlace } from '../support/leftovers.ts';
import { makeMeasurement } from '../support/make-record.ts';
import { eventually } from '../support/processes.ts';
import { BODY, closedOrder, closedPort, serveHere } from './servers.ts';

const place = ownPlace();
const NEVER = new AbortController().signal;
const UNPINNED = [null, null, null];

describe('three generator processes', () => {
  test('deal the connections out exactly, and answer for all requests together', async () => {
    let answering = true;
    let answered = 0;
    await using server = await serveHere((response) => {
      if (!answering) return;
      answered++;
      response.end(BODY);
    });
    await using pool = new GeneratorPool(startGenerator, SYSTEM_CLOCK);
    const generators = await pool.take(UNPINNED);
    const order = closedOrder(server.origin, {
      connections: 40,
      pipelining: 3,
      window: { ns: 2e9 },
    });
    const measuring = measureTogether(generators, order, NEVER, SYSTEM_CLOCK);

    expect(await eventually(() => server.connections.size === 40, 10_000)).toBe(true);
    // In the window: all have been answered by then, and nobody leaves before its end.
    await sleep(500);
    answering = false;
    const pids = generators.map(({ pid }) => pid);
    const owners = [...server.connections.keys()].map(({ remotePort = 0 }) => {
      return serverOf({ server: remotePort, client: server.port }, pids);
    });
    expect(pids.map((pid) => owners.filter((owner) => owner === pid).length)).toEqual([14, 13, 13]);

    const outcome = await measuring;
    if (outcome.kind !== 'measured') throw new Error(`they ended with ${outcome.kind}`);
    const { ledger, generators: merged } = outcome.measurement;
    expect(merged).toBe(3);
    expect(ledger).toEqual({
      sent: answered + 40 * 3,
      ok: answered,
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
    await using pool = new GeneratorPool(startGenerator, SYSTEM_CLOCK);
    const order = closedOrder(server.origin, { connections: 31 });
    const outcome = await measureTogether(await pool.take(UNPINNED), order, NEVER, SYSTEM_CLOCK);
    if (outcome.kind !== 'measured') throw new Error(`they ended with ${outcome.kind}`);
    const { ledger, window, windowNs, halfway, cpu } = outcome.measurement;
    expect(server.requests).toBeGreaterThanOrEqual(ledger.ok);
    expect(server.requests).toBeLessThanOrEqual(ledger.sent);
    expect(ledger.sent - ledger.ok).toBe(31);
    expect(halfway?.ok).toBeGreaterThan(0);
    expect(halfway?.ok).toBeLessThan(window.ok);
    expect(halfway?.ns).toBeGreaterThan(0);
    expect(halfway?.ns).toBeLessThan(windowNs);
    // The order names this process as the server's; three readings of it would be too many.
    expect(cpu.server.cpuNs).toBeLessThan(2 * windowNs);
  });

  test('carry out an order whose window opens at once', async () => {
    await using server = await serveHere((response) => response.end(BODY));
    await using pool = new GeneratorPool(startGenerator, SYSTEM_CLOCK);
    const order = closedOrder(server.origin, { connections: 30, opening: { when: 'at once' } });
    const outcome = await measureTogether(await pool.take(UNPINNED), order, NEVER, SYSTEM_CLOCK);
    expect(outcome).toMatchObject({ kind: 'measured', measurement: { warmupCapped: false } });
    expect(server.connections.size).toBe(30);
  });

  test('are stopped together, and take the next order', async () => {
    await using server = await serveHere((response) => response.end(BODY));
    await using pool = new GeneratorPool(startGenerator, SYSTEM_CLOCK);
    const generators = await pool.take(UNPINNED);
    const abort = new AbortController();
    const long = closedOrder(server.origin, { connections: 30, window: { ns: 60e9 } });
    const measuring = measureTogether(generators, long, abort.signal, SYSTEM_CLOCK);
    await sleep(500);
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
    await using pool = new GeneratorPool(startGenerator, SYSTEM_CLOCK);
    const origin = `http://127.0.0.1:${await closedPort()}`;
    const order = closedOrder(origin, { window: { ns: 30e9 } });
    const outcome = await measureTogether(await pool.take(UNPINNED), order, NEVER, SYSTEM_CLOCK);
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
    await sleep(500);
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
    await using pool = new GeneratorPool(startGenerator, SYSTEM_CLOCK);
    const [generator] = await pool.take([null]);
    if (generator === undefined) throw new Error('the pool is empty');
    expect(await generator.prepare(closedOrder(server.origin))).toEqual({ kind: 'ready' });
    expect(server.connections.size).toBe(10);
    const outcome = await generator.open(now() + 0.4e9);
    if (outcome.kind !== 'measured') throw new Error(`it ended with ${outcome.kind}`);
    expect(outcome.measurement.warmupNs).toBeGreaterThan(0.4e9);
  });

  test('that opens at once has no connection before its instant', async () => {
    await using server = await serveHere((response) => response.end(BODY));
    await using pool = new GeneratorPool(startGenerator, SYSTEM_CLOCK);
    const [generator] = await pool.take([null]);
    if (generator === undefined) throw new Error('the pool is empty');
    const order = closedOrder(server.origin, { opening: { when: 'at once' } });
    expect(await generator.prepare(order)).toEqual({ kind: 'ready' });
    const opening = generator.open(now() + 0.4e9);
    await sleep(200);
    expect(server.connections.size).toBe(0);
    expect(await opening).toMatchObject({ kind: 'measured' });
    expect(server.connections.size).toBe(10);
  });
});

describe('generators that are told what to say', () => {
  const unused = async (): Promise<never> => {
    throw new Error('nobody asks for this here');
  };

  /** One that replies like this; a reply of null comes once it is stopped. */
  class Fake implements Generator {
    readonly pid = 0;
    readonly prepared: Prepared | null;
    readonly outcome: Outcome | null;
    readonly openedAt: number[] = [];
    readonly #stopped = Promise.withResolvers<{ kind: 'stopped' }>();

    constructor(prepared: Prepared | null, outcome: Outcome | null) {
      this.prepared = prepared;
      this.outcome = outcome;
    }

    async prepare(): Promise<Prepared> {
      return this.prepared ?? (await this.#stopped.promise);
    }

    async open(atNs: number): Promise<Outcome> {
      this.openedAt.push(atNs);
      return this.outcome ?? (await this.#stopped.promise);
    }

    readonly deal = unused;
    readonly begin = unused;
    readonly batch = unused;
    readonly end = unused;

    stop(): void {
      this.#stopped.resolve({ kind: 'stopped' });
    }

    async [Symbol.asyncDispose]() {}
  }
  const READY: Prepared = { kind: 'ready' };
  const DONE: Outcome = { kind: 'measured', measurement: makeMeasurement({ ok: 5 }) };
  const ORDER = closedOrder('http://127.0.0.1:1');

  test('all open at one instant, which is still to come', async () => {
    const fakes = [new Fake(READY, DONE), new Fake(READY, DONE)];
    const before = now();
    expect(await measureTogether(fakes, ORDER, NEVER, SYSTEM_CLOCK)).toMatchObject({
      kind: 'measured',
    });
    const [at] = fakes[0]?.openedAt ?? [];
    expect(at).toBeGreaterThan(before);
    expect(fakes.map(({ openedAt }) => openedAt)).toEqual([[at], [at]]);
  });

  test('one alone opens without notice', async () => {
    const fake = new Fake(READY, DONE);
    const before = now();
    await measureTogether([fake], ORDER, NEVER, SYSTEM_CLOCK);
    expect(fake.openedAt).toHaveLength(1);
    expect(fake.openedAt[0]).toBeGreaterThanOrEqual(before);
    expect(fake.openedAt[0]).toBeLessThanOrEqual(now());
  });

  test('one that is refused ends it for one that is not ready yet', async () => {
    const slow = new Fake(null, DONE);
    const fakes = [slow, new Fake({ kind: 'refused' }, DONE)];
    expect(await measureTogether(fakes, ORDER, NEVER, SYSTEM_CLOCK)).toEqual({ kind: 'refused' });
    expect(slow.openedAt).toEqual([]);
  });

  test('one that fails within its window ends it for the others, and is the outcome', async () => {
    const failed: Outcome = { kind: 'failed', message: 'it broke' };
    const fakes = [new Fake(READY, null), new Fake(READY, failed), new Fake(READY, null)];
    expect(await measureTogether(fakes, ORDER, NEVER, SYSTEM_CLOCK)).toEqual(failed);
  });

  test('one that is ready is told to open even when another was refused, so that it lets go', async () => {
    const ready = new Fake(READY, null);
    const fakes = [ready, new Fake({ kind: 'refused' }, DONE)];
    expect(await measureTogether(fakes, ORDER, NEVER, SYSTEM_CLOCK)).toEqual({ kind: 'refused' });
    expect(ready.openedAt).toHaveLength(1);
  });
});
