import { expect, test } from 'vitest';
import { isOnSchedule, onScheduleOf } from '../../src/figures/latency.ts';
import { type Happened, makeSlice } from '../support/make-record.ts';

const sliceOf = (pace: Happened['pace'], ok = 1000) => makeSlice({ ok, ...(pace && { pace }) });

const kept = sliceOf({ late: 10 });
const late = sliceOf({ late: 11 });

test.each([
  ['with 1 % of late requests', kept, true],
  ['not with more', late, false],
  // So a server that leaves few places loses no slice.
  ['where dropped requests count as planned', sliceOf({ dropped: 500, late: 10 }, 500), true],
  ['not where more of these are late', sliceOf({ dropped: 500, late: 11 }, 500), false],
  ['in a closed loop, which has no plan', sliceOf(undefined), true],
  ['with a generator that can not tell', sliceOf({ late: 900, latenessMs: null }), true],
])('a slice is on schedule %s', (_, slice, isOn) => {
  expect(isOnSchedule(slice)).toBe(isOn);
});

test('late slices are left out if there are others', () => {
  expect(onScheduleOf([late, kept, late])).toEqual([kept]);
  expect(onScheduleOf([late, late])).toEqual([late, late]);
  expect(onScheduleOf([])).toEqual([]);
});

test('slices of which nobody can tell are no reason to leave late ones out', () => {
  const untold = sliceOf({ dropped: 1, latenessMs: null });
  expect(onScheduleOf([late, untold])).toEqual([late, untold]);
  expect(onScheduleOf([late, untold, kept])).toEqual([untold, kept]);
});
