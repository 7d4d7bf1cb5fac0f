/** How the clocks of two machines differ, by what they tell each other. */

/** A reading of the other clock, between two of this one's, ms. */
export interface ClockReading {
  fromMs: number;
  toMs: number;
  thereMs: number;
}

/** By how much the other clock is ahead, at the begin, and by how much more it is after that in an hour, ms. */
export interface ClockDifference {
  aheadMs: number;
  /** The reading may have been anywhere within the round trip. */
  errorMs: number;
  /** Null where it was watched for too short a time to tell it from the error. */
  driftMsPerH: number | null;
}

const HOUR_MS = 3_600_000;

/**
 * The difference of two clocks; null where they were never compared. Of each half of the readings the one with the
 * shortest round trip counts: the others have waited on their way.
 */
export function compareClocks(readings: readonly ClockReading[]): ClockDifference | null {
  const half = Math.ceil(readings.length / 2);
  const [first, last] = [best(readings.slice(0, half)), best(readings.slice(-half))];
  if (first === null || last === null) return null;
  const change = aheadOf(last) - aheadOf(first);
  const isKnown = Math.abs(change) > errorOf(first) + errorOf(last);
  const betweenMs = last.fromMs - first.fromMs;
  return {
    aheadMs: aheadOf(first),
    errorMs: errorOf(first),
    driftMsPerH: isKnown && betweenMs > 0 ? (change / betweenMs) * HOUR_MS : null,
  };
}

function best(readings: readonly ClockReading[]): ClockReading | null {
  const [first, ...others] = readings;
  if (first === undefined) return null;
  return others.reduce((least, each) => (errorOf(each) < errorOf(least) ? each : least), first);
}

function aheadOf({ fromMs, toMs, thereMs }: ClockReading): number {
  return thereMs - (fromMs + toMs) / 2;
}

function errorOf({ fromMs, toMs }: ClockReading): number {
  return (toMs - fromMs) / 2;
}
