import { describe, expect, test } from 'vitest';
import { type Latency, latencyOf, type Time } from '../../src/figures/latency.ts';
import type { Slice } from '../../src/record/record.ts';
import { type Happened, makeMeasurement } from '../support/make-record.ts';

/** A slice in which answers took these times, ms. */
function sliceOf(latenciesMs: number[], happened: Happened = {}): Slice {
  const measurement = makeMeasurement({ latenciesMs, ...happened });
  const place = { cell: 'a/single/cost', launch: 0, round: 0 };
  return { ...place, startedNs: 0, handler: null, measurement };
}

const MS = 1e6;
const TIMEOUT_NS = 10e9;

/** Of slices whose windows opened once the load was on. */
function sliced(slices: Slice[]): Latency | null {
  return latencyOf(slices, { fromTheStart: false, timeoutNs: TIMEOUT_NS });
}

/** Of slices whose windows opened with the load. */
function unbroken(slices: Slice[]): Latency | null {
  return latencyOf(slices, { fromTheStart: true, timeoutNs: TIMEOUT_NS });
}

/** Within the three digits that the histogram keeps. */
function expectNear(found: number | null | undefined, expected: number): void {
  expect(found).toBeGreaterThan(expected * 0.998);
  expect(found).toBeLessThan(expected * 1.002);
}

function expectKnown(found: Time | undefined, expected: number): void {
  expect(found?.kind).toBe('known');
  expectNear(found?.ns, expected);
}

const times = (count: number, ms: number) => Array.from({ length: count }, () => ms);
const ones = (count: number) => times(count, 1);

test('times are ns', () => {
  const latency = sliced([sliceOf([2, 2, 2])]);
  expectKnown(latency?.mean, 2 * MS);
  expectKnown(latency?.p50, 2 * MS);
  expectKnown(latency?.max, 2 * MS);
  expect(latency?.deviation).toBeLessThan(0.002 * MS);
});

test('percentiles are those of all slices together, not of one, nor their mean', () => {
  const latency = sliced([sliceOf(ones(96)), sliceOf([50, 50]), sliceOf([400, 500])]);
  expectKnown(latency?.p2_5, 1 * MS);
  expectKnown(latency?.p50, 1 * MS);
  expectKnown(latency?.p97_5, 50 * MS);
  expectKnown(latency?.p99, 400 * MS);
  expectKnown(latency?.max, 500 * MS);
  expectKnown(latency?.mean, ((96 + 100 + 900) / 100) * MS);
});

test('the deviation is that of the answers', () => {
  expectNear(sliced([sliceOf([10]), sliceOf([30])])?.deviation, 10 * MS);
});

test('does not depend on the order of the slices', () => {
  const slices = [sliceOf([1, 2, 3]), sliceOf([], { timedOut: 2 }), sliceOf([40])];
  expect(sliced([...slices].reverse())).toEqual(sliced(slices));
});

test('there is none where no request came to an end', () => {
  expect(sliced([])).toBeNull();
  expect(sliced([sliceOf([]), sliceOf([], { inFlight: 9 })])).toBeNull();
});

const overTimeout: Time = { kind: 'above', ns: TIMEOUT_NS };

