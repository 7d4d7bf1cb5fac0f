import { describe, expect, test } from 'vitest';
import { type Latency, latencyOf } from '../../src/figures/latency.ts';
import type { Slice } from '../../src/record/record.ts';
import { type Happened, makeSlice } from '../support/make-record.ts';

/** A slice in which answers took these times, ms. */
function sliceOf(latenciesMs: number[], happened: Happened = {}): Slice {
  return makeSlice({ latenciesMs, ...happened });
}

/** Of slices whose windows opened once the load was on. */
function sliced(...slices: Slice[]): Latency | null {
  return latencyOf(slices, { fromTheStart: false, timeoutNs: 10e9 });
}

/** Of slices whose windows opened with the load. */
function unbroken(...slices: Slice[]): Latency | null {
  return latencyOf(slices, { fromTheStart: true, timeoutNs: 10e9 });
}

/** So many ms, within the three digits that the histogram keeps. */
const near = (ms: number) => {
  return expect.toSatisfy((ns: number) => Math.abs(ns - ms * 1e6) <= 0.002 * ms * 1e6);
};
const known = (ms: number) => ({ kind: 'known', ns: near(ms) });
const above = (ms: number) => ({ kind: 'above', ns: near(ms) });
const overTimeout = { kind: 'above', ns: 10e9 };

const times = (count: number, ms: number) => Array.from({ length: count }, () => ms);
const ones = (count: number) => times(count, 1);

const LOST = { timedOut: 1, disconnected: 1 };
/** Lost after 2 ms: of the answers after that, half took 3 ms and half 4 ms. */
const LOST_EARLY = { disconnected: 10, lostAgesMs: times(10, 2) };
const EARLY_ANSWERS = [...ones(10), ...times(10, 3), ...times(10, 4)];
const WAITING = { inFlight: 3, lostAgesMs: [], inFlightAgesMs: [2, 7000, 9000] };

test.each<[string, Latency | null, found: object]>([
  [
    'is that of all slices together, not of one, nor their mean',
    sliced(sliceOf(ones(96)), sliceOf([50, 50]), sliceOf([400, 500])),
    {
      ...{ min: known(1), p2_5: known(1), p50: known(1), p97_5: known(50), p99: known(400) },
      ...{ max: known(500), mean: known((96 + 100 + 900) / 100) },
    },
  ],
  [
    'has the deviation of the answers',
    sliced(sliceOf([10]), sliceOf([30])),
    { deviation: near(10) },
  ],
  // Rank 98 of 100 is the last answered one, rank 99 is not.
  [
    'is above the time-out for quantiles among those that were lost, if nobody knows how long they had waited',
    sliced(sliceOf(ones(97)), sliceOf([5], LOST)),
    { p50: known(1), p97_5: known(5), p99: overTimeout, max: overTimeout },
  ],
  [
    'has a lower bound of its mean then, and no deviation',
    // 99 × 1 ms and 10 s, over 100.
    sliced(sliceOf(ones(99), { timedOut: 1 })),
    { mean: above(100.99), deviation: null },
  ],
  [
    'does not tell which of the slow answers a quantile is then',
    // A quarter at 1 ms, and the rest as if at 10 s.
    sliced(sliceOf([1, 11_000, 12_000], { timedOut: 1 })),
    { p2_5: known(1), p50: overTimeout, max: overTimeout, mean: above(30_001 / 4) },
  ],
  [
    'is above the time-out if all were lost',
    sliced(sliceOf([], { timedOut: 3 })),
    {
      ...{ mean: overTimeout, min: overTimeout, p2_5: overTimeout, p50: overTimeout },
      ...{ max: overTimeout, survivors: { count: 0, meanNs: 0 } },
    },
  ],
  [
    'is above the time-out of the load, whatever that is',
    latencyOf([sliceOf([1], { timedOut: 9 })], { fromTheStart: false, timeoutNs: 42e9 }),
    { p50: { kind: 'above', ns: 42e9 } },
  ],
  [
    'of the lost is longer than they had waited, and perhaps no longer than that of others',
    // 10 of 40 after 1 ms, 15 more after 3 ms, and the last 15 after 4 ms.
    sliced(sliceOf(EARLY_ANSWERS, LOST_EARLY)),
    {
      ...{ p50: known(3), p97_5: known(4), max: known(4), mean: known(115 / 40) },
      deviation: near(Math.sqrt((10 * 1 + 15 * 9 + 15 * 16) / 40 - 2.875 ** 2)),
    },
  ],
  [
    'is above the longest wait for quantiles after all answers',
    // The rest, a fifth, as if it took 300 ms.
    sliced(sliceOf(ones(8), { disconnected: 2, lostAgesMs: [20, 300] })),
    { p50: known(1), p97_5: above(300), max: above(300), mean: above(0.8 + 0.2 * 300) },
  ],
  [
    'is above the time-out if that was noticed a little late',
    sliced(sliceOf([1, 11_000], { timedOut: 2, lostAgesMs: [10_001, 10_180] })),
    { p2_5: known(1), p97_5: overTimeout, max: overTimeout },
  ],
  [
    'is above the time-out if it came later, since the connection was not idle',
    sliced(sliceOf([1, 11_000], { timedOut: 1, lostAgesMs: [14_000] })),
    { p2_5: known(1), p97_5: overTimeout, max: overTimeout },
  ],
  [
    'of those in flight is longer than they had waited, if the window opened with the load',
    unbroken(sliceOf(ones(3), WAITING)),
    { p50: known(1), p97_5: above(9000) },
  ],
  [
    'is known even if no request came to an end',
    unbroken(sliceOf([], WAITING)),
    { p2_5: above(9000), mean: above(9000) },
  ],
  [
    'is known if each in flight had waited less than the longest answer',
    unbroken(sliceOf([2, 2, 4], { inFlight: 2, inFlightAgesMs: [1, 3] })),
    { max: known(4), mean: { kind: 'known' }, deviation: expect.any(Number) },
  ],
  [
    'may be longer than the time-out if none is missing',
    sliced(sliceOf([11_000])),
    { max: known(11_000) },
  ],
  [
    'of requests that were never sent is longer than all others, in every quantile',
    // 90 of 100 planned were sent, and took 1 to 90 ms.
    unbroken(
      sliceOf(
        Array.from({ length: 90 }, (_, index) => index + 1),
        { ok: 90, pace: { dropped: 10 } },
      ),
    ),
    { p50: known(50), p95: above(90), p99: above(90), mean: above((90 * 91) / 2 / 100 + 0.1 * 90) },
  ],
  [
    'is above 0, and not left out, if none was sent',
    unbroken(sliceOf([], { ok: 0, pace: { dropped: 10 } })),
    {
      ...{ mean: { kind: 'above', ns: 0 }, p2_5: { kind: 'above', ns: 0 }, deviation: null },
      ...{ p99: { kind: 'above', ns: 0 }, survivors: { count: 0 } },
    },
  ],
])('latency %s', (_, latency, found) => {
  expect(latency).toMatchObject(found);
});

