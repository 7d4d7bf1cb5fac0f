import { expect, test } from 'vitest';
import { isOnSchedule, onScheduleOf } from '../../src/figures/on-schedule.ts';
import type { Slice } from '../../src/record/record.ts';
import { type Happened, makeMeasurement } from '../support/make-record.ts';

function sliceOf(happened: Happened): Slice {
  const measurement = makeMeasurement({ ok: 1000, ...happened });
  const place = { cell: 'a/single/rate-1000', launch: 0, round: 0, startedNs: 0 };
  return { ...place, handler: null, measurement };
}

const kept = sliceOf({ pace: { late: 10, latenessMs: [0.1] } });
const late = sliceOf({ pace: { late: 11, latenessMs: [0.1] } });

test('a slice with no more than 1 % late requests is punctual', () => {
  expect(isOnSchedule(kept)).toBe(true);
  expect(isOnSchedule(late)).toBe(false);
});

test('requests that were dropped count as planned: a server that leaves few places loses no slice', () => {
  expect(isOnSchedule(sliceOf({ ok: 500, pace: { dropped: 500, late: 10 } }))).toBe(true);
  expect(isOnSchedule(sliceOf({ ok: 500, pace: { dropped: 500, late: 11 } }))).toBe(false);
});

test('a closed loop has no plan to miss, and who cannot tell has kept it', () => {
  expect(isOnSchedule(sliceOf({}))).toBe(true);
  expect(isOnSchedule(sliceOf({ pace: { late: 900, latenessMs: null } }))).toBe(true);
});

test('late slices are left out as long as there are others', () => {
  expect(onScheduleOf([late, kept, late])).toEqual([kept]);
  expect(onScheduleOf([late, late])).toEqual([late, late]);
  expect(onScheduleOf([])).toEqual([]);
});

test('late slices are not left out for those of which nobody can tell', () => {
  const untold = sliceOf({ pace: { dropped: 1, latenessMs: null } });
  expect(onScheduleOf([late, untold])).toEqual([late, untold]);
  expect(onScheduleOf([late, untold, kept])).toEqual([untold, kept]);
});
