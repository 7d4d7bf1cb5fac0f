import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import * as hdr from 'hdr-histogram-js';
import { describe, expect, test } from 'vitest';
import type { Block, Measurement } from '../../src/load/measurement.ts';
import type { ClosedOrder, InterleavedOutcome, Interleaving } from '../../src/load/protocol.ts';
import { NO_LEAD_IN } from '../../src/plan/draw.ts';
import { ownPlace } from '../support/leftovers.ts';
import { eventually } from '../support/processes.ts';
import { agreed, BODY, closedOrder, closedPort, serveHere } from './servers.ts';
import { shareGenerator } from './shared-generator.ts';

const place = ownPlace();

const shared = shareGenerator(place);

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

/** So many blocks of the first of two orders and then the other. */
function inTurn(count: number): number[][] {
  return Array.from({ length: count }, () => [0, 1]);
}

/** What became of these orders in these blocks, all of which count unless told otherwise. */
async function interleaved(orders: ClosedOrder[], blocks: number[][], leadIn = NO_LEAD_IN) {
  const interleaving: Interleaving = { orders, blocks, leadIn };
  return await shared.generator.interleave(interleaving);
}

test('what was sent was answered, and each server was asked for just that', async () => {
  await using pair = await servePair(always);
  const orders = [pair.a, pair.b].map(({ origin }) => closedOrder(origin, { pipelining: 3 }));
  const [a, b] = (
    await interleaved(orders, [
      [0, 1],
      [1, 0],
      [0, 1],
    ])
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
    const { blocks, cpu } = measurement;
    expect(blocks).toHaveLength(3);
    expect(sumOf(blocks, 'answers')).toBe(window.ok);
    expect(sumOf(blocks, 'cpuNs')).toBe(cpu.server.cpuNs);
    // Of three turns, each with a request in every place at the least.
    expect(window.ok).toBeGreaterThanOrEqual(3 * 10 * 3);
    expect(window.ok).toBeLessThan(ledger.ok);
    const latencies = hdr.decodeFromCompressedBase64(measurement.latencyHistogram);
    expect(latencies.totalCount).toBe(window.ok);
    expect(latencies.maxValue).toBeLessThan(measurement.windowNs);
    expect(measurement.cpu.server.cpuNs).toBeGreaterThan(0);
    expect(measurement).toMatchObject({ warmupCapped: false, drainCapped: false, generators: 1 });
    expect(measurement).toMatchObject({
      leadIn: { blocks: 0, answers: 0, ns: 0, hasSettled: null },
      ...{ disturbed: [], idleNsPerS: 0, isQuiet: null },
    });
  }
});

test('one server at a time is under load, in the order as given', async () => {
  await using pair = await servePair(always);
  const orders = [pair.a, pair.b].map(({ origin }) => closedOrder(origin));
  const blocks = [
    [1, 0],
    [0, 1],
    [1, 0],
  ];
  const measurements = (await interleaved(orders, blocks)).map(measured);
  // The connections are opened in the order of the orders; turns that follow one another are one run.
  expect(runsOf(pair.came).map(({ name }) => name)).toEqual(['a', 'b', 'a', 'b', 'a']);
  expect(measurements.length).toBe(2);
});

test('a generator that never sleeps turns for the load that is on', async () => {
  await using pair = await servePair(always);
  const orders = [pair.a, pair.b].map(({ origin }) => closedOrder(origin, { turnNs: 2e6 }));
  for (const { turns, windowNs } of (await interleaved(orders, inTurn(2))).map(measured)) {
    expect(turns.all).toBeGreaterThan(0);
    expect(turns.all).toBeLessThanOrEqual(windowNs / 2e6 + 2);
    expect(turns.idleNs).toBeLessThanOrEqual(windowNs + 4e6);
  }
});

