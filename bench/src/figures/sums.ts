import { mean } from 'simple-statistics';
import {
  betweenLaunches,
  type Estimate,
  estimate,
  launchLogs,
  pointOf,
  type Sample,
} from '../math/statistics.ts';
import type { CpuPairs } from './figures.ts';

/** What something costs more than its base, added or taken off. */
export interface Term {
  sign: 1 | -1;
  pairs: CpuPairs;
}

/**
 * The sum of what several things cost more than their bases, ns of CPU: of the very figures that
 * `moreCpu` gives for each. They were measured in the same launches and often share a base, so their
 * errors are not independent: each launch is one sample of the whole sum, each ratio linear about its mean
 * there (delta method). None where one of them is unknown; a point where they share fewer than two launches.
 */
export function sumOfMore(terms: readonly Term[]): Estimate {
  const parts = terms.map(partOf);
  const value = parts.reduce((sum, part) => sum + part.value, 0);
  const [first, ...others] = parts;
  if (first === undefined || !Number.isFinite(value)) return { kind: 'none' };
  const errors = others.reduce((sum, { errors: own }) => {
    return betweenLaunches(sum, own, (a, b) => a + b);
  }, first.errors);
  const error = estimate(errors);
  if (error.kind !== 'interval') return { kind: 'point', value };
  const half = (error.high - error.low) / 2;
  return { kind: 'interval', value, low: value - half, high: value + half };
}

/** What one is, and by how much it was off in each launch; not finite where it is unknown. */
function partOf({ sign, pairs: { base, ratios } }: Term): { value: number; errors: Sample[] } {
  const logs = launchLogs(ratios);
  if (logs.length === 0) return { value: Number.NaN, errors: [] };
  const level = pointOf(estimate(base)) ?? Number.NaN;
  const middle = mean(logs.map(({ value }) => value));
  const slope = sign * level * Math.exp(middle);
  return {
    value: sign * level * (Math.exp(middle) - 1),
    errors: logs.map(({ launch, value }) => ({ launch, value: slope * (value - middle) })),
  };
}