describe('requests of which nobody knows how long they had waited when they were lost', () => {
  test('rank behind the answered: quantiles among them are above the time-out', () => {
    const latency = sliced([sliceOf(ones(97)), sliceOf([5], { timedOut: 1, disconnected: 1 })]);
    expectKnown(latency?.p50, 1 * MS);
    // Rank 98 of 100 is the last answered one, rank 99 is not.
    expectKnown(latency?.p97_5, 5 * MS);
    expect(latency?.p99).toEqual(overTimeout);
    expect(latency?.max).toEqual(overTimeout);
  });

  test('leave of the mean what it is above, and no deviation', () => {
    const latency = sliced([sliceOf(ones(99), { timedOut: 1 })]);
    expect(latency?.mean.kind).toBe('above');
    // 99 × 1 ms and 10 s, over 100.
    expectNear(latency?.mean.ns, 100.99 * MS);
    expect(latency?.deviation).toBeNull();
  });

  test('hide which of the slow answers a quantile is', () => {
    const latency = sliced([sliceOf([1, 11_000, 12_000], { timedOut: 1 })]);
    expectKnown(latency?.p2_5, 1 * MS);
    expect(latency?.p50).toEqual(overTimeout);
    expect(latency?.max).toEqual(overTimeout);
    // A quarter at 1 ms, and the rest as if at 10 s.
    expectNear(latency?.mean.ns, ((1 + 3 * 10_000) / 4) * MS);
  });

  test('alone are all above the time-out', () => {
    const latency = sliced([sliceOf([], { timedOut: 3 })]);
    expect(latency).toMatchObject({
      ...{ mean: overTimeout, p2_5: overTimeout, p50: overTimeout, max: overTimeout },
      survivors: { count: 0, meanNs: 0 },
    });
  });

  test('are above the time-out of their load, whatever it is', () => {
    const slices = [sliceOf([1], { timedOut: 9 })];
    const latency = latencyOf(slices, { fromTheStart: false, timeoutNs: 42e9 });
    expect(latency?.p50).toEqual({ kind: 'above', ns: 42e9 });
  });
});

describe('requests that were lost', () => {
  test('take longer than they had waited, and perhaps no longer than the others', () => {
    // Lost after 2 ms: of the answers after that, half took 3 ms and half 4 ms.
    const lost = { disconnected: 10, lostAgesMs: times(10, 2) };
    const latency = sliced([sliceOf([...ones(10), ...times(10, 3), ...times(10, 4)], lost)]);
    // 10 of 40 after 1 ms, 15 more after 3 ms, and the last 15 after 4 ms.
    expectKnown(latency?.p50, 3 * MS);
    expectKnown(latency?.p97_5, 4 * MS);
    expectKnown(latency?.max, 4 * MS);
    expectKnown(latency?.mean, ((10 * 1 + 15 * 3 + 15 * 4) / 40) * MS);
    expectNear(latency?.deviation, Math.sqrt((10 * 1 + 15 * 9 + 15 * 16) / 40 - 2.875 ** 2) * MS);
  });

  test('after all answers leave quantiles that are above the longest wait', () => {
    const lost = { disconnected: 2, lostAgesMs: [20, 300] };
    const latency = sliced([sliceOf(ones(8), lost)]);
    expectKnown(latency?.p50, 1 * MS);
    expect(latency?.p97_5.kind).toBe('above');
    expectNear(latency?.p97_5.ns, 300 * MS);
    expect(latency?.max).toEqual(latency?.p97_5);
    // The rest, a fifth, as if it took 300 ms.
    expect(latency?.mean.kind).toBe('above');
    expectNear(latency?.mean.ns, (0.8 * 1 + 0.2 * 300) * MS);
  });

  test.each([
    ['by the time-out, noticed a little late', [10_001, 10_180]],
    ['after more than the time-out, since their connection was not idle', [14_000]],
  ])('%s, are above the time-out', (_, lostAgesMs) => {
    const slices = [sliceOf([1, 11_000], { timedOut: lostAgesMs.length, lostAgesMs })];
    expectKnown(sliced(slices)?.p2_5, 1 * MS);
    expect(sliced(slices)?.p97_5).toEqual(overTimeout);
    expect(sliced(slices)?.max).toEqual(overTimeout);
  });

  test('are never said to have waited longer than they had', () => {
    const max = sliced([sliceOf([1], { disconnected: 1, lostAgesMs: [9900] })])?.max;
    expect(max?.kind).toBe('above');
    expect(max?.ns).toBeLessThanOrEqual(9900 * MS);
    expectNear(max?.ns, 9900 * MS);
  });

  test('count once for each time that they were seen, in all slices', () => {
    const each = sliceOf([1], { disconnected: 1, lostAgesMs: [5] });
    const twice = sliced([each, each]);
    expect(twice).toEqual({ ...sliced([each]), survivors: { count: 2, meanNs: 1 * MS } });
  });
});

