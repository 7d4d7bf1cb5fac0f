import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Histogram } from 'hdr-histogram-js';
import { describe, expect, test } from 'vitest';
import { HOST } from '../../src/launch/server.ts';
import { now } from '../../src/load/clock.ts';
import type { PaceTally } from '../../src/load/pace-tally.ts';
import { type PaceOrder, Pacer } from '../../src/load/pacer.ts';
import { eventually, socketsOn } from '../support/processes.ts';
import {
  agreed,
  BODY,
  bytesOfResponse,
  closedPort,
  type LocalServer,
  serveHere,
} from './servers.ts';

const WAIT_MS = 10_000;

function paceOrder(origin: string, changes: Partial<PaceOrder> = {}): PaceOrder {
  return {
    origin,
    requests: [agreed(BODY)],
    ratePerS: 500,
    connections: 100,
    leastConnections: 1,
    timeoutNs: 10e9,
    neverSleep: false,
    ...changes,
  };
}

/** A pacer that nobody refuses, and that ends with the test. */
function start(origin: string, changes: Partial<PaceOrder> = {}) {
  const refused = () => expect.unreachable('a connection was refused');
  const pacer = new Pacer(paceOrder(origin, changes), { onRefused: refused });
  return Object.assign(pacer, { [Symbol.asyncDispose]: () => pacer.stop() });
}

const serveAll = () => serveHere((response) => response.end(BODY));

/** Listens, and then does nothing: after two connections there is no room for more. */
async function neverAccepting() {
  const code = `
    const { parentPort } = require('node:worker_threads');
    const server = require('node:net').createServer();
    server.listen({ port: 0, host: '${HOST}', backlog: 1 }, () => {
      parentPort.postMessage(server.address().port);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`;
  const worker = new Worker(code, { eval: true });
  const [port] = await once(worker, 'message');
  return {
    origin: `http://${HOST}:${port}`,
    [Symbol.asyncDispose]: async () => {
      await worker.terminate();
    },
  };
}

/** Keeps the event loop from turning. */
function block(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
}

async function until(holds: () => boolean): Promise<void> {
  expect(await eventually(holds, WAIT_MS)).toBe(true);
}

function expectToAddUp(tally: PaceTally): void {
  const { planned, sent, dropped, ok, wrongStatus, wrongBody, timedOut, disconnected } =
    tally.counts;
  expect(planned).toBe(sent + dropped);
  expect(sent).toBe(ok + wrongStatus + wrongBody + timedOut + disconnected + tally.inFlight);
  expect(tally.latency.totalCount).toBe(ok);
  expect(tally.ages.lost.totalCount).toBe(timedOut + disconnected);
  expect(tally.ages.inFlight.totalCount).toBe(tally.inFlight);
  expect(tally.lateness.totalCount).toBe(planned);
}

const totalMs = (histogramUs: Histogram) => (histogramUs.totalCount * histogramUs.mean) / 1000;

