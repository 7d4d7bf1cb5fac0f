/** How long requests without an answer had waited, from a real server to the record. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { histogramOf, inFlightAtClose, latencyOf } from '../../src/figures/latency.ts';
import { ownPlace } from '../support/leftovers.ts';
import { agesOf } from '../support/make-record.ts';
import {
  AT_ONCE,
  BODY,
  closedOrder,
  expectWithin,
  serveByConnection,
  shareGenerator,
} from './servers.ts';

const shared = shareGenerator(ownPlace());

const LOAD = { connections: 5, pipelining: 4 };
const PLACES = LOAD.connections * LOAD.pipelining;
/** As many requests of a connection are answered. */
const ANSWERS = 3;

/** Answers the first few requests of each connection; calls this once no more can come after those. */
function serveFew(thenAllWait: (socket: { end(): void }) => void) {
  return serveByConnection((response, { socket }, count) => {
    if (count < ANSWERS) response.end(BODY);
    else if (count === ANSWERS + LOAD.pipelining - 1) thenAllWait(socket);
  });
}

test('a contiguous overload with time-outs adds up, and every request without an answer has an age', async () => {
  await using server = await serveFew(() => {});
  const timeoutNs = 1e9;
  const changes = { ...LOAD, ...AT_ONCE, timeoutNs, window: { ns: 1.6e9 }, drainCapNs: 0 };
  const measurement = await shared.measure(closedOrder(server.origin, changes));
  const { window, windowNs, ledger } = measurement;
  expect(window.timedOut).toBeGreaterThan(0);
  expect(window).toMatchObject({ disconnected: 0, wrongStatus: 0, wrongBody: 0 });
  expectWithin(window.ok, 1, (ANSWERS * (window.timedOut + PLACES)) / LOAD.pipelining);

  const cell = { cell: 'a/single/overload', launch: 0, round: 0 };
  const slice = { ...cell, startedNs: 0, handler: null, measurement };
  expect(histogramOf([slice])?.count).toBe(window.ok);
  const { lost, inFlight } = agesOf(measurement);
  expect(lost.totalCount).toBe(window.timedOut);
  expect(inFlight.totalCount).toBe(PLACES);
  expect(inFlightAtClose(slice)).toBe(PLACES);
  expect(window.sent).toBe(window.ok + window.timedOut + PLACES);
  expect(ledger.sent).toBeGreaterThanOrEqual(window.sent);
  expect(server.requests).toBeGreaterThanOrEqual(window.sent);

  // A time-out comes no sooner than it should, but for the clock of timers.
  expect(lost.minNonZeroValue * 1000).toBeGreaterThan(0.99 * timeoutNs);
  for (const { maxValue } of [lost, inFlight]) expect(maxValue * 1000).toBeLessThan(windowNs);

  const latency = latencyOf([slice], { fromTheStart: true, timeoutNs });
  expect(latency?.p2_5.kind).toBe('known');
  expect(latency?.p97_5.kind).toBe('above');
  expect(latency?.p97_5.ns).toBeGreaterThan(0.99 * timeoutNs);
  expect(latency?.survivors.count).toBe(window.ok);
});

test('requests that the server drops with their connection are as old as it held them', async () => {
  const heldMs = 60;
  await using server = await serveFew((socket) => {
    sleep(heldMs).then(() => socket.end());
  });
  const measurement = await shared.measure(closedOrder(server.origin, LOAD));
  const { window } = measurement;
  const { lost, inFlight } = agesOf(measurement);
  expect(window.disconnected).toBeGreaterThan(0);
  expect(window.timedOut).toBe(0);
  expect(lost.totalCount).toBe(window.disconnected);
  expect(lost.minNonZeroValue).toBeGreaterThan((heldMs - 2) * 1000);
  // In a closed loop every place is always taken, so as many requests end as are sent.
  expect(inFlight.totalCount).toBe(PLACES);
  expect(window.sent).toBe(window.ok + window.disconnected);
});
