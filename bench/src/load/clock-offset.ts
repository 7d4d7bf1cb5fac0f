/** How the clocks of two machines differ, by what they tell each other. */

/** A reading of the other clock, between two of this one's, ms. */
export interface ClockReading {
  fromMs: number;
  toMs: number;
  thereMs: number;
}

/** By how much the other clock is ahead at first, and by how much it gains after that per hour, ms. */
export interface ClockDifference {
  aheadMs: number;
  /** The reading may have been taken anywhere within the round trip. */
  errorMs: number;
  /** Null where the change does not exceed the error. */
  driftMsPerH: number | null;
}

const HOUR_MS = 3_600_000;

/**
 * The difference of two clocks; null where they were never compared. Of each half of the readings the one with the
 * shortest round trip counts: the others were delayed on their way.
 */
export function compareClocks(readings: readonly ClockReading[]): ClockDifference | null {
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
