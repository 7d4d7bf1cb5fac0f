import { beforeEach, describe, expect, test } from 'vitest';
import { startGenerator } from '../../src/load/generator.ts';
import type { Measurement } from '../../src/load/measurement.ts';
import type { OpenOrder } from '../../src/load/protocol.ts';
import { onPath } from '../../src/system/on-path.ts';
import { textExchange, unverifiedExchange } from '../../src/targets/exchange.ts';
import { ownPlace } from '../support/leftovers.ts';
import { bytesOfResponse, expectToAddUp, expectWithin, until } from './expectations.ts';
import { carryOutBy, latenciesOf, shareGenerator } from './generators.ts';
import { expectedExchange, LONG, openOrder } from './orders.ts';
import { BODY, closedOrigin, type LocalServer, serveHere } from './servers.ts';

const place = ownPlace();
const shared = shareGenerator(place);
const RATE_PER_S = 200;
const DELAY_MS = 20;
/** How late k6 and this machine may make half of all requests. */
const AGREED_MS = 10;

describe('k6', () => {
  const isThere = onPath('k6');
  beforeEach(({ skip }) => skip(!isThere, 'k6 is not on the PATH'));

  // A machine that is busy with other tests holds k6 up for longer than it has room for, now and then. Of an answer that
  // comes after the window for that reason, k6 counts the bytes too.
  test('it sends as planned, and tells latency and bytes', { retry: 2 }, async () => {
    await using server = await serveHere((response) => {
      setTimeout(() => response.end(BODY), DELAY_MS);
    });
    // As many connections as requests: a busy machine that holds k6 up for a while drops none.
    const room = { window: { ns: 1e9 }, connections: 2 * RATE_PER_S };
    const measurement = await shared.measure(orderFor(server.origin, room));
    const { window, windowNs, pace, ledger, cpu } = measurement;
    expectAllSent(server, measurement);
    expectToAddUp(ledger);
    expect(pace).toMatchObject({ dropped: 0, planned: window.sent });
    const planned = (RATE_PER_S * windowNs) / 1e9;
    // The edges of the window are the harness's, the count is k6's.
    expectWithin(window.sent, 0.95 * planned - 2, planned + 2);
    expectWithin(window.ok, 0.5 * planned, window.sent);
    expect(window).toMatchObject({ wrongStatus: 0, wrongBody: 0, timedOut: 0, disconnected: 0 });
    const bytes = await bytesOfResponse(server.port);
    expectWithin(window.bytes, window.ok * bytes, window.sent * bytes);
    const latencies = latenciesOf(measurement);
    expect(latencies.totalCount).toBe(window.ok);
    // Of the quickest, which a busy machine did not hold up.
    expectWithin(latencies.getValueAtPercentile(2) / 1000, DELAY_MS - 1, DELAY_MS + AGREED_MS);
    expect(cpu.generator.cpuNs).toBeGreaterThan(1e6);
    expect(cpu.server.cpuNs).toBeGreaterThan(1e6);
  });

  test('it sends a mix, and counts what becomes of each request', { retry: 2 }, async () => {
    const asked: string[] = [];
    await using server = await serveHere((response, { url = '', socket }) => {
      asked.push(url);
      if (url === '/none') response.writeHead(204).end();
      else if (url === '/status') response.writeHead(503).end(BODY);
      else if (url === '/cut') {
        response.writeHead(200, { 'content-length': 100 });
        response.write(BODY, () => socket.destroy());
      } else if (url !== '/silent') response.end(url === '/often' ? '한국어' : 'Goodbye World!');
    });
    const requests = [
      expectedExchange('한국어', '/often', 3),
      unverifiedExchange(textExchange('', { path: '/none', status: 204 })),
      ...['/status', '/body', '/cut', '/silent'].map((path) => expectedExchange(BODY, path)),
    ];
    const load = { requests, window: { ns: 2e9 }, timeoutNs: 0.2e9 };
    const measurement = await shared.measure(orderFor(server.origin, load));
    const { window, windowNs, ledger, pace } = measurement;
    expectToAddUp(ledger);
    expectAllSent(server, measurement);
    expect(pace?.dropped).toBe(0);
    expect(latenciesOf(measurement).totalCount).toBe(window.ok);
    const each = ((windowNs / 1e9) * RATE_PER_S) / 8;
    const [often, none, status, body, ...lost] = measurement.requests;
    expectWithin(often?.ok, 3 * each - 10, 3 * each + 10);
    expectWithin(none?.ok, each - 10, each + 10);
    const { wrongStatus, wrongBody } = window;
    expect(often?.wrongBody).toBe(0);
    expect(none).toMatchObject({ wrongStatus: 0, wrongBody: 0 });
    expect(status).toEqual({ ok: 0, wrongStatus, wrongBody: 0 });
    expect(body).toEqual({ ok: 0, wrongStatus: 0, wrongBody });
    expect(lost).toEqual(Array(2).fill({ ok: 0, wrongStatus: 0, wrongBody: 0 }));
    for (const fate of ['wrongStatus', 'wrongBody', 'disconnected'] as const) {
      expectWithin(window[fate], each - 10, each + 10);
    }
    // Those of the last 0.2 s are still in flight, unless this machine was busy.
    expectWithin(window.timedOut, 0.6 * each, 1.05 * each);
    // Several may be under way at a time, so their order is only about that of the mix.
    const paths = requests.map(({ request }) => request.path);
    expect(new Set(asked.slice(0, 10))).toEqual(new Set(paths));
  });

  test('it drops what would exceed the connections, and then nobody knows how late it was', async () => {
    await using server = await serveHere(() => {});
    const measurement = await shared.measure(orderFor(server.origin, { connections: 5 }));
    const planned = 0.5 * RATE_PER_S;
    expect(measurement.ledger).toMatchObject({ sent: 5, inFlight: 5 });
    expect(measurement.window.sent).toBe(0);
    expect(measurement.pace).toEqual({ planned, dropped: planned, lost: 0, lateness: null });
    expect(server.connections.size).toBe(5);
  });

  test.each(['is stopped', 'is killed'])('a generator that %s leaves no k6', async (how) => {
    await using server = await serveHere();
    await using generator = await startGenerator(null);
    const stop = new AbortController();
    const order = orderFor(server.origin, LONG);
    const outcome = carryOutBy(generator, order, stop.signal).catch(() => 'failed');
    await until(() => server.requests > 10);
    expect(k6s()).toBe(1);
    if (how === 'is stopped') stop.abort();
    else process.kill(running(/generator-process/)[0]?.pid ?? Number.NaN, 'SIGKILL');
    expect(await outcome).toEqual(how === 'is stopped' ? { kind: 'stopped' } : 'failed');
    if (how === 'is stopped') await until(() => k6s() === 0, 5000);
    await generator[Symbol.asyncDispose]();
    // Whoever was killed is there until the system has come to it.
    await place.untilEmpty(5_000);
  });

  test('a server that refuses connections ends the order as such', async () => {
    const order = orderFor(await closedOrigin());
    expect(await shared.carryOut(order)).toEqual({ kind: 'refused' });
  });
});

/** An order that k6 carries out. */
function orderFor(origin: string, changes: Partial<OpenOrder> = {}): OpenOrder {
  return openOrder(origin, { driver: 'k6', ratePerS: RATE_PER_S, ...changes });
}

/** What is in flight at the end may be cut off before a busy server has read it. */
function expectAllSent(server: LocalServer, { ledger: { sent, inFlight } }: Measurement): void {
  expectWithin(server.requests, sent - inFlight - 2, sent);
}

/** The processes in this file's place with such a command. */
function running(command: RegExp) {
  return place.processes().filter((each) => command.test(each.command));
}

/** How many k6 run in this file's place. */
const k6s = () => running(/(^|\/)k6 run/).length;
