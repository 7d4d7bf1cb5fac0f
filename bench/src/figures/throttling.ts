import type { Slice } from '../record/record.ts';
import { sum } from './figures.ts';

/** What a CPU limit did to a server in the windows of its slices. */
export interface ThrottlingShares {
  /** The periods in which it was held back, of all; 0 where the limit was never reached. */
  periodsShare: number;
  /** How long its threads were held back, over time; one that waits for two cores counts twice. */
  timeShare: number;
}

/** Over all these slices together; null without a limit, and without a period. */
export function throttlingShares(slices: readonly Slice[]): ThrottlingShares | null {
  const told = slices.flatMap(({ measurement: { throttling, windowNs } }) => {
    return throttling === null ? [] : [{ ...throttling, windowNs }];
  });
  const periods = sum(told, (each) => each.periods);
  if (periods === 0) return null;
  return {
    periodsShare: sum(told, ({ throttledPeriods }) => throttledPeriods) / periods,
    timeShare: sum(told, ({ throttledNs }) => throttledNs) / sum(told, ({ windowNs }) => windowNs),
  };
}