describe('the plan', () => {
  test.each([
    { neverSleep: false, ratePerS: 90 },
    { neverSleep: false, ratePerS: 3000 },
    { neverSleep: true, ratePerS: 700 },
  ])(
    'has as many requests in a window as the rate says ($ratePerS/s, never sleeps: $neverSleep)',
    async ({ neverSleep, ratePerS }) => {
      await using server = await serveAll();
      await using pacer = start(server.origin, { neverSleep, ratePerS, connections: 500 });
      await until(() => pacer.total.counts.planned >= 0.1 * ratePerS);
      const edges = [now()];
      const window = pacer.openWindow(now());
      edges.push(now());
      await until(() => window.counts.planned >= 0.4 * ratePerS);
      edges.push(now());
      pacer.closeWindow(now());
      edges.push(now());
      const [before = 0, opened = 0, closing = 0, closed = 0] = edges;
      expect(window.counts.planned).toBeGreaterThan(((closing - opened) / 1e9) * ratePerS - 1);
      expect(window.counts.planned).toBeLessThan(((closed - before) / 1e9) * ratePerS + 1);
      expectToAddUp(window);
    },
  );

  test('goes on whatever the server does', async () => {
    await using server = await serveHere(() => {});
    await using pacer = start(server.origin, { connections: 60 });
    await until(() => pacer.total.counts.dropped >= 100);
    expect(pacer.total.counts.sent).toBe(60);
    expect(pacer.total.inFlight).toBe(60);
  });

  test('gives each request its own instant, also when many leave at once', async () => {
    await using server = await serveAll();
    await using pacer = start(server.origin, { ratePerS: 1000, connections: 1000 });
    await until(() => pacer.total.counts.ok >= 20);
    block(200);
    await until(() => pacer.total.counts.late >= 195);
    await pacer.stop();
    const { lateness } = pacer.total;
    expect(lateness.maxValue).toBeGreaterThan(195_000);
    // 200 requests, 1 ms apart, wait from 200 ms down to 0: 20 s together; at one instant, 40 s.
    expect(totalMs(lateness)).toBeGreaterThan(19_000);
    expect(totalMs(lateness)).toBeLessThan(38_000);
  });

  test.each([
    ['as few connections as are needed', { ratePerS: 20 }, 12, 1, 9],
    ['turns on a few even where one would do', { ratePerS: 100, leastConnections: 8 }, 24, 8, 8],
  ])('takes %s', async (_what, changes, answers, least, most) => {
    await using server = await serveAll();
    await using pacer = start(server.origin, changes);
    await until(() => pacer.total.counts.ok >= answers);
    expect(server.connections.size).toBeGreaterThanOrEqual(least);
    expect(server.connections.size).toBeLessThanOrEqual(most);
    expect(pacer.total.counts.dropped).toBe(0);
  });

  test('never has more under way than there may be', async () => {
    await using server = await serveHere((response) => {
      setTimeout(() => response.end(BODY), 50);
    });
    await using pacer = start(server.origin, { connections: 1 });
    await until(() => pacer.total.counts.ok >= 5);
    await pacer.stop();
    expect(server.connections.size).toBe(1);
    expect(pacer.total.counts.dropped).toBeGreaterThan(5 * 10);
    expect(pacer.total.counts).toMatchObject({ timedOut: 0, disconnected: 0 });
    expectToAddUp(pacer.total);
  });
});

