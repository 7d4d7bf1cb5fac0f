import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { now } from '../../src/load/clock.ts';
import { Pacer } from '../../src/load/pacer.ts';
import type { OpenOrder } from '../../src/load/protocol.ts';
import type { Ending, PaceTally } from '../../src/load/tally.ts';
import { socketsOn } from '../support/processes.ts';
import { bytesOfResponse, expectComplete, ledgerOf, until } from './expectations.ts';
import { openOrder } from './orders.ts';
import { BODY, closedOrigin, serveByConnection, serveHere, startOdd } from './servers.ts';

/** A pacer at 500/s, unless told otherwise, which ends with the test. */
function start({ origin }: { origin: string }, changes: Partial<OpenOrder> = {}) {
  return new Pacer(openOrder(origin, { ratePerS: 500, ...changes }));
}

/** Stops a pacer, of which every request is complete. */
async function stopped(pacer: Pacer): Promise<PaceTally> {
  await pacer.stop();
  expectComplete(pacer.total);
  return pacer.total;
}

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

  const late = (response: ServerResponse) => setTimeout(() => response.end(BODY), 50);

  test.each<[string, Ending, (response: ServerResponse) => void, Partial<OpenOrder>?]>([
    ['the declared answer', 'ok', (response) => response.end(BODY)],
    ['that in pieces', 'ok', (response) => inPieces(response, ['Hel', 'lo W', 'orld!'])],
    ['that and a close', 'ok', (response) => response.setHeader('connection', 'close').end(BODY)],
    ['another status', 'wrongStatus', (response) => response.writeHead(201).end(BODY)],
    ['a body that goes on', 'wrongBody', (response) => inPieces(response, [BODY, '!'])],
    ['the end of the connection', 'disconnected', ({ socket }) => socket?.end()],
    ['a reset of it', 'disconnected', ({ socket }) => socket?.resetAndDestroy()],
    ['the end of it within the answer', 'disconnected', cutOff],
    ['an answer after the time-out', 'timedOut', late, { timeoutNs: 0.02e9 }],
  ])('%s is counted as %s alone', async (_what, becomes, handle, changes) => {
    await using server = await serveHere(handle);
    await using pacer = start(server, changes);
    await until(() => pacer.total.counts[becomes] >= 30);
    const { counts, inFlight } = await stopped(pacer);
    const own = ledgerOf({ inFlight, [becomes]: counts.sent - inFlight });
    expect({ ...counts, inFlight }).toEqual(own);
    // Nothing is tried again behind the pacer's back.
    expect(server.requests).toBeLessThanOrEqual(counts.sent);
  });

  test('a connection that is closed between two requests costs none', async () => {
    await using server = await serveByConnection((response, { socket }, count) => {
      response.end(BODY, () => {
        if (count === 2) socket.end();
      });
    });
    await using pacer = start(server, { ratePerS: 100 });
    await until(() => pacer.total.counts.ok >= 30);
    expect(pacer.total.counts).toMatchObject({ wrongBody: 0, disconnected: 0 });
    expect(server.connections.size).toBeGreaterThanOrEqual(10);
  });

  test('a server that does not even accept is given up too', async () => {
    await using server = await startOdd('never-accepts');
    await using pacer = start(server, { timeoutNs: 0.05e9 });
    await until(() => pacer.total.counts.timedOut >= 20);
    expect((await stopped(pacer)).counts).toMatchObject({ ok: 0, disconnected: 0 });
  });

  test('a refusal is told, at any moment of it the pacer may be stopped, and each request is refused once', async () => {
    const origin = await closedOrigin();
    await using pacer = start({ origin }, { ratePerS: 100 });
    await until(() => pacer.total.counts.disconnected >= 10);
    expect(pacer.broken.aborted).toBe(true);
    const { counts, inFlight } = await stopped(pacer);
    expect(counts.disconnected).toBe(counts.sent - inFlight);
    const other = start({ origin });
    await once(other.broken, 'abort');
    await stopped(other);
  });
});

test('a window has the bytes read in it', async () => {
  await using server = await serveHere();
  await using pacer = start(server);
  await until(() => pacer.total.counts.ok >= 5);
  pacer.openWindow(now());
  const { ok } = pacer.total.counts;
  await until(() => pacer.window.counts.ok >= 20);
  pacer.closeWindow(now());
  const answers = pacer.total.counts.ok - ok;
  expect(pacer.window.bytes).toBe(answers * (await bytesOfResponse(server.port)));
});

describe('the end', () => {
  const openSockets = ({ port }: { port: number }) => socketsOn(port, 'established');

  test('leaves no socket, and what a silent server left in flight, with its age', async () => {
    await using server = await serveHere(() => {});
    await using pacer = start(server, { connections: 60 });
    await until(() => openSockets(server) === 60);
    // The plan goes on.
    await until(() => pacer.total.dropped >= 100);
    const { counts, inFlight, ages } = await stopped(pacer);
    await until(() => openSockets(server) === 0);
    expect({ ...counts, inFlight }).toEqual(ledgerOf({ inFlight: 60 }));
    // At 500/s it takes 200 ms to drop as many.
    expect(ages.inFlight.maxValue).toBeGreaterThan(190_000);
  });

  test('comes at any moment of a request', async () => {
    await using server = await serveHere();
    const ended: { pacer: Pacer; planned: number }[] = [];
    for (let turns = 0; turns < 20; turns++) {
      const pacer = start(server, { ratePerS: 5000 });
      for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
      const { planned } = await stopped(pacer);
      ended.push({ pacer, planned });
    }
    await until(() => openSockets(server) === 0);
    for (const { pacer, planned } of ended) expect(pacer.total.planned).toBe(planned);
  });
});