test('there is none if no request came to an end', () => {
  expect(sliced()).toBeNull();
  expect(sliced(sliceOf([]), sliceOf([], { inFlight: 9 }))).toBeNull();
});

test('equal answers have hardly any deviation', () => {
  expect(sliced(sliceOf([2, 2, 2]))?.deviation).toBeLessThan(2000);
});

test('it does not depend on the order of the slices', () => {
  const slices = [sliceOf([1, 2, 3]), sliceOf([], { timedOut: 2 }), sliceOf([40])];
  expect(sliced(...slices.toReversed())).toEqual(sliced(...slices));
});

describe('requests that were lost', () => {
  test('are never said to have waited longer than they had', () => {
    const found = sliced(sliceOf([1], { disconnected: 1, lostAgesMs: [9900] }));
    expect(found?.max).toMatchObject(above(9900));
    expect(found?.max.ns).toBeLessThanOrEqual(9900e6);
  });

  test('count once for each slice in which they were seen', () => {
    const each = sliceOf([1], { disconnected: 1, lostAgesMs: [5] });
    const survivors = { count: 2, meanNs: 1e6 };
    expect(sliced(each, each)).toEqual({ ...sliced(each), survivors });
  });
});

test('requests in flight mean nothing if the window opened later', () => {
  expect(sliced(sliceOf([2, 3], WAITING))).toEqual(sliced(sliceOf([2, 3])));
  expect(sliced(sliceOf([], WAITING))).toBeNull();
});

test('few answers under an overload are shown for what they are', () => {
  // As published: 20 of some 21,000, answered within 6 s; 10,000 timed out, sent again, and waited on.
  const answers = Array.from({ length: 20 }, (_, index) => 300 * (index + 1));
  const overload = sliceOf(answers, {
    ...{ timedOut: 10_000, lostAgesMs: times(10_000, 10_002) },
    ...{ inFlight: 10_000, inFlightAgesMs: times(10_000, 30) },
  });
  const found = unbroken(overload);
  expect(found).toMatchObject({ p2_5: overTimeout, p50: overTimeout, mean: { kind: 'above' } });
  expect(found?.mean.ns).toBeGreaterThan(9.9e9);
  expect(found?.survivors).toEqual({ count: 20, meanNs: near(3150) });
});
