import type { Slice } from '../record/record.ts';
import { pooled } from './times.ts';

/**
 * So many of the requests planned in a slice may leave, or be dropped, more than a millisecond after their time.
 * The latency of slices with more is left out, as long as there are others.
 */
export const LATE_SHARE = 0.01;

/**
 * Whether the generator kept the plan of an open loop in a slice: of a slice in which it did not, the
 * latency is its own. It is told by the generator's side alone, so a slow server loses no slice by it.
 * Closed loops have no plan, and a generator that can't tell keeps it.
 */
export function isOnSchedule({ measurement: { pace } }: Slice): boolean {
  if (pace === null || pace.lateness === null) return true;
  const { late, histogram } = pace.lateness;
  // Every planned request; in older records, and k6's, those that were sent.
  return late <= LATE_SHARE * pooled([histogram]).count;
}

/**
 * The slices in which the generator was punctual, as far as it can tell; all of them where it never is
 * known to have been.
 */
export function onScheduleOf(slices: readonly Slice[]): readonly Slice[] {
  const isKnown = (slice: Slice) => slice.measurement.pace?.lateness != null && isOnSchedule(slice);
  return slices.some(isKnown) ? slices.filter(isOnSchedule) : slices;
}
