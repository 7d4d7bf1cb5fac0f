/** A reading of another machine's clock, and when it was asked for and came by this machine's, ms. */
export interface ClockReading {
  fromMs: number;
  toMs: number;
  thereMs: number;
}

/** How far the other clock was ahead at first, the error of that, and its gain per hour, null within the error. */
export type ClockDifference = NonNullable<ReturnType<typeof compareClocks>>;

const HOUR_MS = 3_600_000;

/** The difference by the readings with the shortest round trips of the first and second half; null without readings. */
export function compareClocks(readings: readonly ClockReading[]) {
  const offsets = readings.map(({ fromMs, toMs, thereMs }) => {
    return { fromMs, aheadMs: thereMs - (fromMs + toMs) / 2, errorMs: (toMs - fromMs) / 2 };
  });
  const half = Math.ceil(offsets.length / 2);
  const [first, last] = [offsets.slice(0, half), offsets.slice(-half)].map((those) => {
    return those.toSorted((a, b) => a.errorMs - b.errorMs).at(0);
  });
  if (first === undefined || last === undefined) return null;
  const { aheadMs, errorMs } = first;
  const change = last.aheadMs - aheadMs;
  const isKnown = Math.abs(change) > errorMs + last.errorMs;
  const betweenMs = last.fromMs - first.fromMs;
  const driftMsPerH = isKnown && betweenMs > 0 ? (change / betweenMs) * HOUR_MS : null;
  return { aheadMs, errorMs, driftMsPerH };
}