describe('what becomes of a request', () => {
  const inPieces = async (response: ServerResponse, pieces: string[]) => {
    for (const piece of pieces) {
      response.write(piece);
      await sleep(5);
    }
    response.end();
  };

  const cutOff = (response: ServerResponse) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write('Hello', () => response.socket?.destroy());
  };

  test.each<[string, string, (response: ServerResponse) => void]>([
    ['the declared answer', 'ok', (response) => response.end(BODY)],
    ['that in pieces', 'ok', (response) => inPieces(response, ['Hel', 'lo W', 'orld!'])],
    ['that and a close', 'ok', (response) => response.setHeader('connection', 'close').end(BODY)],
    ['another status', 'wrongStatus', (response) => response.writeHead(201).end(BODY)],
    ['another status and body', 'wrongStatus', (response) => response.writeHead(500).end('Oh no')],
    ['another body as long', 'wrongBody', (response) => response.end(BODY.replace('o', '0'))],
    ['too short a body', 'wrongBody', (response) => response.end(BODY.slice(0, -1))],
    ['no body', 'wrongBody', (response) => response.end()],
    ['a body that goes on', 'wrongBody', (response) => inPieces(response, [BODY, '!'])],
    ['the end of the connection', 'disconnected', ({ socket }) => socket?.end()],
    ['a reset of it', 'disconnected', ({ socket }) => socket?.resetAndDestroy()],
    ['the end of it within the answer', 'disconnected', cutOff],
  ])('%s is counted as %s', async (_what, becomes, handle) => {
    await using server = await serveHere(handle);
    await using pacer = start(server.origin);
    const { total } = pacer;
    await until(() => total.counts.sent - total.inFlight >= 30);
    await pacer.stop();
    const ends = { ok: 0, wrongStatus: 0, wrongBody: 0, timedOut: 0, disconnected: 0 };
    expect(total.counts).toMatchObject({ ...ends, [becomes]: total.counts.sent - total.inFlight });
    expectToAddUp(total);
    // Nothing is tried again behind the pacer's back.
    expect(server.requests).toBeLessThanOrEqual(total.counts.sent);
  });

  test('a connection that is closed between two requests costs none', async () => {
    const answers = new WeakMap<object, number>();
    await using server = await serveHere((response, { socket }) => {
      const count = (answers.get(socket) ?? 0) + 1;
      answers.set(socket, count);
      response.end(BODY, () => {
        if (count === 3) socket.end();
      });
    });
    await using pacer = start(server.origin, { ratePerS: 100 });
    await until(() => pacer.total.counts.ok >= 30);
    expect(pacer.total.counts).toMatchObject({ wrongBody: 0, disconnected: 0 });
    expect(server.connections.size).toBeGreaterThanOrEqual(10);
  });

  test('an answer after the time-out counts nowhere', async () => {
    await using server = await serveHere((response) => {
      setTimeout(() => response.end(BODY), 300);
    });
    await using pacer = start(server.origin, { timeoutNs: 0.1e9 });
    const { total } = pacer;
    await until(() => total.counts.timedOut >= 150);
    await pacer.stop();
    expect(total.counts).toMatchObject({ ok: 0, wrongStatus: 0, wrongBody: 0, disconnected: 0 });
    expectToAddUp(total);
    expect(total.ages.lost.minNonZeroValue).toBeGreaterThanOrEqual(99_900);
    expect(total.ages.lost.getValueAtPercentile(50)).toBeLessThan(200_000);
  });

  test('a time-out needs no other request to be noticed', async () => {
    await using server = await serveHere(() => {});
    await using pacer = start(server.origin, { timeoutNs: 0.1e9, ratePerS: 0.01 });
    await until(() => pacer.total.counts.timedOut === 1);
    expect(pacer.total.counts).toMatchObject({ planned: 1, sent: 1 });
  });

  test('a server that does not even accept is given up too', async () => {
    await using server = await neverAccepting();
    await using pacer = start(server.origin, { timeoutNs: 0.05e9 });
    await until(() => pacer.total.counts.timedOut >= 20);
    await pacer.stop();
    expect(pacer.total.counts).toMatchObject({ ok: 0, disconnected: 0 });
    expectToAddUp(pacer.total);
  });

  test('a refusal is told, and each planned request is refused once', async () => {
    let refusals = 0;
    const order = paceOrder(`http://${HOST}:${await closedPort()}`, { ratePerS: 100 });
    const pacer = new Pacer(order, { onRefused: () => refusals++ });
    await until(() => refusals >= 10);
    await pacer.stop();
    expect(pacer.total.counts.disconnected).toBe(refusals);
    expectToAddUp(pacer.total);
  });

  test('the pacer may be stopped by a refusal', async () => {
    const stopped = Promise.withResolvers<void>();
    const order = paceOrder(`http://${HOST}:${await closedPort()}`);
    const pacer = new Pacer(order, { onRefused: () => pacer.stop().then(stopped.resolve) });
    await stopped.promise;
    expectToAddUp(pacer.total);
  });
});

