/** Several requests in one load: what a server sees of it, and what is counted. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { Batches } from '../../src/load/batches.ts';
import { closedLoop } from '../../src/load/closed-loop.ts';
import { carryOutInterleaving } from '../../src/load/interleaving.ts';
import { carryOut } from '../../src/load/loop.ts';
import { RequestCursors } from '../../src/load/mix.ts';
import { Pacer } from '../../src/load/pacer.ts';
import { pacerLoop } from '../../src/load/pacer-loop.ts';
import type { ClosedOrder } from '../../src/load/protocol.ts';
import { NO_LEAD_IN } from '../../src/plan/draw.ts';
import type { ExpectedExchange } from '../../src/targets/exchange.ts';
import { agreed, BODY, closedOrder, openOrder, serveHere } from './servers.ts';

const NEVER = new AbortController().signal;
/** Characters of three and four bytes, enough for several pieces. */
const LONG = '안녕하세요 🌍 '.repeat(20_000);
const THREE = [agreed('a', '/a', 2), agreed('b', '/b'), agreed('c', '/c')];
const job = { stopped: NEVER, ready: async () => 0 };

/** What a closed loop on this server came to. */
async function measured(
  { origin }: { origin: string },
  changes: Partial<ClosedOrder>,
  cursors = new RequestCursors(),
) {
  const order = closedOrder(origin, changes);
  const outcome = await carryOut(order, () => closedLoop(order, cursors), job);
  if (outcome.kind !== 'measured') throw new Error(outcome.kind);
  return outcome.measurement;
}

/** The round of THREE. */
const ROUND = ['a', 'b', 'c', 'a'];
/** It from its request at this place on. */
const roundFrom = (start: number) => [...ROUND.slice(start), ...ROUND.slice(0, start)];

const echo = (response: ServerResponse, { url = '' }: IncomingMessage) => {
  response.end(url.slice(1));
};

/** Answers as `echo` does, and notes what each connection asked for. */
function noting() {
  const asked = new Map<unknown, string[]>();
  const handle = (response: ServerResponse, request: IncomingMessage) => {
    const own = asked.get(request.socket) ?? [];
    asked.set(request.socket, [...own, (request.url ?? '').slice(1)]);
    echo(response, request);
  };
  return { asked, handle };
}

