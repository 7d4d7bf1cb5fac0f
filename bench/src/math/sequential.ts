/** Intervals that hold however often somebody looks, and what may be decided by them. */
import tQuantile from '@stdlib/stats-base-dists-t-quantile';
import { mean, sampleStandardDeviation } from 'simple-statistics';
import type { Estimate } from './statistics.ts';
import type { Verdict } from './verdicts.ts';

/** The chance that any interval of a family ever leaves out what it is of. */
export const ALPHA = 0.05;
/** Where the mixture puts its weight: with this, intervals are about as narrow as they can be at 5 to 20 values. */
const MIX = 0.3;
/** How often a difference is found that counts as one that can be seen. */
const POWER = 0.8;
/** More values than anybody waits for. */
const MOST_VALUES = 1000;

/**
 * The mean of values that come one after the other, with an interval that covers at every look at once: the chance
 * that it ever leaves the true mean out is at most `alpha`, whatever decides when to stop. It is the confidence
 * sequence of the t test that mixes over effects (Lai 1976, "On confidence sequences"; Wang and Ramdas 2025,
 * "Anytime-valid t-tests and confidence sequences for Gaussian means with unknown variance", Sequential Analysis 44),
 * exact for normal values of any variance. A point where there are too few to say anything.
 */
export function anytimeInterval(values: readonly number[], alpha: number): Estimate {
  if (values.length === 0) return { kind: 'none' };
  const value = mean([...values]);
  const half = halfWidth(values.length, spreadOf(values), alpha);
  if (!Number.isFinite(half)) return { kind: 'point', value };
  return { kind: 'interval', value, low: value - half, high: value + half };
}

/** Half of that interval, of so many values with this standard deviation; infinite where there are too few. */
function halfWidth(count: number, spread: number, alpha: number): number {
  const most = (Math.sqrt((count + MIX) / MIX) / alpha) ** (2 / count);
  const rest = 1 - (most * MIX) / (count + MIX);
  if (count < 2 || rest <= 0) return Number.POSITIVE_INFINITY;
  return spread * Math.sqrt(((most - 1) * (count - 1)) / (count * rest));
}

function spreadOf(values: readonly number[]): number {
  return values.length < 2 ? 0 : sampleStandardDeviation([...values]);
}

/** How many values make the interval ± this narrow, if they go on to spread as these; null where that takes too many. */
export function valuesFor(half: number, values: readonly number[], alpha: number): number | null {
  const spread = spreadOf(values);
  for (let count = values.length + 1; count <= MOST_VALUES; count++) {
    if (halfWidth(count, spread, alpha) <= half) return count;
  }
  return null;
}

/** The smallest mean that is told from 0 in four of five sets of so many values that spread as these. */
export function smallestSeen(values: readonly number[], alpha: number): number {
  const count = values.length;
  const half = halfWidth(count, spreadOf(values), alpha);
  if (!Number.isFinite(half)) return half;
  return half + (tQuantile(POWER, count - 1) * spreadOf(values)) / Math.sqrt(count);
}

/**
 * What a difference says beside a copy of the first side: nothing where that, which is the same thing, is shown to
 * differ from it, or where nobody knows.
 */
export function judge(found: Estimate, copy: Estimate, equivalence: number): Verdict {
  if (copy.kind !== 'interval' || excludesZero(copy)) return "can't tell";
  return verdictOf(found, equivalence);
}

/**
 * What a difference says, as a share, where less is better. To be the same goes before a difference, which is then too
 * small to matter.
 */
export function verdictOf(found: Estimate, equivalence: number): Verdict {
  if (found.kind !== 'interval') return "can't tell";
  if (found.low >= -equivalence && found.high <= equivalence) return 'same';
  if (!excludesZero(found)) return "can't tell";
  return found.value > 0 ? 'slower' : 'faster';
}

/** Whether an estimate is shown not to be 0. */
export function excludesZero(found: Estimate): boolean {
  return found.kind === 'interval' && (found.low > 0 || found.high < 0);
}
