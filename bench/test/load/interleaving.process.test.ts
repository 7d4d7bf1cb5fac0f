import { setTimeout as sleep } from 'node:timers/promises';
import * as hdr from 'hdr-histogram-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Generator, startGenerator } from '../../src/load/generator.ts';
import type { Measurement } from '../../src/load/measurement.ts';
import type { ClosedOrder, InterleavedOutcome } from '../../src/load/protocol.ts';
import { ownPlace } from '../support/leftovers.ts';
import { eventually } from '../support/processes.ts';
import { agreed, BODY, closedOrder, closedPort, serveHere } from './servers.ts';

const place = ownPlace();

let generator: Generator;
beforeAll(async () => {
  generator = await startGenerator(null);
  place.keep();
});
afterAll(() => generator[Symbol.asyncDispose]());

/** Two servers of which each request is put down, in the order in which they came. */
async function servePair(handle: (name: 'a' | 'b', count: number) => 'answer' | 'leave') {
  const stack = new AsyncDisposableStack();
  const came: string[] = [];
  const serve = async (name: 'a' | 'b') => {
    let count = 0;
    const server = await serveHere((response) => {
      came.push(name);
      if (handle(name, ++count) === 'answer') response.end(BODY);
    });
    return stack.use(server);
  };
  return {
    a: await serve('a'),
    b: await serve('b'),
    came,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

const always = () => 'answer' as const;

test('what was sent was answered, and each server was asked for just that', async () => {
  await using pair = await servePair(always);
  const orders = [pair.a, pair.b].map(({ origin }) => closedOrder(origin, { pipelining: 3 }));
  const [a, b] = (
    await generator.deal({
      orders,
      laps: [
        [0, 1],
        [1, 0],
        [0, 1],
      ],
    })
  ).map(measured);
  for (const [measurement, server] of [
    [a, pair.a],
    [b, pair.b],
  ] as const) {
    if (measurement === undefined) throw new Error('an outcome is missing');
    const { ledger, window } = measurement;
    expect(ledger).toEqual({ ...NONE, sent: ledger.ok, ok: ledger.ok });
    expect(ledger.sent).toBe(server.requests);
    expect(server.connections.size).toBe(10);
    expect(window.sent).toBe(window.ok);
    const { pieces, cpu } = measurement;
    expect(pieces).toHaveLength(3);
    expect(pieces.reduce((sum, { answers }) => sum + answers, 0)).toBe(window.ok);
    expect(pieces.reduce((sum, { cpuNs }) => sum + cpuNs, 0)).toBe(cpu.server.cpuNs);
    // Of three pieces, each with a request in every place at the least.
    expect(window.ok).toBeGreaterThanOrEqual(3 * 10 * 3);
    expect(window.ok).toBeLessThan(ledger.ok);
    const latencies = hdr.decodeFromCompressedBase64(measurement.latencyHistogram);
    expect(latencies.totalCount).toBe(window.ok);
    expect(latencies.maxValue).toBeLessThan(measurement.windowNs);
    expect(measurement.cpu.server.cpuNs).toBeGreaterThan(0);
    expect(measurement).toMatchObject({ warmupCapped: false, drainCapped: false, generators: 1 });
  }
});

test('one server at a time is under load, in the order as given', async () => {
  await using pair = await servePair(always);
  const orders = [pair.a, pair.b].map(({ origin }) => closedOrder(origin));
  const laps = [
    [1, 0],
    [0, 1],
    [1, 0],
  ];
  const measurements = (await generator.deal({ orders, laps })).map(measured);
  // The connections are opened in the order of the orders; pieces that follow one another are one run.
  expect(runsOf(pair.came)).toEqual(['a', 'b', 'a', 'b', 'a']);
  expect(measurements.length).toBe(2);
});

test('a generator that never sleeps turns for the load that is on', async () => {
  await using pair = await servePair(always);
  const orders = [pair.a, pair.b].map(({ origin }) => closedOrder(origin, { turnNs: 2e6 }));
  for (const { turns, windowNs } of (
    await generator.deal({
      orders,
      laps: [
        [0, 1],
        [0, 1],
      ],
    })
  ).map(measured)) {
    expect(turns.all).toBeGreaterThan(0);
    expect(turns.all).toBeLessThanOrEqual(windowNs / 2e6 + 2);
    expect(turns.idleNs).toBeLessThanOrEqual(windowNs + 4e6);
  }
});

test('a refusing port is out of the deal, and the other is dealt in full', async () => {
  await using server = await serveHere((response) => response.end(BODY));
  const refusing = closedOrder(`http://127.0.0.1:${await closedPort()}`);
  const orders = [refusing, closedOrder(server.origin)];
  const [refused, other] = await generator.deal({
    orders,
    laps: [
      [0, 1],
      [1, 0],
    ],
  });
  expect(refused).toEqual({ kind: 'refused' });
  expect(measured(other).window.ok).toBeGreaterThan(0);
});

test('a server that stops in the middle is out of the deal, and the other is dealt in full', async () => {
  await using server = await serveHere((response) => response.end(BODY));
  let count = 0;
  const dying = await serveHere((response) => {
    if (++count === 200) dying[Symbol.asyncDispose]();
    response.end(BODY);
  });
  const orders = [closedOrder(dying.origin), closedOrder(server.origin)];
  const [died, other] = await generator.deal({ orders, laps: Array(5).fill([0, 1]) });
  expect(died).toEqual({ kind: 'refused' });
  const { ledger } = measured(other);
  expect(ledger).toEqual({ ...NONE, sent: ledger.ok, ok: ledger.ok });
});

test('a server that goes silent is out of the deal, and the other is dealt in full', async () => {
  await using pair = await servePair((name, count) => {
    return name === 'b' || count < 300 ? 'answer' : 'leave';
  });
  const orders = [pair.a, pair.b].map(({ origin }) => closedOrder(origin, { drainCapNs: 1e8 }));
  const [silent, other] = await generator.deal({ orders, laps: Array(5).fill([0, 1]) });
  expect(silent).toEqual({ kind: 'did not drain' });
  const { ledger } = measured(other);
  expect(ledger).toEqual({ ...NONE, sent: ledger.ok, ok: ledger.ok });
});

test('a deal that is stopped says so, and the generator takes the next order', async () => {
  await using pair = await servePair(always);
  const ordersOf = (ns: number) =>
    [pair.a, pair.b].map(({ origin }) => closedOrder(origin, { window: { ns: ns } }));
  const dealing = generator.deal({ orders: ordersOf(60e9), laps: [[0, 1]] });
  expect(await eventually(() => runsOf(pair.came).length > 2, 10_000)).toBe(true);
  generator.stop();
  expect(await dealing).toEqual([{ kind: 'stopped' }, { kind: 'stopped' }]);
  const again = await generator.deal({ orders: ordersOf(1e8), laps: [[0, 1]] });
  expect(again.map(measured).length).toBe(2);
});

describe('whole rounds', () => {
  /** Takes this long for each of three requests, the first of which comes twice as often. */
  async function dealt(answerMs: number, parts: Partial<ClosedOrder>, laps: number[][]) {
    await using server = await serveHere(async (response) => {
      await sleep(answerMs);
      response.end(BODY);
    });
    const requests = [agreed(BODY, '/a', 2), agreed(BODY, '/b'), agreed(BODY, '/c')];
    const order = closedOrder(server.origin, { requests, wholeRounds: true, ...parts });
    return await generator.deal({ orders: [order], laps });
  }

  test.each([1, 3, 10])(
    'of requests are in each piece, with %d connections',
    async (connections) => {
      const [one] = await dealt(7, { connections }, [[0], [0], [0]]);
      const { requests, window, ledger } = measured(one);
      const counts = requests.map(({ ok }) => ok);
      expect(counts).toEqual([window.ok / 2, window.ok / 4, window.ok / 4]);
      expect(window.ok).toBeGreaterThanOrEqual(3 * 4);
      expect(ledger).toEqual({ ...NONE, sent: ledger.ok, ok: ledger.ok });
    },
  );

  test('are sent even where one takes longer than the piece', async () => {
    const [one] = await dealt(60, { connections: 2, window: { ns: 5e7 } }, [[0]]);
    const { requests, windowNs } = measured(one);
    expect(requests.map(({ ok }) => ok)).toEqual([2, 1, 1]);
    expect(windowNs).toBeGreaterThan(1e8);
  });

  test('are not waited for where the server has gone silent', async () => {
    let count = 0;
    await using server = await serveHere((response) => {
      if (++count < 10) response.end(BODY);
    });
    const requests = [agreed(BODY, '/a'), agreed(BODY, '/b')];
    const parts = { requests, wholeRounds: true, connections: 2, drainCapNs: 1e8 };
    const [silent] = await generator.deal({
      orders: [closedOrder(server.origin, parts)],
      laps: [[0]],
    });
    expect(silent).toEqual({ kind: 'did not drain' });
  });
});

const NONE = { wrongStatus: 0, wrongBody: 0, timedOut: 0, disconnected: 0, inFlight: 0 };

function measured(outcome: InterleavedOutcome | undefined): Measurement {
  if (outcome?.kind === 'measured') return outcome.measurement;
  throw new Error(`the generator answered ${JSON.stringify(outcome)}`);
}

/** Each name once for all its neighbours of the same name. */
function runsOf(names: string[]): string[] {
  return names.filter((name, index) => name !== names[index - 1]);
}
