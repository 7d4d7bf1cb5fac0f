import { expect, test } from 'vitest';
import { isOnSchedule, type Latency, latencyOf, onScheduleOf } from '../../src/figures/latency.ts';
import type { Slice } from '../../src/record/record.ts';
import { type Happened, makeSlice } from '../support/make-record.ts';

/** A slice in which answers took these times, ms. */
const sliceOf = (latenciesMs: number[], happened: Happened = {}) => {
  return makeSlice({ latenciesMs, ...happened });
};
const IN_SLICES = { kind: 'closed', method: 'sliced', timeoutNs: 10e9 } as const;
/** Of slices whose windows opened once the load was on. */
const later = (...slices: Slice[]) => latencyOf(slices, IN_SLICES);
/** Of one slice of the kind; of one whose window opened with the load. */
const sliced = (...slice: Parameters<typeof sliceOf>) => later(sliceOf(...slice));
const unbroken = (...slice: Parameters<typeof sliceOf>) => {
  return latencyOf([sliceOf(...slice)], { ...IN_SLICES, method: 'contiguous' });
};

/** So many ms, within the three digits that the histogram keeps. */
const near = (ms: number) => {
  return expect.toSatisfy((ns: number) => Math.abs(ns - ms * 1e6) <= 0.002 * ms * 1e6);
};
const known = (ms: number) => ({ kind: 'known', ns: near(ms) });
const above = (ms: number) => ({ kind: 'above', ns: near(ms) });
const over = { kind: 'above', ns: 10e9 };
const NOBODY = { count: 0, meanNs: 0 };
const aboveZero = { kind: 'above', ns: 0 };

const times = (count: number, ms: number) => Array.from({ length: count }, () => ms);
const ones = (count: number) => times(count, 1);
const upTo = (ms: number) => Array.from({ length: ms }, (_, index) => index + 1);

const WAITING = { inFlight: 3, lostAgesMs: [], inFlightAgesMs: [2, 7000, 9000] };

const FOUND: Record<string, [Latency | null, found: object]> = {
  'is that of all slices together, not of one, nor their mean': [
    later(sliceOf(ones(96)), sliceOf([50, 50]), sliceOf([400, 500])),
    {
      ...{ min: known(1), p2_5: known(1), p50: known(1), p97_5: known(50), p99: known(400) },
      ...{ max: known(500), mean: known((96 + 100 + 900) / 100) },
    },
  ],
  'has the deviation of the answers': [sliced([10, 30]), { deviation: near(10) }],
  'may be longer than the time-out': [sliced([11_000]), { max: known(11_000) }],
  // Nobody knows how long the lost had waited. Rank 98 of 100 is the last answered one, rank 99 is not.
  'has quantiles above the time-out': [
    later(sliceOf(ones(97)), sliceOf([5], { timedOut: 1, disconnected: 1 })),
    { p50: known(1), p97_5: known(5), p99: over, max: over },
  ],
  // 99 × 1 ms and 10 s, over 100.
  'has a lower bound of its mean, and no deviation': [
    sliced([1], { ok: 99, timedOut: 1 }),
    { mean: above(100.99), deviation: null },
  ],
  // A quarter at 1 ms, and the rest as if at 10 s.
  'does not tell which of the slow answers a quantile is': [
    sliced([1, 11_000, 12_000], { timedOut: 1 }),
    { p2_5: known(1), p50: over, max: over, mean: above(30_001 / 4) },
  ],
  'is above the time-out if all were lost': [
    sliced([], { timedOut: 3 }),
    { mean: over, min: over, p2_5: over, p50: over, max: over, survivors: NOBODY },
  ],
  'is above the time-out of the load, whatever that is': [
    latencyOf([sliceOf([1], { timedOut: 9 })], { ...IN_SLICES, timeoutNs: 42e9 }),
    { p50: { kind: 'above', ns: 42e9 } },
  ],
  'of the lost is longer than they had waited, and perhaps no longer than that of others': [
    // 10 of 40 after 1 ms, 15 more after 3 ms, and the last 15 after 4 ms: 10 were lost at 2 ms.
    sliced([1, 3, 4], { ok: 30, disconnected: 10, lostAgesMs: times(10, 2) }),
    {
      ...{ p50: known(3), p97_5: known(4), max: known(4), mean: known(115 / 40) },
      deviation: near(Math.sqrt((10 * 1 + 15 * 9 + 15 * 16) / 40 - 2.875 ** 2)),
    },
  ],
  'is above the longest wait after all answers': [
    // The rest, a fifth, as if it took 300 ms.
    sliced(ones(8), { disconnected: 2, lostAgesMs: [20, 300] }),
    { p50: known(1), p97_5: above(300), max: above(300), mean: above(0.8 + 0.2 * 300) },
  ],
  'is above the time-out if that was noticed late, or came late to a connection that was not idle':
    [
      sliced([1, 11_000], { timedOut: 2, lostAgesMs: [10_001, 14_000] }),
      { p2_5: known(1), p97_5: over, max: over },
    ],
  'of those in flight is longer than they had waited, if the window opened with the load': [
    unbroken(ones(3), WAITING),
    { p50: known(1), p97_5: above(9000) },
  ],
  'is known even if no request came to an end': [
    unbroken([], WAITING),
    { p2_5: above(9000), mean: above(9000) },
  ],
  'is known if each in flight had waited less than the longest answer': [
    unbroken([2, 2, 4], { inFlight: 2, inFlightAgesMs: [1, 3] }),
    { max: known(4), mean: { kind: 'known' }, deviation: expect.any(Number) },
  ],
  // 90 of 100 planned were sent, and took 1 to 90 ms.
  'of requests that were never sent is longer than all others, in every quantile': [
    unbroken(upTo(90), { ok: 90, pace: { dropped: 10 } }),
    { p50: known(50), p95: above(90), p99: above(90), mean: above((90 * 91) / 2 / 100 + 9) },
  ],
  'is above 0, and not left out, if none was sent': [
    unbroken([], { ok: 0, pace: { dropped: 10 } }),
    { mean: aboveZero, p2_5: aboveZero, p99: aboveZero, deviation: null, survivors: NOBODY },
  ],
};

