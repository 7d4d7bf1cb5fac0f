import { expect, test } from 'vitest';
import { type ClockReading, compareClocks } from '../../src/load/clocks.ts';

/** A clock that is so much ahead at first, and gains so much in each second. */
function readings(aheadMs: number, gainMsPerS: number, roundTripsMs: number[]): ClockReading[] {
  return roundTripsMs.map((roundTripMs, second) => {
    const fromMs = second * 1000;
    const middleMs = fromMs + roundTripMs / 2;
    const thereMs = middleMs + aheadMs + gainMsPerS * second;
    return { fromMs, toMs: fromMs + roundTripMs, thereMs };
  });
}

test('a clock that is 5 s ahead is so, within half a round trip', () => {
  expect(compareClocks(readings(5000, 0, [4, 2, 6, 3, 8, 4]))).toEqual({
    ...{ aheadMs: 5000, errorMs: 1, driftMsPerH: null },
  });
});

test('one that drifts is told by how much', () => {
  const found = compareClocks(
    readings(
      -10,
      0.5,
      Array.from({ length: 60 }, () => 2),
    ),
  );
  expect(found?.aheadMs).toBeCloseTo(-10);
  expect(found?.driftMsPerH).toBeCloseTo(1800);
});

test('a change that the round trips hide is no drift', () => {
  expect(compareClocks(readings(0, 0.01, [50, 50, 50, 50, 50, 50, 50]))?.driftMsPerH).toBeNull();
});

test('nothing is known of a clock that nobody has read', () => {
  expect(compareClocks([])).toBeNull();
});