describe('a closed loop', () => {
  test('has every connection go through the mix from a start of its own', async () => {
    const { asked, handle } = noting();
    await using server = await serveHere(handle);
    const { requests, ledger } = await measured(server, { connections: 4, requests: THREE });
    const orders = [...asked.values()].map((own) => own.slice(0, 4).join(''));
    expect(orders.sort()).toEqual(ROUND.map((_, start) => roundFrom(start).join('')).sort());
    expect(ledger).toMatchObject({ wrongStatus: 0, wrongBody: 0 });
    const [a, b, c] = requests.map(({ ok }) => ok);
    expect(a).toBeGreaterThan(0);
    for (const each of [b, c]) {
      expect(Math.abs((each ?? 0) - (a ?? 0) / 2)).toBeLessThanOrEqual(8);
    }
  });

  test.each([1, 10])(
    'tells apart whose answers are wrong, with %d requests in a line',
    async (pipelining) => {
      await using server = await serveHere((response, { url }) => {
        if (url === '/status') response.statusCode = 500;
        response.end(url === '/body' ? 'wrong' : BODY);
      });
      const requests = ['/fine', '/status', '/body'].map((path) => agreed(BODY, path));
      const load = { connections: 3, pipelining, requests };
      const { window, requests: counted } = await measured(server, load);
      const [fine, status, body] = counted;
      expect(fine).toEqual({ ok: window.ok, wrongStatus: 0, wrongBody: 0 });
      expect(status).toEqual({ ok: 0, wrongStatus: window.wrongStatus, wrongBody: 0 });
      expect(body).toEqual({ ok: 0, wrongStatus: 0, wrongBody: window.wrongBody });
      for (const many of [window.ok, window.wrongStatus, window.wrongBody]) {
        expect(many).toBeGreaterThan(0);
      }
    },
  );

  test('knows a long body of many-byte characters, wherever it is cut', async () => {
    await using server = await serveHere(async (response) => {
      const bytes = Buffer.from(LONG);
      response.writeHead(200, { 'content-length': bytes.length });
      response.write(bytes.subarray(0, 10_001));
      await sleep(5);
      response.write(bytes.subarray(10_001, 20_003));
      await sleep(5);
      response.end(bytes.subarray(20_003));
    });
    const load = { connections: 2, pipelining: 2, requests: [agreed(LONG)] };
    const { ledger } = await measured(server, load);
    expect(ledger.ok).toBeGreaterThan(0);
    expect(ledger.wrongBody).toBe(0);
  });

  test('sends what a request holds: method, headers and body', async () => {
    const seen = new Set<string>();
    await using server = await serveHere(async (response, request) => {
      let text = '';
      for await (const piece of request) text += piece;
      seen.add(`${request.method} ${request.url} ${request.headers['x-own']} ${text}`);
      response.end(BODY);
    });
    const post: ExpectedExchange = {
      ...agreed(BODY, '/orders'),
      request: {
        method: 'POST',
        path: '/orders',
        headers: { 'x-own': 'yes' },
        body: { encoding: 'utf8', data: '주문' },
      },
    };
    const { ledger } = await measured(server, { requests: [post] });
    expect(ledger.wrongStatus + ledger.wrongBody).toBe(0);
    expect([...seen]).toEqual(['POST /orders yes 주문']);
  });

  test('goes on after the last answer when it comes again', async () => {
    const { asked, handle } = noting();
    await using server = await serveHere(handle);
    const cursors = new RequestCursors();
    const load = { connections: 1, requests: THREE, window: { ns: 0.05e9 } };
    const first = await measured(server, load, cursors);
    await measured(server, load, cursors);
    const [before = [], after = []] = [...asked.values()];
    expect(before.slice(0, 4)).toEqual(ROUND);
    expect(after.slice(0, 4)).toEqual(roundFrom(first.ledger.ok % 4));
  });

  test('sees the whole mix from a server that answers once in a slice', async () => {
    const answered: string[] = [];
    await using server = await serveHere(async (response, { url = '' }) => {
      await sleep(40);
      response.end(url.slice(1), () => answered.push(url.slice(1)));
    });
    const cursors = new RequestCursors();
    const requests = ['a', 'b', 'c', 'd'].map((text) => agreed(text, `/${text}`));
    const order = closedOrder(server.origin, {
      connections: 1,
      requests,
      opening: { when: 'at once' },
    });
    for (let slice = 0; slice < 4; slice++) {
      const batches = new Batches(order, new AbortController().signal, cursors);
      expect(await batches.take({ ns: 10e9, answers: 1 })).toMatchObject({ kind: 'batch' });
      await batches.end();
    }
    expect(new Set(answered)).toEqual(new Set(['a', 'b', 'c', 'd']));
  });
});

test('an interleaving goes on in the mix from turn to turn', async () => {
  const { asked, handle } = noting();
  await using server = await serveHere(handle);
  const order = closedOrder(server.origin, { connections: 1, requests: THREE });
  const blocks = [[0], [0], [0], [0]];
  const interleaving = { orders: [order], blocks, leadIn: NO_LEAD_IN };
  const [outcome] = await carryOutInterleaving(interleaving, NEVER);
  expect(outcome).toMatchObject({ kind: 'measured' });
  const [own = []] = [...asked.values()];
  expect(own.length).toBeGreaterThan(8);
  expect(own).toEqual(own.map((_, index) => ROUND[index % 4]));
});

test('an open loop goes through the mix in the order of its plan, and on from there', async () => {
  // A machine that is late has the only connection drop some, whose turns nobody sees: it tries again then.
  for (let attempt = 0; attempt < 10; attempt++) {
    const { asked, handle } = noting();
    await using server = await serveHere(handle);
    const order = openOrder(server.origin, { requests: THREE, connections: 1, ratePerS: 50 });
    const pacer = new Pacer(order, { onRefused: () => {} });
    await expect.poll(() => pacer.total.counts.planned, { timeout: 10_000 }).toBeGreaterThan(8);
    await pacer.stop();
    if (pacer.total.counts.dropped > 0) continue;
    const [own = []] = [...asked.values()];
    expect(own.length).toBeGreaterThan(7);
    expect(own).toEqual(own.map((_, index) => ROUND[index % 4]));
    return;
  }
  throw new Error('each time some requests were dropped');
});

test('an open loop tells the answers to each request of its mix', async () => {
  await using server = await serveHere(echo);
  const order = openOrder(server.origin, { requests: THREE, window: { ns: 0.2e9 } });
  const outcome = await carryOut(order, () => pacerLoop(order, new RequestCursors()), job);
  if (outcome.kind !== 'measured') throw new Error(outcome.kind);
  const { requests, window } = outcome.measurement;
  expect(requests.reduce((sum, { ok }) => sum + ok, 0)).toBe(window.ok);
  expect(requests.every(({ ok }) => ok > 0)).toBe(true);
});