test('a refusing port has no turn, and the other server has all of its own', async () => {
  await using server = await serveHere((response) => response.end(BODY));
  const refusing = closedOrder(`http://127.0.0.1:${await closedPort()}`);
  const [refused, other] = await interleaved([refusing, closedOrder(server.origin)], inTurn(2));
  expect(refused).toEqual({ kind: 'refused' });
  expect(measured(other).blocks).toHaveLength(2);
  expect(measured(other).window.ok).toBeGreaterThan(0);
});

test('a server that stops in the middle is left out, and the other has all of its turns', async () => {
  await using server = await serveHere((response) => response.end(BODY));
  let count = 0;
  const dying = await serveHere((response) => {
    if (++count === 200) dying[Symbol.asyncDispose]();
    response.end(BODY);
  });
  const orders = [closedOrder(dying.origin), closedOrder(server.origin)];
  const [died, other] = await interleaved(orders, inTurn(5));
  expect(died).toEqual({ kind: 'refused' });
  const { ledger, blocks } = measured(other);
  expect(ledger).toEqual({ ...NONE, sent: ledger.ok, ok: ledger.ok });
  expect(blocks).toHaveLength(5);
});

test('a server that goes silent is left out, and the other has all of its turns', async () => {
  await using pair = await servePair((name, count) => {
    return name === 'b' || count < 40 ? 'answer' : 'leave';
  });
  const orders = [pair.a, pair.b].map(({ origin }) => closedOrder(origin, { drainCapNs: 1e8 }));
  const [silent, other] = await interleaved(orders, inTurn(5));
  expect(silent).toEqual({ kind: 'did not drain' });
  const { ledger, blocks } = measured(other);
  expect(ledger).toEqual({ ...NONE, sent: ledger.ok, ok: ledger.ok });
  expect(blocks).toHaveLength(5);
});

test('an interleaving that is stopped says so, and the generator takes the next order', async () => {
  await using pair = await servePair(always);
  const ordersOf = (ns: number) =>
    [pair.a, pair.b].map(({ origin }) => closedOrder(origin, { window: { ns: ns } }));
  const interleaving = interleaved(ordersOf(60e9), inTurn(1));
  expect(await eventually(() => runsOf(pair.came).length > 2, 10_000)).toBe(true);
  shared.generator.stop();
  expect(await interleaving).toEqual([{ kind: 'stopped' }, { kind: 'stopped' }]);
  const again = await interleaved(ordersOf(1e8), inTurn(1));
  expect(again.map(measured).length).toBe(2);
});

describe('blocks that lead in', () => {
  test('are not counted, and those after them are, to the last answer', async () => {
    await using pair = await servePair(always);
    const orders = [pair.a, pair.b].map(({ origin }) => closedOrder(origin));
    // More answers than there is time for: all of them are played.
    const leadIn = { blocks: inTurn(3), answers: 1e9, span: 8 };
    const [a, b] = (await interleaved(orders, inTurn(4), leadIn)).map(measured);
    const runs = runsOf(pair.came);
    // Their opening, three turns that lead in, and four that count, of both.
    expect(runs.map(({ name }) => name).join('')).toBe('ab'.repeat(1 + 3 + 4));
    for (const [name, measurement, server] of [
      ['a', a, pair.a],
      ['b', b, pair.b],
    ] as const) {
      if (measurement === undefined) throw new Error('an outcome is missing');
      const { blocks, window, ledger } = measurement;
      const own = runs.filter((run) => run.name === name).map(({ length }) => length);
      expect(measurement.leadIn).toMatchObject({ blocks: 3, hasSettled: false });
      expect(blocks.map(({ answers }) => answers)).toEqual(own.slice(1 + 3));
      expect(window.ok).toBe(sumOf(blocks, 'answers'));
      const led = own.slice(1, 1 + 3).reduce((sum, length) => sum + length, 0);
      expect(measurement.leadIn.answers).toBe(led);
      const uncounted = own.slice(0, 1 + 3).reduce((sum, length) => sum + length, 0);
      expect(ledger.ok).toBe(window.ok + uncounted);
      expect(ledger.ok).toBe(server.requests);
    }
  });

  test('end once all servers have settled', async () => {
    await using pair = await servePair(always);
    const short = { window: { ns: 0.02e9 } };
    const orders = [pair.a, pair.b].map(({ origin }) => closedOrder(origin, short));
    const leadIn = { blocks: inTurn(200), answers: 160, span: 8 };
    const [a, b] = (await interleaved(orders, inTurn(2), leadIn)).map(measured);
    expect(a?.leadIn.hasSettled).toBe(true);
    expect(b?.leadIn.hasSettled).toBe(true);
    expect(a?.leadIn.blocks).toBe(b?.leadIn.blocks);
    expect(a?.leadIn.blocks).toBeGreaterThanOrEqual(16);
    expect(a?.leadIn.blocks).toBeLessThan(200);
    expect(a?.blocks).toHaveLength(2);
  });

  test('go on without a server that refuses', async () => {
    await using server = await serveHere((response) => response.end(BODY));
    const refusing = closedOrder(`http://127.0.0.1:${await closedPort()}`);
    const leadIn = { blocks: inTurn(2), answers: 1e9, span: 8 };
    const orders = [refusing, closedOrder(server.origin)];
    const [refused, other] = await interleaved(orders, inTurn(2), leadIn);
    expect(refused).toEqual({ kind: 'refused' });
    expect(measured(other).leadIn.blocks).toBe(2);
    expect(measured(other).blocks).toHaveLength(2);
  });
});

