/** The plan of an open loop, on a clock and with connections that the test moves. */
import type * as hdr from 'hdr-histogram-js';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { now } from '../../src/load/clock.ts';
import { type ConnectionEvents, PaceConnection } from '../../src/load/pace-connection.ts';
import { Pacer } from '../../src/load/pacer.ts';
import type { OpenOrder } from '../../src/load/protocol.ts';
import type { PaceTally } from '../../src/load/tally.ts';
import { expectComplete, expectWithin } from './expectations.ts';
import { openOrder, THREE } from './orders.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  vi.spyOn(process.hrtime, 'bigint').mockImplementation(() => BigInt(Date.now()) * 1_000_000n);
  // A turn of the event loop takes 1 ms.
  vi.stubGlobal('setImmediate', (turn: () => void) => setTimeout(turn, 1));
});
// In the reverse order: what is restored last stays for the tests of other files.
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** What a server does with a request, told by the events of its connection. */
type Handle = (events: ConnectionEvents) => void;

/** Answers after this many ms. */
const answerAfter = (ms: number): Handle => {
  return ({ onAnswer }) => setTimeout(onAnswer, ms, 'ok');
};
const answerNever: Handle = () => {};

/** A pacer at 500/s, unless told otherwise, on a server that does this; requests leave after so many ms. */
function start(handle: Handle, changes: Partial<OpenOrder> = {}, leavesAfterMs = 0) {
  const paths: string[] = [];
  vi.spyOn(PaceConnection.prototype, 'drop').mockReturnValue();
  const { mock } = vi
    .spyOn(PaceConnection.prototype, 'send')
    .mockImplementation(({ sent }, events) => {
      if (leavesAfterMs === 0) events.onLeaving();
      else setTimeout(events.onLeaving, leavesAfterMs);
      paths.push(sent.path);
      handle(events);
    });
  const pacer = new Pacer(openOrder('http://127.0.0.1:1', { ratePerS: 500, ...changes }));
  return { pacer, paths, connections: () => new Set(mock.contexts).size };
}

const pass = (ms: number) => vi.advanceTimersByTime(ms);
/** Lets time pass in which the process does not run. */
const stopFor = (ms: number) => vi.setSystemTime(Date.now() + ms);

/** The window of a pacer that is open during this. */
function windowOf(pacer: Pacer, during: () => void): PaceTally {
  pacer.openWindow(now());
  during();
  pacer.closeWindow(now());
  expectComplete(pacer.window);
  return pacer.window;
}

/** The time that this share of a histogram does not exceed, ms. */
const within = (histogram: hdr.Histogram, percent: number) => {
  return histogram.getValueAtPercentile(percent) / 1000;
};

describe('the plan', () => {
  test.each([
    { turnNs: null, ratePerS: 90 },
    { turnNs: null, ratePerS: 3000 },
    { turnNs: 0, ratePerS: 700 },
  ])('has as many requests in a window as the rate says: %j', ({ turnNs, ratePerS }) => {
    const { pacer } = start(answerAfter(1), { turnNs, ratePerS });
    pass(103);
    const { planned, dropped } = windowOf(pacer, () => pass(700));
    expectWithin(planned, 0.7 * ratePerS - 1, 0.7 * ratePerS + 1);
    expect(dropped).toBe(0);
  });

  test.each([
    ['as few connections as are needed', { ratePerS: 20 }, 1],
    ['turns on a few even where one would do', { ratePerS: 100, leastConnections: 8 }, 8],
  ])('takes %s', (_what, changes, count) => {
    const { pacer, connections } = start(answerAfter(2), changes);
    pass(1000);
    expect(connections()).toBe(count);
    expect(pacer.total).toMatchObject({ dropped: 0, counts: { ok: changes.ratePerS } });
  });

  test('never has more in flight than there may be', () => {
    const { pacer, connections } = start(answerAfter(49), { connections: 3 });
    pass(999);
    expect(connections()).toBe(3);
    // In each 50 ms three are sent.
    expect(pacer.total).toMatchObject({ planned: 500, dropped: 500 - 60 });
  });

  test.each([
    ['round after round', 100, ['/a', '/b', '/c', '/a', '/a', '/b', '/c', '/a'], [4, 2, 2]],
    ['in which a dropped request takes its turn too', 1, ['/a', '/c', '/a', '/c'], [2, 0, 2]],
  ])('goes through the mix %s', (_how, connections, order, answers) => {
    const { pacer, paths } = start(answerAfter(3), { requests: THREE, connections });
    pass(15);
    expect(paths).toEqual(order);
    pass(2);
    expect(pacer.total.answers.map(({ ok }) => ok)).toEqual(answers);
  });
});

