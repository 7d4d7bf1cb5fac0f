/** A load that goes on, and the windows of it that are measured: until so many answers, or by the clock. */
import { describe, expect, test } from 'vitest';
import type { Batch, BatchOutcome, BatchWindow, ClosedOrder } from '../../src/load/protocol.ts';
import { ownPlace } from '../support/leftovers.ts';
import { eventually } from '../support/processes.ts';
import { BODY, closedOrder, closedPort, serveHere } from './servers.ts';
import { shareGenerator } from './shared-generator.ts';

const place = ownPlace();

const shared = shareGenerator(place);

const CONNECTIONS = 10;
const PIPELINING = 4;
/** What may come in the turn in which the last awaited answer comes. */
const PLACES = CONNECTIONS * PIPELINING;
const LONG_NS = 60e9;
const AT_ONCE = { when: 'at once' } as const;

describe('a window that ends by a count', () => {
  test.each([
    ['it opens at once', { opening: AT_ONCE }],
    ['all are answered', {}],
    ['the generator never sleeps', { turnNs: 2e6 }],
  ])('closes as soon as so many answers have come, where %s', async (_when, changes) => {
    await using server = await serveHere((response) => response.end(BODY));
    await using load = await begun(server.origin, { pipelining: PIPELINING, ...changes });
    for (const answers of [1000, 300]) {
      const batch = await load.measured({ ns: LONG_NS, answers });
      expect(batch.ns).toBeLessThan(LONG_NS / 2);
      expectWithin(batch.answers, answers, answers + PLACES);
    }
  });

  test('counts answers that are not as declared', async () => {
    let count = 0;
    await using server = await serveHere((response) => {
      if (count % 3 === 1) response.statusCode = 500;
      response.end(count++ % 3 === 2 ? 'Goodbye World!' : BODY);
    });
    await using load = await begun(server.origin);
    const { answers } = await load.measured({ ns: LONG_NS, answers: 300 });
    expectWithin(answers, 300, 300 + CONNECTIONS);
  });

  test('closes with the last answer that it waits for, though none comes after it', async () => {
    let count = 0;
    await using server = await serveHere((response) => {
      if (++count <= 100) response.end(BODY);
    });
    await using load = await begun(server.origin, { opening: AT_ONCE, timeoutNs: LONG_NS });
    const { answers, ns } = await load.measured({ ns: LONG_NS, answers: 100 });
    expect(answers).toBe(100);
    expect(ns).toBeLessThan(LONG_NS / 2);
  });

  test('closes by the clock where too few come', async () => {
    let count = 0;
    await using server = await serveHere((response) => {
      if (++count <= 30) response.end(BODY);
    });
    await using load = await begun(server.origin, { opening: AT_ONCE });
    const { answers, ns } = await load.measured({ ns: 0.3e9, answers: 1000 });
    expect(answers).toBe(30);
    expect(ns).toBeGreaterThanOrEqual(0.3e9);
  });
});

describe('a load that goes on', () => {
  test('has one set of connections, and is still on between two windows', async () => {
    await using server = await serveHere((response) => response.end(BODY));
    await using load = await begun(server.origin);
    const first = await load.measured({ ns: LONG_NS, answers: 100 });
    const before = server.requests;
    expect(await eventually(() => server.requests > before + 100, 20_000)).toBe(true);
    const second = await load.measured({ ns: LONG_NS, answers: 100 });
    expect(server.connections.size).toBe(CONNECTIONS);
    // What came in between is in no window.
    expect(first.answers + second.answers).toBeLessThan(server.requests);
  });

  test('is off once it has ended, and another one can begin', async () => {
    await using server = await serveHere((response) => response.end(BODY));
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
    await using server = await serveHere((response) => response.end(BODY));
    await using load = await begun(server.origin);
    const taking = load.take({ ns: LONG_NS, answers: null });
    load.stop();
    expect(await taking).toEqual({ kind: 'stopped' });
  });

  test('says that nobody listens', async () => {
    await using load = await begun(`http://127.0.0.1:${await closedPort()}`);
    expect(await load.take({ ns: LONG_NS, answers: 10 })).toEqual({ kind: 'refused' });
  });

  test('says that a process whose CPU time it is to read is gone', async () => {
    await using server = await serveHere((response) => response.end(BODY));
    const gone = { server: [2 ** 22 + 1], manager: [], harness: [], services: {} };
    await using load = await begun(server.origin, { pids: gone });
    expect(await load.take({ ns: LONG_NS, answers: 10 })).toMatchObject({ kind: 'failed' });
  });
});

interface Load extends AsyncDisposable {
  take(window: BatchWindow): Promise<BatchOutcome>;
  measured(window: BatchWindow): Promise<Batch>;
  end(): Promise<void>;
  stop(): void;
}

/** A load of a closed loop that has begun. */
async function begun(origin: string, changes: Partial<ClosedOrder> = {}): Promise<Load> {
  const { window: _window, ...order } = closedOrder(origin, {
    connections: CONNECTIONS,
    ...changes,
  });
  await shared.generator.begin(order);
  const take = (window: BatchWindow) => shared.generator.batch(window);
  return {
    take,
    measured: async (window) => {
      const outcome = await take(window);
      if (outcome.kind === 'batch') return outcome.batch;
      throw new Error(`it ended with ${JSON.stringify(outcome)}`);
    },
    end: () => shared.generator.end(),
    stop: () => shared.generator.stop(),
    [Symbol.asyncDispose]: () => shared.generator.end(),
  };
}

function expectWithin(value: number, least: number, most: number): void {
  expect(value).toBeGreaterThanOrEqual(least);
  expect(value).toBeLessThanOrEqual(most);
}
