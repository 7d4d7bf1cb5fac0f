import { describe, expect, test } from 'vitest';
import { type Latency, latencyOf } from '../../src/figures/latency.ts';
import type { Slice } from '../../src/record/record.ts';
import { type Happened, makeMeasurement } from '../support/make-record.ts';

/** A slice in which answers took these times, ms. */
function sliceOf(latenciesMs: number[], happened: Happened = {}): Slice {
  const measurement = makeMeasurement({ latenciesMs, ...happened });
  const place = { cell: 'a/single/cost', launch: 0, round: 0 };
  return { ...place, startedNs: 0, handler: null, measurement };
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

test('percentiles are those of all slices together, not of one, nor their mean', () => {
  expect(sliced(sliceOf(ones(96)), sliceOf([50, 50]), sliceOf([400, 500]))).toMatchObject({
    ...{
      min: known(1),
      p2_5: known(1),
      p50: known(1),
      p97_5: known(50),
      p99: known(400),
      max: known(500),
    },
    mean: known((96 + 100 + 900) / 100),
  });
});

test('the deviation is that of the answers', () => {
  expect(sliced(sliceOf([10]), sliceOf([30]))).toMatchObject({ deviation: near(10) });
  expect(sliced(sliceOf([2, 2, 2]))?.deviation).toBeLessThan(2000);
});

test('does not depend on the order of the slices', () => {
  const slices = [sliceOf([1, 2, 3]), sliceOf([], { timedOut: 2 }), sliceOf([40])];
  expect(sliced(...slices.toReversed())).toEqual(sliced(...slices));
});

test('there is none where no request came to an end', () => {
  expect(sliced()).toBeNull();
  expect(sliced(sliceOf([]), sliceOf([], { inFlight: 9 }))).toBeNull();
});

describe('requests of which nobody knows how long they had waited when they were lost', () => {
  test('rank behind the answered: quantiles among them are above the time-out', () => {
    // Rank 98 of 100 is the last answered one, rank 99 is not.
    const lost = { timedOut: 1, disconnected: 1 };
    expect(sliced(sliceOf(ones(97)), sliceOf([5], lost))).toMatchObject({
      ...{ p50: known(1), p97_5: known(5), p99: overTimeout, max: overTimeout },
    });
  });

  test('leave of the mean what it is above, and no deviation', () => {
    // 99 × 1 ms and 10 s, over 100.
    const found = sliced(sliceOf(ones(99), { timedOut: 1 }));
    expect(found).toMatchObject({ mean: above(100.99), deviation: null });
  });

  test('hide which of the slow answers a quantile is', () => {
    // A quarter at 1 ms, and the rest as if at 10 s.
    expect(sliced(sliceOf([1, 11_000, 12_000], { timedOut: 1 }))).toMatchObject({
      ...{ p2_5: known(1), p50: overTimeout, max: overTimeout, mean: above(30_001 / 4) },
    });
  });

  test('alone are all above the time-out', () => {
    expect(sliced(sliceOf([], { timedOut: 3 }))).toMatchObject({
      ...{
        mean: overTimeout,
        min: overTimeout,
        p2_5: overTimeout,
        p50: overTimeout,
        max: overTimeout,
      },
      survivors: { count: 0, meanNs: 0 },
    });
  });

  test('are above the time-out of their load, whatever it is', () => {
    const slices = [sliceOf([1], { timedOut: 9 })];
    const found = latencyOf(slices, { fromTheStart: false, timeoutNs: 42e9 });
    expect(found?.p50).toEqual({ kind: 'above', ns: 42e9 });
  });
});

describe('requests that were lost', () => {
  test('take longer than they had waited, and perhaps no longer than the others', () => {
    // Lost after 2 ms: of the answers after that, half took 3 ms and half 4 ms.
    const lost = { disconnected: 10, lostAgesMs: times(10, 2) };
    const answers = [...ones(10), ...times(10, 3), ...times(10, 4)];
    // 10 of 40 after 1 ms, 15 more after 3 ms, and the last 15 after 4 ms.
    expect(sliced(sliceOf(answers, lost))).toMatchObject({
      ...{ p50: known(3), p97_5: known(4), max: known(4), mean: known(115 / 40) },
      deviation: near(Math.sqrt((10 * 1 + 15 * 9 + 15 * 16) / 40 - 2.875 ** 2)),
    });
  });

  test('after all answers leave quantiles that are above the longest wait', () => {
    // The rest, a fifth, as if it took 300 ms.
    const lost = { disconnected: 2, lostAgesMs: [20, 300] };
    expect(sliced(sliceOf(ones(8), lost))).toMatchObject({
      ...{ p50: known(1), p97_5: above(300), max: above(300), mean: above(0.8 + 0.2 * 300) },
    });
  });

  test.each([
    ['by the time-out, noticed a little late', [10_001, 10_180]],
    ['after more than the time-out, since their connection was not idle', [14_000]],
  ])('%s, are above the time-out', (_, lostAgesMs) => {
    const found = sliced(sliceOf([1, 11_000], { timedOut: lostAgesMs.length, lostAgesMs }));
    expect(found).toMatchObject({ p2_5: known(1), p97_5: overTimeout, max: overTimeout });
  });

  test('are never said to have waited longer than they had', () => {
    const found = sliced(sliceOf([1], { disconnected: 1, lostAgesMs: [9900] }));
    expect(found?.max).toMatchObject(above(9900));
    expect(found?.max.ns).toBeLessThanOrEqual(9900e6);
  });

  test('count once for each time that they were seen, in all slices', () => {
    const each = sliceOf([1], { disconnected: 1, lostAgesMs: [5] });
    expect(sliced(each, each)).toEqual({
      ...{ ...sliced(each), survivors: { count: 2, meanNs: 1e6 } },
    });
  });
});

describe('requests in flight when the window closed', () => {
  const waiting = { inFlight: 3, lostAgesMs: [], inFlightAgesMs: [2, 7000, 9000] };

  test('take longer than they had waited, where the window opened with the load', () => {
    const found = unbroken(sliceOf(ones(3), waiting));
    expect(found).toMatchObject({ p50: known(1), p97_5: above(9000) });
    // Of them it is told even where no request came to an end.
    const alone = unbroken(sliceOf([], waiting));
    expect(alone).toMatchObject({ p2_5: above(9000), mean: above(9000) });
  });

  test('leave all figures known where each had waited less than the longest answer', () => {
    const found = unbroken(sliceOf([2, 2, 4], { inFlight: 2, inFlightAgesMs: [1, 3] }));
    expect(found).toMatchObject({ max: known(4), mean: { kind: 'known' } });
    expect(found?.deviation).not.toBeNull();
  });

  test('are of no meaning where the window opened later', () => {
    expect(sliced(sliceOf([2, 3], waiting))).toEqual(sliced(sliceOf([2, 3])));
    expect(sliced(sliceOf([], waiting))).toBeNull();
  });
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

test('an answer may take longer than the time-out where none is missing', () => {
  expect(sliced(sliceOf([11_000]))?.max).toEqual(known(11_000));
});

describe('requests that were never sent', () => {
  test('are longer than all that was seen, in every quantile', () => {
    // 90 of 100 planned were sent, and took 1 to 90 ms.
    const answered = Array.from({ length: 90 }, (_, index) => index + 1);
    expect(unbroken(sliceOf(answered, { ok: 90, pace: { dropped: 10 } }))).toMatchObject({
      ...{ p50: known(50), p95: above(90), p99: above(90) },
      mean: above((90 * 91) / 2 / 100 + 0.1 * 90),
    });
  });

  test('are above 0 where none was sent, and not left out', () => {
    const above0 = { kind: 'above', ns: 0 };
    expect(unbroken(sliceOf([], { ok: 0, pace: { dropped: 10 } }))).toMatchObject({
      ...{ mean: above0, p2_5: above0, p99: above0, deviation: null, survivors: { count: 0 } },
    });
  });
});