describe('latency', () => {
  test('counts from the planned instant while the server stalls', async () => {
    const held: ServerResponse[] = [];
    let stalls = false;
    await using server = await serveHere((response) => {
      if (stalls) held.push(response);
      else response.end(BODY);
    });
    await using pacer = start(server.origin, { connections: 1000 });
    await until(() => pacer.total.counts.ok >= 5);
    stalls = true;
    const stalledNs = now();
    await until(() => held.length >= 150);
    stalls = false;
    const stallUs = (now() - stalledNs) / 1000;
    for (const response of held) response.end(BODY);
    await until(() => pacer.total.latency.maxValue > stallUs / 2);
    await until(() => pacer.total.counts.ok >= 5 + held.length);
    // The first of them waits for nearly all of the stall, and all together for half of it each.
    expect(pacer.total.latency.maxValue).toBeGreaterThan(stallUs - 20_000);
    expect(totalMs(pacer.total.latency)).toBeGreaterThan((0.4 * held.length * stallUs) / 1000);
  });

  test('counts from the planned instant when the pacer itself is late', async () => {
    await using server = await serveAll();
    await using pacer = start(server.origin, { connections: 1000 });
    await until(() => pacer.total.counts.ok >= 5);
    block(200);
    await until(() => pacer.total.lateness.maxValue > 190_000);
    await until(() => pacer.total.latency.maxValue > 190_000);
    expect(pacer.total.counts.late).toBeGreaterThan(90);
  });
});

describe('a window', () => {
  test('tallies what was planned within it, wherever it ends', async () => {
    const held: ServerResponse[] = [];
    let stalls = true;
    await using server = await serveHere((response) => {
      if (stalls) held.push(response);
      else response.end(BODY);
    });
    await using pacer = start(server.origin, { connections: 1000 });
    await until(() => held.length >= 20);
    const window = pacer.openWindow(now());
    const before = pacer.total.inFlight;
    stalls = false;
    for (const response of held) response.end(BODY);
    await until(() => window.counts.ok >= 20);
    stalls = true;
    await until(() => window.inFlight >= 20);
    pacer.closeWindow(now());
    const counts = { ...window.counts };
    expectToAddUp(window);
    expect(before).toBeGreaterThanOrEqual(20);
    expect(pacer.total.counts.sent).toBe(before + counts.sent);
    for (const response of held) response.end(BODY);
    await until(() => pacer.total.counts.ok > before + counts.ok);
    expect(window.counts).toEqual(counts);
    expectToAddUp(window);
  });

  test('has the lateness of a request that leaves once it is closed', async () => {
    await using server = await serveAll();
    await using pacer = start(server.origin, { ratePerS: 100 });
    await until(() => pacer.total.counts.ok >= 5);
    const window = pacer.openWindow(now());
    block(50);
    // What is due is sent as it closes, and leaves after that.
    pacer.closeWindow(now());
    expect(window.counts.planned).toBeGreaterThanOrEqual(4);
    expectToAddUp(window);
  });
});

describe('the end', () => {
  const openSockets = ({ port }: LocalServer) => socketsOn(port, 'established');

  test('leaves no socket, and what was in flight in flight, with its age', async () => {
    await using server = await serveHere(() => {});
    await using pacer = start(server.origin, { connections: 30 });
    await until(() => openSockets(server) === 30);
    const openNs = now();
    await until(() => now() - openNs > 50e6);
    await pacer.stop();
    await until(() => openSockets(server) === 0);
    const { total } = pacer;
    expect(total.counts).toMatchObject({ sent: 30, timedOut: 0, disconnected: 0 });
    expect(total.inFlight).toBe(30);
    expectToAddUp(total);
    expect(total.ages.inFlight.maxValue).toBeGreaterThan(50_000);
  });

  test('comes at any moment of a request', async () => {
    await using server = await serveAll();
    for (let turns = 0; turns < 20; turns++) {
      const pacer = start(server.origin, { ratePerS: 5000 });
      for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
      await pacer.stop();
      expectToAddUp(pacer.total);
      const planned = pacer.total.counts.planned;
      await until(() => openSockets(server) === 0);
      expect(pacer.total.counts.planned).toBe(planned);
    }
  });

  test('leaves the bytes read', async () => {
    await using server = await serveAll();
    await using pacer = start(server.origin);
    await until(() => pacer.total.counts.ok >= 20);
    const bytes = await bytesOfResponse(server.port);
    await pacer.stop();
    expect(pacer.bytes).toBe(pacer.total.counts.ok * bytes);
  });
});
