import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import * as hdr from 'hdr-histogram-js';
import { describe, expect, test } from 'vitest';
import type { Block, Measurement } from '../../src/load/measurement.ts';
import type { ClosedOrder, InterleavedOutcome } from '../../src/load/protocol.ts';
import { NO_LEAD_IN } from '../../src/plan/draw.ts';
import { ownPlace } from '../support/leftovers.ts';
import { eventually } from '../support/processes.ts';
import { agreed, BODY, closedOrder, closedPort, type LocalServer, serveHere } from './servers.ts';
import { shareGenerator } from './shared-generator.ts';

const shared = shareGenerator(ownPlace());

/** Two servers of which each request is put down, in the order in which they came; one may fall silent. */
async function servePair(answersOfA = Infinity) {
  const stack = new AsyncDisposableStack();
  const came: string[] = [];
  const serve = async (name: string, answers: number) => {
    let count = 0;
    const server = await serveHere((response) => {
      came.push(name);
      if (++count <= answers) response.end(BODY);
    });
    return stack.use(server);
  };
  return {
    both: [await serve('a', answersOfA), await serve('b', Infinity)],
    came,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

const serveAll = () => serveHere((response) => response.end(BODY));
const ordersFor = (servers: LocalServer[], changes: Partial<ClosedOrder> = {}) => {
  return servers.map(({ origin }) => closedOrder(origin, changes));
};
const refusing = async () => closedOrder(`http://127.0.0.1:${await closedPort()}`);

/** So many blocks of the first of two orders and then the other. */
function inTurn(count: number): number[][] {
  return Array.from({ length: count }, () => [0, 1]);
}

/** What became of these orders in these blocks, all of which count unless told otherwise. */
async function interleaved(orders: ClosedOrder[], blocks: number[][], leadIn = NO_LEAD_IN) {
  return await shared.generator.interleave({ orders, blocks, leadIn });
}

/** Each of two servers with what was measured of it. */
async function measuredPair(servers: LocalServer[], outcomes: Promise<InterleavedOutcome[]>) {
  const measurements = (await outcomes).map(measured);
  return servers.map((server, place) => {
    return { server, name: 'ab'[place], measurement: present(measurements[place]) };
  });
}

test('servers are under load one at a time, in the order as given, and what was sent was answered', async () => {
  await using pair = await servePair();
  const orders = ordersFor(pair.both, { pipelining: 3 });
  const blocks = [
    [1, 0],
    [0, 1],
    [1, 0],
  ];
  for (const each of await measuredPair(pair.both, interleaved(orders, blocks))) {
    const { server, measurement } = each;
    const { ledger, window, cpu } = measurement;
    expect(ledger).toEqual({ ...NONE, sent: ledger.ok, ok: ledger.ok });
    expect(ledger.sent).toBe(server.requests);
    expect(server.connections.size).toBe(10);
    expect(window.sent).toBe(window.ok);
    expect(measurement.blocks).toHaveLength(3);
    expect(sumOf(measurement.blocks, 'answers')).toBe(window.ok);
    expect(sumOf(measurement.blocks, 'cpuNs')).toBe(cpu.server.cpuNs);
    expect(cpu.server.cpuNs).toBeGreaterThan(0);
    // Of three turns, each with a request in every place at the least.
    expect(window.ok).toBeGreaterThanOrEqual(3 * 10 * 3);
    expect(window.ok).toBeLessThan(ledger.ok);
    const latencies = hdr.decodeFromCompressedBase64(measurement.latencyHistogram);
    expect(latencies.totalCount).toBe(window.ok);
    expect(latencies.maxValue).toBeLessThan(measurement.windowNs);
    expect(measurement).toMatchObject({
      leadIn: { blocks: 0, answers: 0, ns: 0, hasSettled: null },
      ...{ disturbed: [], idleNsPerS: 0, isQuiet: null },
      ...{ warmupCapped: false, drainCapped: false, generators: 1 },
    });
  }
  // The connections are opened in the order of the orders; turns that follow one another are one run.
  expect(runsOf(pair.came).map(({ name }) => name)).toEqual(['a', 'b', 'a', 'b', 'a']);
});

test('a generator that never sleeps turns for the load that is on', async () => {
  await using pair = await servePair();
  const orders = ordersFor(pair.both, { turnNs: 2e6 });
  for (const { turns, windowNs } of (await interleaved(orders, inTurn(2))).map(measured)) {
    expect(turns.all).toBeGreaterThan(0);
    expect(turns.all).toBeLessThanOrEqual(windowNs / 2e6 + 2);
    expect(turns.idleNs).toBeLessThanOrEqual(windowNs + 4e6);
  }
});

describe('a server is left out, and the other has all of its turns, where it', () => {
  test.each([
    ['refuses', NO_LEAD_IN],
    ['refuses before blocks that lead in', { blocks: inTurn(2), answers: 1e9, span: 8 }],
  ])('%s', async (_what, leadIn) => {
    await using server = await serveAll();
    const orders = [await refusing(), closedOrder(server.origin)];
    const [refused, other] = await interleaved(orders, inTurn(2), leadIn);
    expect(refused).toEqual({ kind: 'refused' });
    expect(measured(other).leadIn.blocks).toBe(leadIn.blocks.length);
    expect(measured(other).blocks).toHaveLength(2);
    expect(measured(other).window.ok).toBeGreaterThan(0);
  });

  test('stops in the middle', async () => {
    await using server = await serveAll();
    let count = 0;
    const dying = await serveHere((response) => {
      if (++count === 40) dying[Symbol.asyncDispose]();
      response.end(BODY);
    });
    const [died, other] = await interleaved(ordersFor([dying, server]), inTurn(5));
    expect(died).toEqual({ kind: 'refused' });
    expectComplete(measured(other));
  });

  test('goes silent', async () => {
    await using pair = await servePair(40);
    // Long enough for the other one on a busy machine.
    const orders = ordersFor(pair.both, { drainCapNs: 3e8 });
    const [silent, other] = await interleaved(orders, inTurn(5));
    expect(silent).toEqual({ kind: 'did not drain' });
    expectComplete(measured(other));
  });

  function expectComplete({ ledger, blocks }: Measurement): void {
    expect(ledger).toEqual({ ...NONE, sent: ledger.ok, ok: ledger.ok });
    expect(blocks).toHaveLength(5);
  }
});

test('an interleaving that is stopped says so, and the generator takes the next order', async () => {
  await using pair = await servePair();
  const ordersOf = (ns: number) => ordersFor(pair.both, { window: { ns } });
  const interleaving = interleaved(ordersOf(60e9), inTurn(1));
  expect(await eventually(() => runsOf(pair.came).length > 2, 20_000)).toBe(true);
  shared.generator.stop();
  expect(await interleaving).toEqual([{ kind: 'stopped' }, { kind: 'stopped' }]);
  const again = await interleaved(ordersOf(1e8), inTurn(1));
  expect(again.map(measured).length).toBe(2);
});

describe('blocks that lead in', () => {
  test('are not counted, and those after them are, to the last answer', async () => {
    await using pair = await servePair();
    // More answers than there is time for: all of them are played.
    const leadIn = { blocks: inTurn(3), answers: 1e9, span: 8 };
    const outcomes = interleaved(ordersFor(pair.both), inTurn(4), leadIn);
    const both = await measuredPair(pair.both, outcomes);
    const runs = runsOf(pair.came);
    // Their opening, three turns that lead in, and four that count, of both.
    expect(runs.map(({ name }) => name).join('')).toBe('ab'.repeat(1 + 3 + 4));
    for (const { name, measurement, server } of both) {
      const { blocks, window, ledger } = measurement;
      const own = runs.filter((run) => run.name === name).map(({ length }) => length);
      const total = (lengths: number[]) => lengths.reduce((sum, length) => sum + length, 0);
      expect(measurement.leadIn).toMatchObject({ blocks: 3, hasSettled: false });
      expect(measurement.leadIn.answers).toBe(total(own.slice(1, 4)));
      expect(blocks.map(({ answers }) => answers)).toEqual(own.slice(4));
      expect(window.ok).toBe(sumOf(blocks, 'answers'));
      expect(ledger.ok).toBe(window.ok + total(own.slice(0, 4)));
      expect(ledger.ok).toBe(server.requests);
    }
  });

  test('end once all servers have settled', async () => {
    await using pair = await servePair();
    const orders = ordersFor(pair.both, { window: { ns: 0.02e9 } });
    const leadIn = { blocks: inTurn(200), answers: 160, span: 8 };
    const all = (await interleaved(orders, inTurn(2), leadIn)).map(measured);
    const [first] = all.map(({ leadIn: { blocks } }) => blocks);
    expect(first).toBeGreaterThanOrEqual(16);
    expect(first).toBeLessThan(200);
    for (const { leadIn: led, blocks } of all) {
      expect(led).toMatchObject({ hasSettled: true, blocks: first });
      expect(blocks).toHaveLength(2);
    }
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
    const origin = `http://127.0.0.1:${String(port).trim()}`;
    return {
      order: (changes: Partial<ClosedOrder>) => {
        const pids = { server: [pid], manager: [], harness: [], services: {} };
        return closedOrder(origin, { pids, ...changes });
      },
      [Symbol.asyncDispose]: async () => {
        child.kill('SIGKILL');
        await child;
      },
    };
  }

  test('is all in what is charged to it, and not in its turns', async () => {
    await using late = await serveLate();
    await using other = await serveAll();
    const count = 6;
    const orders = [
      // Turns that are over before the first of the work is due.
      late.order({ window: { ns: count * 1e6 }, quietCapNs: 3e9 }),
      // Long enough for the work that the turn before it has left.
      closedOrder(other.origin, { window: { ns: count * 3e8 } }),
    ];
    const [own, others] = (await interleaved(orders, inTurn(count))).map(measured);
    const { blocks, isQuiet, window, windowNs } = present(own);
    const workNs = window.ok * WORK_MS * 1e6;
    expect(blocks).toHaveLength(count);
    expect(sumOf(blocks, 'chargedNs')).toBeGreaterThanOrEqual(workNs);
    expect(sumOf(blocks, 'cpuNs')).toBeLessThan(workNs / 2);
    // The last turn has the work after it too, until the server is quiet.
    expect(blocks.at(-1)?.chargedNs).toBeGreaterThan(10 * WORK_MS * 1e6);
    expect(blocks.at(-1)?.ns).toBeGreaterThan(1e9);
    expect(isQuiet).toBe(true);
    // Each is charged up to the opening of the next one, and so for all turns of the other one too.
    expect(sumOf(blocks, 'ns')).toBeGreaterThan(windowNs + present(others).windowNs);
    expect(others?.isQuiet).toBeNull();
  });

  test.each([
    ['is not waited for past the cap', 1e6, 7e6, false],
    ['tells what the server uses idle, where that is less than was known', 5e9, 9e8, true],
  ])('%s', async (_what, quietCapNs, idleNsPerS, isQuiet) => {
    await using late = await serveLate();
    const order = late.order({ quietCapNs, idleNsPerS });
    const own = measured((await interleaved([order], [[0], [0]]))[0]);
    expect(own.isQuiet).toBe(isQuiet);
    if (isQuiet) expect(own.idleNsPerS).toBeLessThan(idleNsPerS);
    else expect(own.idleNsPerS).toBe(idleNsPerS);
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
    const { isQuiet, ledger } = measured((await interleaved([order], [[0]]))[0]);
    expect(isQuiet).toBe(false);
    expect(ledger).toEqual({ ...NONE, sent: ledger.ok, ok: ledger.ok });
    expect(ledger.ok).toBe(server.requests);
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
    return measured((await interleaved([order], blocks))[0]);
  }

  test.each([1, 3, 10])('of requests are in each turn, with %d connections', async (count) => {
    const { requests, window, ledger } = await inRounds(7, { connections: count }, [[0], [0], [0]]);
    const counts = requests.map(({ ok }) => ok);
    expect(counts).toEqual([window.ok / 2, window.ok / 4, window.ok / 4]);
    expect(window.ok).toBeGreaterThanOrEqual(3 * 4);
    expect(ledger).toEqual({ ...NONE, sent: ledger.ok, ok: ledger.ok });
  });

  test('are sent even where one takes longer than the turn', async () => {
    const short = { connections: 2, window: { ns: 5e7 } };
    const { requests, windowNs } = await inRounds(60, short, [[0]]);
    expect(requests.map(({ ok }) => ok)).toEqual([2, 1, 1]);
    expect(windowNs).toBeGreaterThan(1e8);
  });

  test('are not waited for where the server has gone silent', async () => {
    let count = 0;
    await using server = await serveHere((response) => {
      if (++count < 5) response.end(BODY);
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

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('an outcome is missing');
  return value;
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