describe('work that a server does after its answers', () => {
  const WORK_MS = 2;
  /** So much CPU time for each answer, 40 ms after it; nothing but its own process counts. */
  const LATE = `
    const work = () => {
      const { user, system } = process.cpuUsage();
      const used = () => process.cpuUsage().user + process.cpuUsage().system - user - system;
      while (used() < ${WORK_MS * 1000});
    };
    const server = require('node:http').createServer((request, response) => {
      response.end('${BODY}', () => setTimeout(work, 40));
    });
    server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;

  async function serveLate() {
    const child = execa(process.execPath, ['-e', LATE], { reject: false });
    const { pid } = child;
    if (pid === undefined) throw new Error('node did not start');
    const [port] = await once(child.stdout, 'data');
    return {
      origin: `http://127.0.0.1:${String(port).trim()}`,
      pids: { server: [pid], manager: [], harness: [], services: {} },
      [Symbol.asyncDispose]: async () => {
        child.kill('SIGKILL');
        await child;
      },
    };
  }

  test('is all in what is charged to it, and not in its turns', async () => {
    await using late = await serveLate();
    await using other = await serveHere((response) => response.end(BODY));
    const count = 6;
    const orders = [
      // Turns that are over before the first of the work is due.
      closedOrder(late.origin, { pids: late.pids, window: { ns: count * 1e6 }, quietCapNs: 3e9 }),
      // Long enough for the work that the turn before it has left.
      closedOrder(other.origin, { window: { ns: count * 3e8 } }),
    ];
    const [own, others] = (await interleaved(orders, inTurn(count))).map(measured);
    if (own === undefined || others === undefined) throw new Error('an outcome is missing');
    const workNs = own.window.ok * WORK_MS * 1e6;
    expect(own.blocks).toHaveLength(count);
    expect(sumOf(own.blocks, 'chargedNs')).toBeGreaterThanOrEqual(workNs);
    expect(sumOf(own.blocks, 'cpuNs')).toBeLessThan(workNs / 2);
    // The last turn has the work after it too, until the server is quiet.
    expect(own.blocks.at(-1)?.chargedNs).toBeGreaterThan(10 * WORK_MS * 1e6);
    expect(own.blocks.at(-1)?.ns).toBeGreaterThan(1e9);
    expect(own.isQuiet).toBe(true);
    // Each is charged up to the opening of the next one, and so for all turns of the other one too.
    expect(sumOf(own.blocks, 'ns')).toBeGreaterThan(own.windowNs + others.windowNs);
    expect(others.isQuiet).toBeNull();
  });

  test('is not waited for past the cap', async () => {
    await using late = await serveLate();
    const order = { pids: late.pids, quietCapNs: 1e6, idleNsPerS: 7e6 };
    const [own] = (await interleaved([closedOrder(late.origin, order)], [[0], [0]])).map(measured);
    expect(own).toMatchObject({ isQuiet: false, idleNsPerS: 7e6 });
  });

  test('tells what the server uses idle, where that is less than was known', async () => {
    await using late = await serveLate();
    const order = { pids: late.pids, quietCapNs: 5e9, idleNsPerS: 9e8 };
    const [own] = (await interleaved([closedOrder(late.origin, order)], [[0], [0]])).map(measured);
    expect(own?.isQuiet).toBe(true);
    expect(own?.idleNsPerS).toBeLessThan(9e8);
  });

  test('may go on while the server closes idle connections, of which nothing is lost', async () => {
    let closing: NodeJS.Timeout | undefined;
    const closeIdle = () => {
      for (const socket of server.connections.keys()) socket.destroy();
    };
    await using server = await serveHere((response) => {
      clearTimeout(closing);
      closing = setTimeout(closeIdle, 200);
      response.end(BODY);
    });
    // Nobody is so quiet.
    const order = closedOrder(server.origin, { quietCapNs: 1e9, idleNsPerS: -1e9 });
    const [own] = (await interleaved([order], [[0]])).map(measured);
    if (own === undefined) throw new Error('an outcome is missing');
    expect(own.isQuiet).toBe(false);
    expect(own.ledger).toEqual({ ...NONE, sent: own.ledger.ok, ok: own.ledger.ok });
    expect(own.ledger.ok).toBe(server.requests);
  });
});

