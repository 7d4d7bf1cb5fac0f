import { Socket } from 'node:net';
import type { Histogram } from 'hdr-histogram-js';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { pooled } from '../../src/figures/times.ts';
import type { Client } from '../../src/load/autocannon.ts';
import { Ledger } from '../../src/load/ledger.ts';
import type { LedgerCounts } from '../../src/load/measurement.ts';
import { type Ending, encode } from '../../src/load/tally.ts';
import { ledgerOf } from './expectations.ts';

const PIPELINING = 4;

let atNs: number;
let ledger: Ledger;

beforeEach(() => {
  atNs = 1e15;
  vi.spyOn(process.hrtime, 'bigint').mockImplementation(() => BigInt(atNs));
  ledger = new Ledger();
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** A client with the events of autocannon's, in the same order, for what a server does. */
class FakeClient implements Client {
  readonly conn = new Socket();
  sends = 0;
  readonly #events = ledger.follow(this);

  constructor() {
    this.#room();
  }

  send(): void {
    this.sends++;
  }

  /** Answers of this kind, each of which makes room for a request; or the connection is lost, and there is a new one. */
  meet(ending: Ending = 'ok', times = 1, isAsked = true): void {
    for (let time = 0; time < times; time++) {
      if (ending === 'timedOut' || ending === 'disconnected') {
        this.#events.onLost(ending);
        this.#room();
      } else {
        this.#events.onAnswer(ending, { place: 0, bytes: 150, latencyNs: 1.5e6 });
        if (isAsked) this.#events.onRoom();
      }
    }
  }

  #room(): void {
    for (let request = 0; request < PIPELINING; request++) this.#events.onRoom();
  }
}

/** The times in a histogram, µs, and their counts. */
function timesIn(histogram: Histogram) {
  return Object.fromEntries(pooled([encode(histogram)]).buckets);
}

/** Everything that was counted, what is in flight included. */
function expectCounts(counts: Partial<LedgerCounts>): void {
  const counted = { ...ledger.counts, inFlight: ledger.inFlight };
  expect(counted).toEqual(ledgerOf({ inFlight: PIPELINING, ...counts }));
}

describe('what becomes of a request is counted', () => {
  test('for each client by itself, and once for each lost connection where it is in flight', () => {
    const [one, other] = [new FakeClient(), new FakeClient()];
    for (const ending of ['disconnected', 'timedOut', 'timedOut', 'disconnected'] as const) {
      one.meet(ending);
    }
    other.meet('timedOut');
    for (const ending of ['ok', 'wrongStatus', 'wrongBody'] as const) one.meet(ending);
    const right = { ok: 1, wrongStatus: 1, wrongBody: 1 };
    expectCounts({ ...right, disconnected: 8, timedOut: 12, inFlight: 8 });
    expect([one.sends, other.sends]).toEqual([23, 8]);
    // It is counted, not calculated.
    ledger.counts.ok += 3;
    expect(ledger.inFlight).toBe(8);
  });

  test('so that answers without a request make the sum too high', () => {
    const client = new FakeClient();
    client.meet('ok', PIPELINING + 2, false);
    expect(ledger.counts).toMatchObject({ sent: PIPELINING, ok: PIPELINING + 2 });
    expect(ledger.inFlight).toBe(0);
    // The next request is pending again, whatever came before it.
    client.meet();
    expect(ledger.inFlight).toBe(1);
  });
});

test('a window has what happens in it, with the bytes and times of that', () => {
  const client = new FakeClient();
  client.meet('ok', 2);
  const window = ledger.openWindow(1);
  client.meet('ok', 3);
  client.meet('wrongBody');
  ledger.closeWindow(atNs);
  client.meet('ok', 5);
  const answers = [{ ok: 3, wrongStatus: 0, wrongBody: 1 }];
  expect(window).toMatchObject({ bytes: 4 * 150, answers, inFlight: PIPELINING });
  expect(window.counts).toMatchObject({ sent: 4, ok: 3, wrongBody: 1 });
  expect(timesIn(window.latency)).toEqual({ 1500: 3 });
});

describe('what is held back', () => {
  test('is never sent if the connection is lost before', () => {
    const client = new FakeClient();
    ledger.hold();
    client.meet();
    client.meet('disconnected');
    expectCounts({ ok: 1, disconnected: 3, inFlight: 0 });
    ledger.release();
    expectCounts({ ok: 1, disconnected: 3 });
  });

  test('may be that of all clients but one, from their first request on', () => {
    ledger.hold();
    const [one, other] = [new FakeClient(), new FakeClient()];
    ledger.releaseOne(other);
    other.meet();
    expect([one.sends, other.sends]).toEqual([0, 5]);
    ledger.hold();
    other.meet();
    ledger.release();
    expect([one.sends, other.sends]).toEqual([4, 6]);
  });

  test('begins where a round is complete, if that is asked for', async () => {
    const client = new FakeClient();
    const whole = ledger.holdAfterRound(3);
    client.meet('ok', 4);
    await whole;
    expect(client.sends).toBe(6);
    ledger.release();
    client.meet('ok', 4);
    expect(client.sends).toBe(12);
  });
});

describe('the age of a request', () => {
  /** The ages of what is in flight after this many µs. */
  function agesAfter(us: number) {
    const window = ledger.openWindow(1);
    ledger.closeWindow(atNs + us * 1000);
    return timesIn(window.ages.inFlight);
  }

  test('is how long it has been waiting, and goes with the oldest when there is an answer', () => {
    const client = new FakeClient();
    atNs += 10_000;
    new FakeClient();
    client.meet();
    atNs += 10_000;
    client.meet('wrongStatus');
    expect(agesAfter(5)).toEqual({ 5: 1, 15: 5, 25: 2 });
    expect(ledger.counts).toMatchObject({ timedOut: 0, disconnected: 0 });
  });

  test('is recorded once when the connection is lost or timed out, of that client alone', () => {
    const [client] = [new FakeClient(), new FakeClient()];
    const window = ledger.openWindow(1);
    atNs += 7000;
    client.meet();
    atNs += 100_000;
    client.meet('disconnected');
    expect(timesIn(window.ages.lost)).toEqual({ 100: 1, 107: 3 });
    atNs += 50_000;
    client.meet('timedOut');
    expect(timesIn(window.ages.lost)).toEqual({ 50: 4, 100: 1, 107: 3 });
    expect(agesAfter(1)).toEqual({ 1: 4, 158: 4 });
  });

  test('begins when it is sent, not when it could have been', () => {
    const client = new FakeClient();
    ledger.hold();
    client.meet('ok', PIPELINING);
    atNs += 5e6;
    ledger.release();
    expect(agesAfter(3)).toEqual({ 3: 4 });
  });
});

describe('waiting', () => {
  /** Whether this has resolved by the time everything that is due has run. */
  function isDone(promise: Promise<void>): Promise<boolean> {
    const due = new Promise<boolean>((resolve) => setImmediate(() => resolve(false)));
    return Promise.race([promise.then(() => true), due]);
  }

  test('for the first answer of so many clients ends with it, right or wrong', async () => {
    const [one, other] = [new FakeClient(), new FakeClient()];
    const all = () => ledger.answeredClients >= 2;
    const waiting = ledger.until(all);
    one.meet('ok', 2);
    other.meet('timedOut');
    expect(await isDone(waiting)).toBe(false);
    other.meet('wrongStatus');
    expect(await isDone(waiting)).toBe(true);
    expect(await isDone(ledger.until(all))).toBe(true);
  });

  test('until nothing is in flight ends when the last of it is lost', async () => {
    const [one, other] = [new FakeClient(), new FakeClient()];
    ledger.hold();
    const idle = ledger.until(() => ledger.inFlight === 0);
    one.meet('ok', PIPELINING);
    expect(await isDone(idle)).toBe(false);
    other.meet('disconnected');
    expect(await isDone(idle)).toBe(true);
  });
});