describe('requests in flight when the window closed', () => {
  const waiting = { inFlight: 3, lostAgesMs: [], inFlightAgesMs: [2, 7000, 9000] };

  test('take longer than they had waited, where the window opened with the load', () => {
    const latency = unbroken([sliceOf(ones(3), waiting)]);
    expectKnown(latency?.p50, 1 * MS);
    expect(latency?.p97_5.kind).toBe('above');
    expectNear(latency?.p97_5.ns, 9000 * MS);
  });

  test('are told of even where no request came to an end', () => {
    const latency = unbroken([sliceOf([], waiting)]);
    expect(latency?.p2_5.kind).toBe('above');
    expectNear(latency?.p2_5.ns, 9000 * MS);
    expect(latency?.mean).toEqual(latency?.p2_5);
  });

  test('leave all figures known where each had waited less than the longest answer', () => {
    const short = { inFlight: 2, inFlightAgesMs: [1, 3] };
    const latency = unbroken([sliceOf([2, 2, 4], short)]);
    expectKnown(latency?.max, 4 * MS);
    expect(latency?.mean.kind).toBe('known');
    expect(latency?.deviation).not.toBeNull();
  });

  test('are of no meaning where the window opened later', () => {
    expect(sliced([sliceOf([2, 3], waiting)])).toEqual(sliced([sliceOf([2, 3])]));
    expect(sliced([sliceOf([], waiting)])).toBeNull();
  });
});

test('few answers under an overload are shown for what they are', () => {
  // As published: 20 of some 21,000, answered within 6 s; 10,000 timed out, sent again, and waited on.
  const overload = sliceOf(
    Array.from({ length: 20 }, (_, index) => 300 * (index + 1)),
    {
      ...{ timedOut: 10_000, lostAgesMs: times(10_000, 10_002) },
      ...{ inFlight: 10_000, inFlightAgesMs: times(10_000, 30) },
    },
  );
  const latency = unbroken([overload]);
  expect(latency?.p2_5).toEqual(overTimeout);
  expect(latency?.p50).toEqual(overTimeout);
  expect(latency?.mean.kind).toBe('above');
  expect(latency?.mean.ns).toBeGreaterThan(9.9e9);
  expect(latency?.survivors.count).toBe(20);
  expectNear(latency?.survivors.meanNs, 3150 * MS);
});

test('the survivors are the answered alone', () => {
  const latency = sliced([sliceOf([2, 4], { timedOut: 5, lostAgesMs: times(5, 10_000) })]);
  expect(latency?.survivors.count).toBe(2);
  expectNear(latency?.survivors.meanNs, 3 * MS);
});

test('an answer may take longer than the time-out where none is missing', () => {
  expectKnown(sliced([sliceOf([11_000])])?.max, 11_000 * MS);
});

describe('requests that were never sent', () => {
  test('are longer than all that was seen, in every quantile', () => {
    // 90 of 100 planned were sent, and took 1 to 90 ms.
    const answered = Array.from({ length: 90 }, (_, index) => index + 1);
    const latency = unbroken([sliceOf(answered, { ok: 90, pace: { dropped: 10 } })]);
    expectKnown(latency?.p50, 50 * MS);
    expect(latency?.p95.kind).toBe('above');
    expectNear(latency?.p95.ns, 90 * MS);
    expect(latency?.p99.kind).toBe('above');
    expect(latency?.mean.kind).toBe('above');
    expectNear(latency?.mean.ns, ((90 * 91) / 2 / 100 + 0.1 * 90) * MS);
  });

  test('are above 0 where none was sent, and not left out', () => {
    const latency = unbroken([sliceOf([], { ok: 0, pace: { dropped: 10 } })]);
    const above0: Time = { kind: 'above', ns: 0 };
    expect(latency).toMatchObject({ mean: above0, p2_5: above0, p99: above0, deviation: null });
    expect(latency?.survivors.count).toBe(0);
  });
});
