import { expect, test } from 'vitest';
import { type ClockReading, compareClocks } from '../../src/load/clock-offset.ts';

/** A clock that is ahead by this much at first, and gains this much in each second. */
function readings(aheadMs: number, gainMsPerS: number, roundTripsMs: number[]): ClockReading[] {
  return roundTripsMs.map((roundTripMs, second) => {
    const fromMs = second * 1000;
    const thereMs = fromMs + roundTripMs / 2 + aheadMs + gainMsPerS * second;
    return { fromMs, toMs: fromMs + roundTripMs, thereMs };
  });
}

test('a clock that is 5 s ahead is so, within half the shortest round trip', () => {
  const aheadBy = compareClocks(readings(5000, 0, [4, 2, 6, 3, 8, 4]));
  expect(aheadBy).toEqual({ aheadMs: 5000, errorMs: 1, driftMsPerH: null });
});

test('a drift is known if it exceeds the error of the round trips', () => {
  const found = compareClocks(readings(-10, 0.5, Array(60).fill(2)));
  expect(found?.aheadMs).toBeCloseTo(-10);
  expect(found?.driftMsPerH).toBeCloseTo(1800);
  expect(compareClocks(readings(0, 0.01, Array(7).fill(50)))?.driftMsPerH).toBeNull();
});

test('nothing is known of a clock that was never read', () => {
  expect(compareClocks([])).toBeNull();
});
