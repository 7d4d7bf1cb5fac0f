import tQuantile from '@stdlib/stats-base-dists-t-quantile';
import { mean, quantile, sampleStandardDeviation } from 'simple-statistics';

/** A value with what is known of its error. */
export type Estimate =
  | { kind: 'none' }
  /** From one launch: there is nothing to compare it with. */
  | { kind: 'point'; value: number }
  /** With its 95 % interval over launches. */
  | { kind: 'interval'; value: number; low: number; high: number };

/** A figure in a launch. */
export interface Sample {
  launch: number;
  value: number;
}

const CONFIDENCE = 0.95;

/**
 * The estimate of a figure: the mean over launches with Student's t interval, since the launch is the
 * sampling unit. In the figure's own unit.
 */
export function estimate(samples: readonly Sample[], confidence = CONFIDENCE): Estimate {
  const values = launchMeans(samples);
  const [first] = values;
  if (first === undefined) return { kind: 'none' };
  if (values.length === 1) return { kind: 'point', value: first };
  const value = mean(values);
  const half = halfWidth(values, confidence);
  return { kind: 'interval', value, low: value - half, high: value + half };
}

/** A figure of two things, launch by launch. */
export interface Sides {
  own: readonly Sample[];
  other: readonly Sample[];
}

/**
 * How much more the one is than the other, from the differences within launches: how fast the machine was in a
 * launch, and what is not known of the other side, is in them. In the figure's own unit.
 */
export function difference({ own, other }: Sides, confidence = CONFIDENCE): Estimate {
  return differenceOfSums([{ own, other }], confidence);
}

/** The sum of several differences, launch by launch: what they share, as a base, is in it as often as it is. */
export function differenceOfSums(terms: readonly Sides[], confidence = CONFIDENCE): Estimate {
  const [first, ...others] = terms.map(({ own, other }) => {
    return betweenLaunches(own, other, (a, b) => a - b);
  });
  if (first === undefined) return { kind: 'none' };
  const sums = others.reduce((sum, each) => betweenLaunches(sum, each, (a, b) => a + b), first);
  return estimate(sums, confidence);
}

/**
 * The one over the other: the ratio R of their means over the launches that have both, with the interval of
 * the ratio estimator, from the residuals a − R·b of the launches (Cochran, _Sampling Techniques_, 1977,
 * section 6.4).
 */
export function ratio(sides: Sides, confidence = CONFIDENCE): Estimate {
  const { own, other } = common(sides);
  const base = meanOf(other);
  const times = meanOf(own) / base;
  if (!Number.isFinite(times) || base <= 0) return { kind: 'none' };
  const each = betweenLaunches(own, other, (a, b) => times + (a - times * b) / base);
  return estimate(each, confidence);
}

/** How much more the one is than the other in each launch, as a share of the other's mean. */
export function shares(sides: Sides): number[] {
  const { own, other } = common(sides);
  const base = meanOf(other);
  if (!(base > 0)) return [];
  return betweenLaunches(own, other, (a, b) => (a - b) / base).map(({ value }) => value);
}

/** The launches that both have. */
function common({ own, other }: Sides): Sides {
  return {
    own: betweenLaunches(own, other, (a, b) => (Number.isFinite(b) ? a : b)),
    other: betweenLaunches(own, other, (_, b) => b),
  };
}

function meanOf(samples: readonly Sample[]): number {
  return samples.length === 0 ? Number.NaN : mean(samples.map(({ value }) => value));
}

/** An estimate through a rising function. */
export function mapEstimate(from: Estimate, rising: (value: number) => number): Estimate {
  if (from.kind === 'none') return from;
  const value = rising(from.value);
  if (from.kind === 'point') return { kind: 'point', value };
  return { kind: 'interval', value, low: rising(from.low), high: rising(from.high) };
}

/** What is as much less as this is more. */
export function negated(from: Estimate): Estimate {
  if (from.kind === 'none') return from;
  if (from.kind === 'point') return { kind: 'point', value: -from.value };
  return { kind: 'interval', value: -from.value, low: -from.high, high: -from.low };
}

/** The estimate's value, or null where there is none. */
export function pointOf(from: Estimate): number | null {
  return from.kind === 'none' ? null : from.value;
}

/** The standard error of the mean of these values: s / √n. */
export function standardError(values: readonly number[]): number {
  return sampleStandardDeviation([...values]) / Math.sqrt(values.length);
}

/** Half of the t interval of the mean of several values. */
function halfWidth(values: readonly number[], confidence: number): number {
  return tQuantile(1 - (1 - confidence) / 2, values.length - 1) * standardError(values);
}

function launchMeans(samples: readonly Sample[]): number[] {
  const launches = Map.groupBy(samples, ({ launch }) => launch);
  return [...launches.values()].map((own) => mean(own.map(({ value }) => value)));
}

/**
 * The lower quartile of each launch: what noise that only ever adds has spared. A few slices that are
 * disturbed, or nearly half of them, do not move it.
 */
export function lowerQuartiles(samples: readonly Sample[]): Sample[] {
  const launches = Map.groupBy(samples, ({ launch }) => launch);
  return [...launches].map(([launch, own]) => {
    return {
      launch,
      value: quantile(
        own.map(({ value }) => value),
        0.25,
      ),
    };
  });
}

/** A value of each launch and the other one of the same; without those that have none. */
export function betweenLaunches(
  samples: readonly Sample[],
  others: readonly Sample[],
  compare: (a: number, b: number) => number,
): Sample[] {
  const byLaunch = new Map(others.map(({ launch, value }) => [launch, value]));
  return samples.flatMap(({ launch, value: own }) => {
    const value = compare(own, byLaunch.get(launch) ?? Number.NaN);
    return Number.isFinite(value) ? [{ launch, value }] : [];
  });
}
