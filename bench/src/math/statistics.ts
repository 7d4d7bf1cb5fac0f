import tQuantile from '@stdlib/stats-base-dists-t-quantile';
import { mean, median, quantile, sampleStandardDeviation } from 'simple-statistics';

/** A value with what is known of its error. */
export type Estimate =
  | { kind: 'none' }
  /** From one launch: there is nothing to compare it with. */
  | { kind: 'point'; value: number }
  /** With its 95 % interval over launches. */
  | { kind: 'interval'; value: number; low: number; high: number };

/** A figure of one round of one launch. */
export interface Sample {
  launch: number;
  value: number;
}

/** How far values spread, and how well that is known. */
export interface Spread {
  /** Standard deviation. */
  deviation: number;
  /** Degrees of freedom that it is known with. */
  freedom: number;
}

const CONFIDENCE = 0.95;

/**
 * The estimate of a figure measured in several rounds of several launches: the median over the
 * rounds of each launch (noise is one-sided and comes in bursts), and over launches the mean and
 * Student's t interval, since the launch is the sampling unit. In the figure's own unit.
 */
export function estimate(samples: Sample[], confidence = CONFIDENCE): Estimate {
  return overLaunches(
    launchMedians(samples).map(({ value }) => value),
    confidence,
  );
}

/**
 * The estimate of a ratio from ratios within rounds, on the log scale: the interval is symmetric in
 * log, and a ratio and its inverse agree. Samples are ratios, not logs.
 */
export function estimateRatio(ratios: Sample[], confidence = CONFIDENCE): Estimate {
  return mapEstimate(overLaunches(launchLogRatios(ratios), confidence), Math.exp);
}

/** As `estimateRatio`, of the logarithms of each launch, with what is known of how far they spread. */
export function ratioOfLogs(logs: number[], spread: Spread): Estimate {
  return mapEstimate(overLaunches(logs, CONFIDENCE, spread), Math.exp);
}

/**
 * The median natural logarithm of each launch's ratios within rounds. Ratios that have no logarithm
 * are left out, and with them launches that have no others.
 */
export function launchLogRatios(ratios: Sample[]): number[] {
  return launchLogs(ratios).map(({ value }) => value);
}

/** As `launchLogRatios`, each with its launch. */
export function launchLogs(ratios: Sample[]): Sample[] {
  const usable = ratios.filter(({ value }) => value > 0);
  return launchMedians(usable.map(({ launch, value }) => ({ launch, value: Math.log(value) })));
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

/** How far these values spread, by themselves; with no freedom where there are fewer than two. */
export function spreadOf(values: number[]): Spread {
  if (values.length < 2) return { deviation: Number.NaN, freedom: 0 };
  return { deviation: sampleStandardDeviation(values), freedom: values.length - 1 };
}

/** The standard error of the mean of so many values: s / √n. */
export function standardError({ deviation }: Spread, count: number): number {
  return deviation / Math.sqrt(count);
}

function launchMedians(samples: Sample[]): Sample[] {
  return [...Map.groupBy(samples, ({ launch }) => launch)].map(([launch, own]) => {
    return { launch, value: median(own.map(({ value }) => value)) };
  });
}

/** mean ± t · s / √n at this confidence, where there is more than one launch; t of as much freedom as s has. */
function overLaunches(medians: number[], confidence: number, spread = spreadOf(medians)): Estimate {
  const [first] = medians;
  if (first === undefined) return { kind: 'none' };
  if (medians.length === 1) return { kind: 'point', value: first };
  const value = mean(medians);
  const t = tQuantile(1 - (1 - confidence) / 2, spread.freedom);
  const half = t * standardError(spread, medians.length);
  return { kind: 'interval', value, low: value - half, high: value + half };
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
