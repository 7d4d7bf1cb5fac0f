import fQuantile from '@stdlib/stats-base-dists-f-quantile';
import { sampleStandardDeviation } from 'simple-statistics';
import type { Estimate } from './statistics.ts';

const CONFIDENCE = 0.95;

/**
 * The ratio of the standard deviations of two sets of values, with its 95 % interval from the F distribution of the
 * variance ratio. It assumes independent, normally distributed values. `none` if either has fewer than two values, or
 * no spread.
 */
export function spreadRatio(values: number[], others: number[]): Estimate {
  if (values.length < 2 || others.length < 2) return { kind: 'none' };
  const [spread, base] = [sampleStandardDeviation(values), sampleStandardDeviation(others)];
  if (spread === 0 || base === 0) return { kind: 'none' };
  const value = spread / base;
  const tail = (1 - CONFIDENCE) / 2;
  const times = (p: number) => Math.sqrt(fQuantile(p, values.length - 1, others.length - 1));
  return { kind: 'interval', value, low: value / times(1 - tail), high: value / times(tail) };
}
