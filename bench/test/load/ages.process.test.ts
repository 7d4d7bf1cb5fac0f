/** What becomes of the age of a request, from a real server that does not answer to the record. */

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { histogramOf, inFlightAtClose, latencyOf } from '../../src/figures/latency.ts';
import { SYSTEM_CLOCK } from '../../src/load/clock.ts';
import type { Measurement } from '../../src/load/measurement.ts';
import type { ClosedOrder } from '../../src/load/protocol.ts';
import { measureTogether } from '../../src/load/together.ts';
import type { Slice } from '../../src/record/record.ts';
import { ownPlace } from '../support/leftovers.ts';
import { agesOf } from '../support/make-record.ts';
import { BODY, closedOrder, serveHere } from './servers.ts';
import { shareGenerator } from './shared-generator.ts';

const place = ownPlace();

const shared = shareGenerator(place);

const CONNECTIONS = 5;
const PIPELINING = 4;
const PLACES = CONNECTIONS * PIPELINING;
/** As many requests of a connection are answered. */
const ANSWERS = 3;

/** Answers the first few requests of each connection; calls this once no more can come after those. */
function serveFew(thenAllWait: (socket: { end(): void }) => void) {
  const requestsOf = new WeakMap<object, number>();
  return serveHere((response, { socket }) => {
    const requests = (requestsOf.get(socket) ?? 0) + 1;
    requestsOf.set(socket, requests);
    if (requests <= ANSWERS) response.end(BODY);
    else if (requests === ANSWERS + PIPELINING) thenAllWait(socket);
  });
}

test('an unbroken overload with time-outs adds up, and every request without an answer has an age', async () => {
  await using server = await serveFew(() => {});
  const timeoutNs = 1e9;
  const measurement = await measured({
    ...{ ...closedOrder(server.origin), connections: CONNECTIONS, pipelining: PIPELINING },
    ...{ timeoutNs, window: { ns: 1.6e9 }, opening: { when: 'at once' }, drainCapNs: 0 },
  });
  const { window, windowNs, ledger } = measurement;
  expect(window.timedOut).toBeGreaterThan(0);
  expect(window).toMatchObject({ disconnected: 0, wrongStatus: 0, wrongBody: 0 });
  expect(window.ok).toBeGreaterThan(0);
  expect(window.ok).toBeLessThanOrEqual((ANSWERS * (window.timedOut + PLACES)) / PIPELINING);
  expect(histogramOf([sliceOf(measurement)])?.count).toBe(window.ok);

  const { lost, inFlight } = agesOf(measurement);
  expect(lost.totalCount).toBe(window.timedOut);
  expect(inFlight.totalCount).toBe(PLACES);
  expect(inFlightAtClose(sliceOf(measurement))).toBe(PLACES);
  expect(window.sent).toBe(window.ok + window.timedOut + PLACES);
  expect(ledger.sent).toBeGreaterThanOrEqual(window.sent);
  expect(server.requests).toBeGreaterThanOrEqual(window.sent);

  // A time-out comes no sooner than it should, but for the clock of timers.
  expect(lost.minNonZeroValue * 1000).toBeGreaterThan(0.99 * timeoutNs);
  expect(lost.maxValue * 1000).toBeLessThan(windowNs);
  expect(inFlight.maxValue * 1000).toBeLessThan(windowNs);

  const latency = latencyOf([sliceOf(measurement)], { fromTheStart: true, timeoutNs });
  expect(latency?.p2_5.kind).toBe('known');
  expect(latency?.p97_5.kind).toBe('above');
  expect(latency?.p97_5.ns).toBeGreaterThan(0.99 * timeoutNs);
  expect(latency?.survivors.count).toBe(window.ok);
});

test('requests that the server drops with their connection have waited as long as it took its time', async () => {
  const heldMs = 60;
  await using server = await serveFew((socket) => {
    sleep(heldMs).then(() => socket.end());
  });
  const measurement = await measured({
    ...{ ...closedOrder(server.origin), connections: CONNECTIONS, pipelining: PIPELINING },
    ...{ timeoutNs: 10e9, window: { ns: 0.3e9 } },
  });
  const { window } = measurement;
  const { lost, inFlight } = agesOf(measurement);
  expect(window.disconnected).toBeGreaterThan(0);
  expect(window.timedOut).toBe(0);
  expect(lost.totalCount).toBe(window.disconnected);
  expect(lost.minNonZeroValue).toBeGreaterThan((heldMs - 2) * 1000);
  // In a closed loop every place is always taken, so as many come to an end as are sent.
  expect(inFlight.totalCount).toBe(PLACES);
  expect(window.sent).toBe(window.ok + window.disconnected);
});

test('where all are answered, only those in flight have an age', async () => {
  await using server = await serveHere((response) => response.end(BODY));
  const measurement = await measured({
    ...{ ...closedOrder(server.origin), connections: CONNECTIONS, pipelining: PIPELINING },
    ...{ timeoutNs: 10e9 },
  });
  const { lost, inFlight } = agesOf(measurement);
  expect(lost.totalCount).toBe(0);
  expect(inFlight.totalCount).toBe(PLACES);
  expect(inFlight.maxValue * 1000).toBeLessThan(measurement.windowNs);
});

async function measured(order: ClosedOrder): Promise<Measurement> {
  const outcome = await measureTogether(
    [shared.generator],
    order,
    new AbortController().signal,
    SYSTEM_CLOCK,
  );
  if (outcome.kind === 'measured') return outcome.measurement;
  throw new Error(`the generator answered ${JSON.stringify(outcome)}`);
}

function sliceOf(measurement: Measurement): Slice {
  const place = { cell: 'a/single/overload', launch: 0, round: 0 };
  return { ...place, startedNs: 0, handler: null, measurement };
}