describe('whole rounds', () => {
  /** Takes this long for each of three requests, the first of which comes twice as often. */
  async function inRounds(answerMs: number, parts: Partial<ClosedOrder>, blocks: number[][]) {
    await using server = await serveHere(async (response) => {
      await sleep(answerMs);
      response.end(BODY);
    });
    const requests = [agreed(BODY, '/a', 2), agreed(BODY, '/b'), agreed(BODY, '/c')];
    const order = closedOrder(server.origin, { requests, wholeRounds: true, ...parts });
    return await interleaved([order], blocks);
  }

  test.each([1, 3, 10])(
    'of requests are in each turn, with %d connections',
    async (connections) => {
      const [one] = await inRounds(7, { connections }, [[0], [0], [0]]);
      const { requests, window, ledger } = measured(one);
      const counts = requests.map(({ ok }) => ok);
      expect(counts).toEqual([window.ok / 2, window.ok / 4, window.ok / 4]);
      expect(window.ok).toBeGreaterThanOrEqual(3 * 4);
      expect(ledger).toEqual({ ...NONE, sent: ledger.ok, ok: ledger.ok });
    },
  );

  test('are sent even where one takes longer than the turn', async () => {
    const [one] = await inRounds(60, { connections: 2, window: { ns: 5e7 } }, [[0]]);
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
    const [silent] = await interleaved([closedOrder(server.origin, parts)], [[0]]);
    expect(silent).toEqual({ kind: 'did not drain' });
  });
});

const NONE = { wrongStatus: 0, wrongBody: 0, timedOut: 0, disconnected: 0, inFlight: 0 };

function measured(outcome: InterleavedOutcome | undefined): Measurement {
  if (outcome?.kind === 'measured') return outcome.measurement;
  throw new Error(`the generator answered ${JSON.stringify(outcome)}`);
}

function sumOf(blocks: readonly Block[], what: keyof Block): number {
  return blocks.reduce((sum, block) => sum + block[what], 0);
}

/** Each name once for all its neighbours of the same name, and how many those are. */
function runsOf(names: string[]): { name: string; length: number }[] {
  const starts = [...names.keys()].filter((index) => names[index] !== names[index - 1]);
  return starts.map((start, place) => {
    return { name: names[start] ?? '', length: (starts[place + 1] ?? names.length) - start };
  });
}
