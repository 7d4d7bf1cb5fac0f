import type { ClockDifference } from '../load/clocks.ts';
import { number } from './format.ts';

/** What is to be known of another machine's clock, which no figure depends on. */
export function clockText(
  host: string,
  { aheadMs, errorMs, driftMsPerH }: ClockDifference,
): string {
  const isAhead = aheadMs >= 0 ? 'ahead' : 'behind';
  const difference = `The clock of ${host} is ${number(Math.abs(aheadMs))} ms ${isAhead}, ±${number(errorMs)} ms`;
  if (driftMsPerH === null) return `${difference}, and does not drift as far as can be told.`;
  const way = driftMsPerH >= 0 ? 'gains' : 'loses';
  return `${difference}, and ${way} ${number(Math.abs(driftMsPerH))} ms an hour.`;
}
