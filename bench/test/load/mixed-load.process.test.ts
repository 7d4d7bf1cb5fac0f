/** Several requests in one load: what a server sees of it, and what is counted. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { beginBatches, closedLoop } from '../../src/load/closed-loop.ts';
import { carryOutInterleaving } from '../../src/load/interleaving.ts';
import { carryOut } from '../../src/load/loop.ts';
import { RequestCursors } from '../../src/load/mix.ts';
import type { ClosedOrder } from '../../src/load/protocol.ts';
import { READ_HERE } from '../../src/load/readings.ts';
import { NO_LEAD_IN } from '../../src/plan/draw.ts';
import type { ExpectedExchange } from '../../src/targets/exchange.ts';
import { measuredIn, NEVER } from './generators.ts';
import { AT_ONCE, closedOrder, expectedExchange, THREE } from './orders.ts';
import { BODY, serveHere } from './servers.ts';

/** Characters of three and four bytes, enough for several chunks. */
const LONG = '안녕하세요 🌍 '.repeat(20_000);
/** The round of THREE. */
const ROUND = ['a', 'b', 'c', 'a'];
const roundFrom = (start: number) => [...ROUND.slice(start), ...ROUND.slice(0, start)];
const jobOf = () => ({ stopped: NEVER, cursors: new RequestCursors(), readings: READ_HERE });

/** What a closed loop on this server came to. */
async function measured({ origin }: { origin: string }, changes: Partial<ClosedOrder>) {
  const order = closedOrder(origin, changes);
  const start = async () => closedLoop(order);
  return measuredIn(await carryOut(order, start, async () => 0, jobOf()));
}

/** Answers with the path, and notes what each connection asked for. */
async function serveNoting() {
  const asked = new Map<unknown, string[]>();
  const server = await serveHere((response, request) => {
    const text = (request.url ?? '').slice(1);
    asked.set(request.socket, [...(asked.get(request.socket) ?? []), text]);
    response.end(text);
  });
  return Object.assign(server, { asked: () => [...asked.values()] });
}

describe('a closed loop', () => {
  test('has every connection go through the mix from a start of its own', async () => {
    await using server = await serveNoting();
    const order = closedOrder(server.origin, { connections: 4, requests: THREE });
    const batches = await beginBatches(order, jobOf());
    expect(await batches.take({ ns: 10e9, answers: 100 })).toMatchObject({ kind: 'batch' });
    await batches.end();
    const rounds = server.asked().map((own) => own.slice(0, 4).join(''));
    expect(rounds.sort()).toEqual(ROUND.map((_, start) => roundFrom(start).join('')).sort());
  });

  test.each([1, 10])('counts wrong answers by request, with -p %d', async (pipelining) => {
    await using server = await serveHere((response, { url }) => {
      if (url === '/status') response.statusCode = 500;
      response.end(url === '/body' ? 'wrong' : BODY);
    });
    const mix = ['/fine', '/status', '/body'].map((path) => expectedExchange(BODY, path));
    const load = { connections: 3, pipelining, requests: mix };
    const { window, requests } = await measured(server, load);
    const { ok, wrongStatus, wrongBody } = window;
    expect(requests).toEqual([
      { ok, wrongStatus: 0, wrongBody: 0 },
      { ok: 0, wrongStatus, wrongBody: 0 },
      { ok: 0, wrongStatus: 0, wrongBody },
    ]);
    expect(Math.min(ok, wrongStatus, wrongBody)).toBeGreaterThan(0);
  });

  test('recognizes a long body of multi-byte characters, however it is split', async () => {
    await using server = await serveHere(async (response) => {
      const bytes = Buffer.from(LONG);
      response.writeHead(200, { 'content-length': bytes.length });
      response.write(bytes.subarray(0, 10_001));
      await sleep(5);
      response.end(bytes.subarray(10_001));
    });
    const load = { connections: 2, pipelining: 2, requests: [expectedExchange(LONG)] };
    const { ledger } = await measured(server, load);
    expect(ledger.ok).toBeGreaterThan(0);
    expect(ledger.wrongBody).toBe(0);
  });

  test('sends what a request holds: method, headers and body', async () => {
    const seen = new Set<string>();
    await using server = await serveHere(async (response, request) => {
      let text = '';
      for await (const chunk of request) text += chunk;
      seen.add(`${request.method} ${request.url} ${request.headers['x-own']} ${text}`);
      response.end(BODY);
    });
    const body = { encoding: 'utf8', data: '주문' } as const;
    const post: ExpectedExchange = {
      ...expectedExchange(BODY, '/orders'),
      request: { method: 'POST', path: '/orders', headers: { 'x-own': 'yes' }, body },
    };
    const { ledger } = await measured(server, { requests: [post] });
    expect(ledger.wrongStatus + ledger.wrongBody).toBe(0);
    expect([...seen]).toEqual(['POST /orders yes 주문']);
  });

  test('sends the whole mix to a server that answers once per slice', async () => {
    const answered: string[] = [];
    await using server = await serveHere(async (response, { url = '' }) => {
      await sleep(40);
      response.end(url.slice(1), () => answered.push(url.slice(1)));
    });
    const job = jobOf();
    const requests = ['a', 'b', 'c', 'd'].map((text) => expectedExchange(text, `/${text}`));
    const order = closedOrder(server.origin, { connections: 1, requests, ...AT_ONCE });
    for (let slice = 0; slice < 4; slice++) {
      const batches = await beginBatches(order, job);
      expect(await batches.take({ ns: 10e9, answers: 1 })).toMatchObject({ kind: 'batch' });
      await batches.end();
    }
    expect(new Set(answered)).toEqual(new Set(['a', 'b', 'c', 'd']));
  });
});

test('an interleaving goes on in the mix from turn to turn', async () => {
  await using server = await serveNoting();
  const order = closedOrder(server.origin, { connections: 1, requests: THREE });
  const interleaving = { orders: [order], blocks: [[0], [0], [0], [0]], leadIn: NO_LEAD_IN };
  const [outcome] = await carryOutInterleaving(interleaving, jobOf());
  expect(outcome).toMatchObject({ kind: 'measured' });
  const [asked = []] = server.asked();
  expect(asked.length).toBeGreaterThan(8);
  expect(asked).toEqual(asked.map((_, index) => ROUND[index % 4]));
});
