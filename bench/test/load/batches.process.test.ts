/** A load that goes on, and the windows of it that are measured: until a number of answers, or by the clock. */
import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { BatchWindow, ClosedOrder } from '../../src/load/protocol.ts';
import { ownPlace } from '../support/leftovers.ts';
import {
  AT_ONCE,
  BODY,
  closedOrder,
  closedOrigin,
  expectWithin,
  pidsOf,
  serveAll,
  serveHere,
  shareGenerator,
  until,
} from './servers.ts';

const shared = shareGenerator(ownPlace());

const CONNECTIONS = 10;
const PIPELINING = 4;
/** What may come in the turn in which the last awaited answer comes. */
const PLACES = CONNECTIONS * PIPELINING;
const LONG_NS = 60e9;

const right = (response: ServerResponse) => response.end(BODY);
/** Answers with another status, another body, and as declared in turn. */
const nowAndThenRight = (response: ServerResponse, _request: unknown, count: number) => {
  if (count % 3 === 1) response.statusCode = 500;
  response.end(count % 3 === 2 ? 'Goodbye World!' : BODY);
};

/** A load of a closed loop that has begun. */
async function begun(origin: string, changes: Partial<ClosedOrder> = {}) {
  const { generator } = shared;
  const { window: _window, ...order } = closedOrder(origin, changes);
  expect(await generator.ask({ kind: 'begin', order })).toEqual({ kind: 'ready' });
  const take = (window: BatchWindow) => generator.ask({ kind: 'batch', window });
  const end = async () => {
    expect(await generator.ask({ kind: 'end' })).toEqual({ kind: 'ready' });
  };
  return {
    take,
    measured: async (window: BatchWindow) => {
      const reply = await take(window);
      if (reply.kind === 'batch') return reply.batch;
      throw new Error(`it ended with ${JSON.stringify(reply)}`);
    },
    end,
    stop: () => generator.stop(),
    [Symbol.asyncDispose]: end,
  };
}

describe('a window that ends by a count', () => {
  test.each<[string, Partial<ClosedOrder>, typeof nowAndThenRight]>([
    ['it opens at once', AT_ONCE, right],
    ['all are answered', {}, right],
    ['the generator never sleeps', { turnNs: 2e6 }, right],
    ['answers are not as declared', {}, nowAndThenRight],
  ])('closes as soon as as many answers have come, where %s', async (_when, changes, handle) => {
    await using server = await serveHere(handle);
    await using load = await begun(server.origin, { pipelining: PIPELINING, ...changes });
    for (const answers of [1000, 300]) {
      const batch = await load.measured({ ns: LONG_NS, answers });
      expect(batch.ns).toBeLessThan(LONG_NS / 2);
      expectWithin(batch.answers, answers, answers + PLACES);
    }
  });

  test.each([
    ['with the last answer that it waits for, though none comes after it', LONG_NS, 30],
    ['by the clock where too few come', 0.3e9, 1000],
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
  test('has one set of connections, and is still on between two windows', async () => {
    await using server = await serveAll();
    await using load = await begun(server.origin);
    const first = await load.measured({ ns: LONG_NS, answers: 100 });
    const before = server.requests;
    await until(() => server.requests > before + 100);
    const second = await load.measured({ ns: LONG_NS, answers: 100 });
    expect(server.connections.size).toBe(CONNECTIONS);
    // What came in between is in no window.
    expect(first.answers + second.answers).toBeLessThan(server.requests);
  });

  test('is off once it has ended, and another one can begin', async () => {
    await using server = await serveAll();
    for (const times of [1, 2]) {
      await using load = await begun(server.origin);
      await load.measured({ ns: LONG_NS, answers: 10 });
      await load.end();
      const { requests } = server;
      await load.end();
      expect(server.requests).toBe(requests);
      expect(server.connections.size).toBe(times * CONNECTIONS);
    }
  });

  test('ends early where it is told to stop', async () => {
    await using server = await serveAll();
    await using load = await begun(server.origin);
    const taking = load.take({ ns: LONG_NS, answers: null });
    load.stop();
    expect(await taking).toEqual({ kind: 'stopped' });
  });

  test('says that nobody listens', async () => {
    await using load = await begun(await closedOrigin());
    expect(await load.take({ ns: LONG_NS, answers: 10 })).toEqual({ kind: 'refused' });
  });

  test('says that a process whose CPU time it is to read is gone', async () => {
    await using server = await serveAll();
    await using load = await begun(server.origin, { pids: pidsOf(2 ** 22 + 1) });
    expect(await load.take({ ns: LONG_NS, answers: 10 })).toMatchObject({ kind: 'failed' });
  });
});