describe('a time-out', () => {
  test('needs no other request to be noticed', () => {
    const { pacer } = start(answerNever, { timeoutNs: 0.1e9, ratePerS: 0.01 });
    pass(99);
    expect(pacer.total.counts.timedOut).toBe(0);
    pass(2);
    expect(pacer.total).toMatchObject({ planned: 1, inFlight: 0, counts: { timedOut: 1 } });
  });

  test('counts from the planned instant, for each request by itself', () => {
    const { pacer } = start(answerNever, { timeoutNs: 0.1e9 });
    const { counts, ages } = windowOf(pacer, () => pass(1000));
    expectWithin(counts.timedOut, 450, 451);
    expectWithin(within(ages.lost, 0), 99.9, 101);
    expectWithin(within(ages.lost, 100), 99.9, 102);
    expectWithin(within(ages.inFlight, 100), 97, 100);
  });
});

describe('a window', () => {
  test('tallies what was planned within it, wherever it ends', () => {
    const held: (() => void)[] = [];
    const { pacer } = start(({ onAnswer }) => held.push(() => onAnswer('ok')));
    const answer = (count: number) => {
      for (const each of held.splice(0, count)) each();
    };
    pass(39);
    expect(pacer.total.counts).toMatchObject({ sent: 20, ok: 0 });
    const window = windowOf(pacer, () => {
      pass(40);
      answer(35);
    });
    const { sent, ok } = window.counts;
    expect({ sent, ok, inFlight: window.inFlight }).toEqual({ sent: 20, ok: 15, inFlight: 5 });
    answer(5);
    pass(10);
    expect(pacer.total.counts).toMatchObject({ sent: 45, ok: 40 });
    expect(window.counts).toMatchObject({ sent, ok });
  });

  test('has what was due while it was open, with its lateness, though it leaves later', () => {
    const { pacer } = start(answerAfter(1), {}, 5);
    pass(9);
    stopFor(10);
    const { planned, lateness } = windowOf(pacer, () => stopFor(50));
    expect(planned).toBe(25);
    expectWithin(within(lateness, 100), 47, 50);
  });
});

describe('one second of two', () => {
  /** The window of two seconds that begins 0.1 s after the first request. */
  const twoSeconds = (pacer: Pacer, during: () => void) => {
    pass(100);
    return windowOf(pacer, during);
  };

  test('in which the server stalls delays its requests by 1 s down to 0, and is no lateness', () => {
    const endMs = Date.now() + 1600;
    const { pacer } = start(
      ({ onAnswer }) => {
        const isStalled = Date.now() >= endMs - 1000;
        setTimeout(onAnswer, isStalled ? Math.max(1, endMs - Date.now()) : 1, 'ok');
      },
      { connections: 1000 },
    );
    const { latency, late, dropped } = twoSeconds(pacer, () => pass(2000));
    expectWithin(within(latency, 49), 0.9, 2);
    expectWithin(within(latency, 75), 490, 510);
    expectWithin(within(latency, 100), 980, 1001);
    expect([late, dropped]).toEqual([0, 0]);
  });

  test.each([
    ['all are sent', 1000, 0],
    ['as many as there is room for are sent, and the others dropped', 100, 400],
  ])('in which the generator is stopped makes its requests late: %s', (_, connections, most) => {
    const { pacer } = start(answerAfter(1), { connections });
    const { lateness, latency, late, dropped, planned } = twoSeconds(pacer, () => {
      pass(500);
      stopFor(1000);
      pass(500);
    });
    expectWithin(planned, 999, 1001);
    expect(dropped).toBe(most);
    // The first of its 500 left on time, just before.
    expect(late).toBe(499);
    expectWithin(within(lateness, 75), 490, 510);
    expectWithin(within(lateness, 100), 980, 1000);
    // Their latency counts from the planned instant too.
    expectWithin(within(latency, 100), 980, 1002);
  });
});
