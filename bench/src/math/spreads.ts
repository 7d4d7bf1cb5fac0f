import fQuantile from '@stdlib/stats-base-dists-f-quantile';
import { sampleStandardDeviation } from 'simple-statistics';
import type { Estimate } from './statistics.ts';

const CONFIDENCE = 0.95;

/**
 * How many times as far as `others` these values spread: the ratio of their standard deviations, with
 * the 95 % interval that the F distribution of the variance ratio gives it. That holds for values that
 * are normally distributed and independent. `none` where either are fewer than two, or all alike: then
 * there is no ratio.
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