test.each(Object.entries(FOUND))('latency %s', (_, [latency, found]) => {
  expect(latency).toMatchObject(found);
});

test('latency is none if no request came to an end, or only some in flight if the window opened later', () => {
  expect(later()).toBeNull();
  expect(later(sliceOf([]), sliceOf([], WAITING))).toBeNull();
  expect(sliced([2, 3], WAITING)).toEqual(sliced([2, 3]));
});

test('latency is never said to be longer than lost requests had waited', () => {
  const found = sliced([1], { disconnected: 1, lostAgesMs: [9900] });
  expect(found?.max).toMatchObject(above(9900));
  expect(found?.max.ns).toBeLessThanOrEqual(9900e6);
});

test('latency counts the lost once for each slice in which they were seen', () => {
  const each = sliceOf([1], { disconnected: 1, lostAgesMs: [5] });
  expect(later(each, each)).toEqual({ ...later(each), survivors: { count: 2, meanNs: 1e6 } });
});

test('latency shows few answers under an overload for what they are', () => {
  // As published: 20 of some 21,000, answered within 6 s; 10,000 timed out, sent again, and waited on.
  const answers = upTo(20).map((each) => 300 * each);
  const found = unbroken(answers, {
    ...{ timedOut: 10_000, lostAgesMs: times(10_000, 10_002) },
    ...{ inFlight: 10_000, inFlightAgesMs: times(10_000, 30) },
  });
  expect(found).toMatchObject({ p2_5: over, p50: over, mean: { kind: 'above' } });
  expect(found?.mean.ns).toBeGreaterThan(9.9e9);
  expect(found?.survivors).toEqual({ count: 20, meanNs: near(3150) });
});

const paced = (pace: Happened['pace'], ok = 1000) => makeSlice({ ok, ...(pace && { pace }) });
const kept = paced({ late: 10 });
const late = paced({ late: 11 });
const untold = paced({ dropped: 1, latenessMs: null });

test.each([
  ['with 1 % of late requests', kept, true],
  ['not with more', late, false],
  // So a server that leaves few places loses no slice.
  ['where dropped requests count as planned', paced({ dropped: 500, late: 10 }, 500), true],
  ['not where more of these are late', paced({ dropped: 500, late: 11 }, 500), false],
  ['in a closed loop, which has no plan', paced(undefined), true],
  ['with a generator that can not tell', paced({ late: 900, latenessMs: null }), true],
])('a slice is on schedule %s', (_, slice, isOn) => {
  expect(isOnSchedule(slice)).toBe(isOn);
});

test.each([
  ['there are others', [late, kept, late], [kept]],
  ['there are none', [late, late], [late, late]],
  ['nothing was measured', [], []],
  ['of the others nobody can tell', [late, untold], [late, untold]],
  ['one is known to be on schedule', [late, untold, kept], [untold, kept]],
])('a slice that is late is left out only if others are on schedule: %s', (_, slices, left) => {
  expect(onScheduleOf(slices)).toEqual(left);
});
