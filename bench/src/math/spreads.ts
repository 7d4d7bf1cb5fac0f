import fQuantile from '@stdlib/stats-base-dists-f-quantile';
import { sampleStandardDeviation, sum } from 'simple-statistics';
import { type Estimate, type Spread, spreadOf } from './statistics.ts';

const CONFIDENCE = 0.95;
/** One of several that spread alike is so far off by chance in 5 % of cases. */
const APART = 0.95;
/** Two differences that have a side in common correlate by a half, their variances by its square. */
const SHARED = 0.25;

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

/**
 * How far the values of one of several groups spread, known from all of them, as in an analysis of variance
 * (Georges, Buytaert and Eeckhout, _Statistically rigorous Java performance evaluation_, OOPSLA 2007): the mean of
 * their variances, by their degrees of freedom. A group that spreads farther than the others do by chance (F test at
 * 5 %) is none of them, and is known by itself. Groups may be differences that have a side in common.
 */
export function pooledSpread(values: number[], groups: readonly number[][]): Spread {
  const alike = groups.filter((group) => !isFarther(group, groups));
  return alike.includes(values) ? pooled(alike) : spreadOf(values);
}

/** Whether a group spreads farther than the others, which are as one, by more than chance. */
function isFarther(group: number[], groups: readonly number[][]): boolean {
  const own = spreadOf(group);
  const others = pooled(groups.filter((each) => each !== group));
  if (own.freedom === 0 || others.freedom === 0) return false;
  return (own.deviation / others.deviation) ** 2 > fQuantile(APART, own.freedom, others.freedom);
}

/**
 * Several groups as one. The mean of variances of which any two may correlate by c varies as one of so many degrees
 * of freedom does (Satterthwaite 1946): (Σf)² / ((1 − c) · Σf + c · (Σ√f)²). Groups too small to spread say nothing.
 */
function pooled(groups: readonly number[][]): Spread {
  const known = groups.map(spreadOf).filter(({ freedom }) => freedom > 0);
  if (known.length === 0) return spreadOf([]);
  const freedom = sum(known.map((each) => each.freedom));
  const roots = sum(known.map((each) => Math.sqrt(each.freedom)));
  const squares = sum(known.map((each) => each.freedom * each.deviation ** 2));
  return {
    deviation: Math.sqrt(squares / freedom),
    freedom: freedom ** 2 / ((1 - SHARED) * freedom + SHARED * roots ** 2),
  };
}
