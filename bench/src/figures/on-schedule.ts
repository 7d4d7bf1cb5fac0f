import type { Slice } from '../record/record.ts';
import { pooled } from './times.ts';

/**
 * The most requests planned in a slice that may leave, or be dropped, more than a millisecond late, as a share. The
 * latency of slices with more is left out, if there are others.
 */
export const LATE_SHARE = 0.01;

/**
 * Whether the generator kept to the plan of an open loop in a slice; if not, the latency of the slice is the
 * generator's. Only the generator's side counts, so a slow server loses no slice by it. Closed loops have no plan, and a
 * generator that can't tell is taken to keep it.
 */
export function isOnSchedule({ measurement: { pace } }: Slice): boolean {
  if (pace === null || pace.lateness === null) return true;
  const { late, histogram } = pace.lateness;
  // Every planned request; in older records, and in those of k6, every request sent.
  return late <= LATE_SHARE * pooled([histogram]).count;
}

/** The slices in which the generator was on schedule as far as it can tell; all of them if that is known of none. */
export function onScheduleOf(slices: readonly Slice[]): readonly Slice[] {
  const isKnown = (slice: Slice) => slice.measurement.pace?.lateness != null && isOnSchedule(slice);
  return slices.some(isKnown) ? slices.filter(isOnSchedule) : slices;
}
