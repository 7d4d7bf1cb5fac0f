import tQuantile from '@stdlib/stats-base-dists-t-quantile';
import { mean, median, sampleStandardDeviation } from 'simple-statistics';

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

const CONFIDENCE = 0.95;

/**
 * The estimate of a figure measured in several rounds of several launches: the median over the
 * rounds of each launch (noise is one-sided and comes in bursts), and over launches the mean and
 * Student's t interval, since the launch is the sampling unit. In the figure's own unit.
 */
export function estimate(samples: Sample[]): Estimate {
  const launches = [...Map.groupBy(samples, (sample) => sample.launch).values()];
  const medians = launches.map((group) => median(group.map((sample) => sample.value)));
  const [first] = medians;
  if (first === undefined) return { kind: 'none' };
  if (medians.length === 1) return { kind: 'point', value: first };
  const value = mean(medians);
  const half = halfWidth(medians);
  return { kind: 'interval', value, low: value - half, high: value + half };
}

/**
 * The estimate of a ratio from ratios within rounds, on the log scale: the interval is symmetric in
 * log, and a ratio and its inverse agree. Samples are ratios, not logs.
 */
export function estimateRatio(samples: Sample[]): Estimate {
  const logs = samples
    .filter(({ value }) => value > 0)
    .map(({ launch, value }) => ({ launch, value: Math.log(value) }));
  return mapEstimate(estimate(logs), Math.exp);
}

/** An estimate through a rising function. */
export function mapEstimate(from: Estimate, rising: (value: number) => number): Estimate {
  if (from.kind === 'none') return from;
  const value = rising(from.value);
  if (from.kind === 'point') return { kind: 'point', value };
  return { kind: 'interval', value, low: rising(from.low), high: rising(from.high) };
}

/** The estimate's value, or null where there is none. */
export function pointOf(from: Estimate): number | null {
  return from.kind === 'none' ? null : from.value;
}

/** t(0.975, n − 1) · s / √n. */
function halfWidth(values: number[]): number {
  const t = tQuantile(1 - (1 - CONFIDENCE) / 2, values.length - 1);
  return (t * sampleStandardDeviation(values)) / Math.sqrt(values.length);
}
