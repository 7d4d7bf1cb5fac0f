import { plus } from '../math/counters.ts';
import type { Slice } from '../record/record.ts';

/** What a CPU limit did to a server in the windows of all these slices; null without a limit, and without a period. */
export function throttlingShares(slices: readonly Slice[]) {
  const limited = slices.flatMap(({ measurement: { throttling, windowNs } }) => {
    return throttling === null ? [] : [{ ...throttling, windowNs }];
  });
  if (limited.every(({ periods }) => periods === 0)) return null;
  const all = limited.reduce((a, b) => plus(a, b));
  return {
    /** Of all periods, those in which it was throttled; 0 if the limit was never reached. */
    periodsShare: all.throttledPeriods / all.periods,
    /** How long its threads were held back, over time; one that waits for two cores counts twice. */
    timeShare: all.throttledNs / all.windowNs,
  };
}
