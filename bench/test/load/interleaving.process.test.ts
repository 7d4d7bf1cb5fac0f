import { setTimeout as sleep } from 'node:timers/promises';
import { sum } from 'simple-statistics';
import { describe, expect, test } from 'vitest';
import { carryOutInterleaving } from '../../src/load/interleaving.ts';
import type { Block } from '../../src/load/measurement.ts';
import { RequestCursors } from '../../src/load/mix.ts';
import type { ClosedOrder, Interleaving, Outcome } from '../../src/load/protocol.ts';
import { NO_LEAD_IN } from '../../src/plan/draw.ts';
import { ownPlace } from '../support/leftovers.ts';
import { expectWithin, ledgerOf, until } from './expectations.ts';
import { latenciesOf, measuredIn, NEVER, readingsOf, shareGenerator } from './generators.ts';
import { closedOrder, expectedExchange, LONG, THREE } from './orders.ts';
import { BODY, closedOrigin, type LocalServer, serveHere } from './servers.ts';

const shared = shareGenerator(ownPlace());

/** Two servers whose requests are noted in the order in which they came. */
async function servePair() {
  const stack = new AsyncDisposableStack();
  const came: string[] = [];
  const serve = async (name: string) => {
    const server = await serveHere((response) => {
      came.push(name);
      response.end(BODY);
    });
    return stack.use(server);
  };
  const both = [await serve('a'), await serve('b')];
  return { both, came, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

const ordersFor = (servers: LocalServer[], changes: Partial<ClosedOrder> = {}) => {
  return servers.map(({ origin }) => closedOrder(origin, changes));
};

/** This many blocks of the first of two orders and then the other. */
const inTurn = (count: number): number[][] => Array.from({ length: count }, () => [0, 1]);

/** What became of these orders in these blocks, all of which count unless told otherwise. */
async function interleaved(orders: ClosedOrder[], blocks: number[][], leadIn = NO_LEAD_IN) {
  const interleaving = { orders, blocks, leadIn };
  const reply = await shared.generator.ask({ kind: 'interleave', interleaving });
  if (reply.kind !== 'interleaved') throw new Error(JSON.stringify(reply));
  return reply.outcomes;
}

/** What was measured of two orders in this process, for whose servers this CPU time is read, ns. */
async function measuredHere(interleaving: Interleaving, usedNs: () => number) {
  const job = { stopped: NEVER, cursors: new RequestCursors(), readings: readingsOf(usedNs) };
  const [one, other] = await carryOutInterleaving(interleaving, job);
  return [measuredIn(one), measuredIn(other)] as const;
}

/** What was measured in one order by itself. */
const measuredAlone = async (order: ClosedOrder, blocks: number[][]) => {
  return measuredIn((await interleaved([order], blocks))[0]);
};

const sumOf = (blocks: readonly Block[], what: keyof Block) => {
  return sum(blocks.map((block) => block[what]));
};

/** Each name once for all its neighbours of the same name, and how many those are. */
function runsOf(names: string[]): { name: string; length: number }[] {
  const starts = [...names.keys()].filter((index) => names[index] !== names[index - 1]);
  return starts.map((start, place) => {
    return { name: names[start] ?? '', length: (starts[place + 1] ?? names.length) - start };
  });
}

test('servers are under load one at a time, in the given order, and what was sent was answered', async () => {
  await using pair = await servePair();
  const orders = ordersFor(pair.both, { pipelining: 3, turnNs: 2e6 });
  const outcomes = await interleaved(orders, [[1, 0], ...inTurn(1), [1, 0]]);
  for (const [place, server] of pair.both.entries()) {
    const measurement = measuredIn(outcomes[place]);
    const { ledger, window, cpu, turns, windowNs } = measurement;
    expect(ledger).toEqual(ledgerOf({ ok: server.requests }));
    expect(server.connections.size).toBe(10);
    expect(window.sent).toBe(window.ok);
    expect(measurement.blocks).toHaveLength(3);
    expect(sumOf(measurement.blocks, 'answers')).toBe(window.ok);
    expect(sumOf(measurement.blocks, 'cpuNs')).toBe(cpu.server.cpuNs);
    expect(cpu.server.cpuNs).toBeGreaterThan(0);
    // Of three turns, each with a request in every place at the least.
    expectWithin(window.ok, 3 * 10 * 3, ledger.ok - 1);
    expect(latenciesOf(measurement).totalCount).toBe(window.ok);
    expect(latenciesOf(measurement).maxValue).toBeLessThan(windowNs);
    // The generator never sleeps, and turns for the load that is on.
    expectWithin(turns.all, 1, windowNs / 2e6 + 3);
    expect(turns.idleNs).toBeLessThanOrEqual(windowNs + 6e6);
    expect(measurement).toMatchObject({
      leadIn: { blocks: 0, answers: 0, ns: 0, hasSettled: null },
      ...{ idleNsPerS: 0, isQuiet: null },
      ...{ warmupCapped: false, generators: 1 },
    });
  }
  // The connections are opened in the order of the orders; turns that follow one another are one run.
  expect(runsOf(pair.came).map(({ name }) => name)).toEqual(['a', 'b', 'a', 'b', 'a']);
});

describe('a server drops out, and the other has all of its turns, if it', () => {
  /** The other one has this many blocks, in which every request was answered. */
  const expectComplete = (outcome: Outcome | undefined, count: number) => {
    const { ledger, blocks, window } = measuredIn(outcome);
    expect(ledger).toEqual(ledgerOf({ ok: ledger.ok }));
    expect(window.ok).toBeGreaterThan(0);
    expect(blocks).toHaveLength(count);
  };

  test('refuses, before blocks that lead in', async () => {
    await using server = await serveHere();
    const orders = [closedOrder(await closedOrigin()), closedOrder(server.origin)];
    const leadIn = { blocks: inTurn(2), answers: 1e9, span: 8 };
    const [refused, other] = await interleaved(orders, inTurn(2), leadIn);
    expect(refused).toEqual({ kind: 'refused' });
    expect(measuredIn(other).leadIn.blocks).toBe(2);
    expectComplete(other, 2);
  });

  test.each([
    ['stops in the middle', 'refused'],
    ['goes silent', 'did not drain'],
  ])('%s', async (_what, kind) => {
    await using server = await serveHere();
    await using ending = await serveHere((response, _request, count) => {
      if (kind === 'refused' && count === 39) ending[Symbol.asyncDispose]();
      if (kind === 'refused' || count < 40) response.end(BODY);
    });
    // Long enough for the other one on a busy machine.
    const drainCapNs = kind === 'refused' ? 2e9 : 3e8;
    const orders = ordersFor([ending, server], { drainCapNs });
    const [ended, other] = await interleaved(orders, inTurn(5));
    expect(ended).toEqual({ kind });
    expectComplete(other, 5);
  });
});

test('an interleaving that is stopped says so, and the generator takes the next order', async () => {
  await using pair = await servePair();
  const interleaving = interleaved(ordersFor(pair.both, LONG), inTurn(1));
  await until(() => runsOf(pair.came).length > 2);
  shared.generator.stop();
  expect(await interleaving).toEqual([{ kind: 'stopped' }, { kind: 'stopped' }]);
  const again = await interleaved(ordersFor(pair.both, { window: { ns: 1e8 } }), inTurn(1));
  expect(again.map(measuredIn)).toHaveLength(2);
});

describe('blocks that lead in', () => {
  test('do not count, and those after them do, to the last answer', async () => {
    await using pair = await servePair();
    // More answers than there is time for: all of them are played.
    const leadIn = { blocks: inTurn(3), answers: 1e9, span: 8 };
    const both = await interleaved(ordersFor(pair.both), inTurn(4), leadIn);
    const runs = runsOf(pair.came);
    // Their opening, three turns that lead in, and four that count, of both.
    expect(runs.map(({ name }) => name).join('')).toBe('ab'.repeat(1 + 3 + 4));
    for (const [place, name] of ['a', 'b'].entries()) {
      const { blocks, window, ledger, leadIn: led } = measuredIn(both[place]);
      const own = runs.filter((run) => run.name === name).map(({ length }) => length);
      expect(led).toMatchObject({ blocks: 3, hasSettled: false });
      expect(led.answers).toBe(sum(own.slice(1, 4)));
      expect(blocks.map(({ answers }) => answers)).toEqual(own.slice(4));
      expect(window.ok).toBe(sumOf(blocks, 'answers'));
      expect(ledger.ok).toBe(sum(own));
      expect(ledger.ok).toBe(pair.both[place]?.requests);
    }
  });

  test('end once all servers have settled', async () => {
    await using one = await serveHere();
    await using other = await serveHere();
    const orders = ordersFor([one, other], { window: { ns: 0.02e9 } });
    const leadIn = { blocks: inTurn(200), answers: 160, span: 8 };
    const usedNs = () => (one.requests + other.requests) * 50_000;
    for (const found of await measuredHere({ orders, blocks: inTurn(2), leadIn }, usedNs)) {
      expect(found.leadIn).toMatchObject({ hasSettled: true, blocks: 16 });
      expect(found.blocks).toHaveLength(2);
    }
  });
});

describe('work that a server does after its answers', () => {
  test('is charged to the turn before it, and to no turn of another server', async () => {
    let [dueNs, usedNs] = [0, 0];
    await using late = await serveHere((response) => {
      dueNs += 1e6;
      response.end(BODY);
    });
    await using other = await serveHere((response) => {
      usedNs += dueNs;
      dueNs = 0;
      response.end(BODY);
    });
    const orders = ordersFor([late, other]);
    const interleaving = { orders, blocks: inTurn(3), leadIn: NO_LEAD_IN };
    const [own, others] = await measuredHere(interleaving, () => usedNs);
    expect(own.blocks).toHaveLength(3);
    for (const { answers, cpuNs, chargedNs } of own.blocks) {
      expect({ cpuNs, chargedNs }).toEqual({ cpuNs: 0, chargedNs: answers * 1e6 });
    }
    // Each is charged up to the opening of the next one, and so for all turns of the other one too.
    expect(sumOf(own.blocks, 'ns')).toBeGreaterThan(own.windowNs + others.windowNs);
    expect(own.isQuiet).toBeNull();
  });

  test('may go on while the server closes idle connections, of which nothing is lost', async () => {
    let closing: NodeJS.Timeout | undefined;
    const closeIdle = () => {
      for (const socket of server.connections) socket.destroy();
    };
    await using server = await serveHere((response) => {
      clearTimeout(closing);
      closing = setTimeout(closeIdle, 200);
      response.end(BODY);
    });
    // No server is that quiet.
    const order = closedOrder(server.origin, { quietCapNs: 1e9, idleNsPerS: -1e9 });
    const { isQuiet, ledger, blocks } = await measuredAlone(order, [[0]]);
    expect(isQuiet).toBe(false);
    // The last turn is charged until then.
    expect(blocks[0]?.ns).toBeGreaterThan(1e9);
    expect(ledger).toEqual(ledgerOf({ ok: server.requests }));
  });
});

describe('whole rounds', () => {
  /** Takes this long for each of three requests. */
  async function inRounds(answerMs: number, parts: Partial<ClosedOrder>, blocks: number[][]) {
    await using server = await serveHere(async (response, { url }) => {
      await sleep(answerMs);
      response.end(url?.slice(1));
    });
    const order = closedOrder(server.origin, { requests: THREE, wholeRounds: true, ...parts });
    return await measuredAlone(order, blocks);
  }

  test.each([1, 3, 10])('are in each turn, with %d connections', async (connections) => {
    const { requests, window, ledger } = await inRounds(7, { connections }, [[0], [0], [0]]);
    const { ok } = window;
    expect(requests.map((each) => each.ok)).toEqual([ok / 2, ok / 4, ok / 4]);
    expect(ok).toBeGreaterThanOrEqual(3 * 4);
    expect(ledger).toEqual(ledgerOf({ ok: ledger.ok }));
  });

  test('are sent even if a request takes longer than the turn', async () => {
    const short = { connections: 2, window: { ns: 5e7 } };
    const { requests, windowNs } = await inRounds(60, short, [[0]]);
    expect(requests.map(({ ok }) => ok)).toEqual([2, 1, 1]);
    expect(windowNs).toBeGreaterThan(1e8);
  });

  test('are not waited for if the server has gone silent', async () => {
    await using server = await serveHere((response, _request, count) => {
      if (count < 4) response.end(BODY);
    });
    const requests = [expectedExchange(BODY, '/a'), expectedExchange(BODY, '/b')];
    const parts = { requests, wholeRounds: true, connections: 2, drainCapNs: 1e8 };
    const outcomes = await interleaved([closedOrder(server.origin, parts)], [[0]]);
    expect(outcomes).toEqual([{ kind: 'did not drain' }]);
  });
});
