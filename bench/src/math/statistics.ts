import fQuantile from '@stdlib/stats-base-dists-f-quantile';
import tQuantile from '@stdlib/stats-base-dists-t-quantile';
import { mean, quantile, sampleStandardDeviation } from 'simple-statistics';

export type Estimate =
  | { kind: 'none' }
  /** From too few launches, so that its error is unknown. */
  | { kind: 'point'; value: number }
  /** With its 95 % confidence interval over launches. */
  | { kind: 'interval'; value: number; low: number; high: number };
/** What is known of a figure; nothing where nobody measured it. */
export type MaybeEstimate = Estimate | null | undefined;
export type Range = Omit<Extract<Estimate, { kind: 'interval' }>, 'kind' | 'value'>;

/** The value of a figure in one launch. */
export interface Sample {
  launch: number;
  value: number;
}

/** The chance that a verdict or an interval is wrong, or, where several count as one family, that any of them is. */
export const ALPHA = 0.05;
const CONFIDENCE = 1 - ALPHA;
/** The share of the values that a trimmed mean leaves out at either end. */
const TRIMMED = 0.1;
/** An interval says nothing if it reaches from a ratio to a hundred times that ratio. */
const WIDEST = Math.log(100);

/** The mean over launches, which are the sampling units, with Student's t interval, in the figure's own unit. */
export function estimate(samples: readonly Sample[], confidence = CONFIDENCE): Estimate {
  const values = samples.map(({ value }) => value);
  return estimateMean(values, confidence);
}

/** The mean of independent values with Student's t interval, in their own unit. */
export function estimateMean(values: readonly number[], confidence: number): Estimate {
  const [first] = values;
  if (first === undefined) return { kind: 'none' };
  if (values.length === 1) return { kind: 'point', value: first };
  return tInterval(mean([...values]), standardError(values), values.length - 1, confidence);
}

function tInterval(value: number, error: number, freedom: number, confidence: number) {
  const half = tQuantile(1 - (1 - confidence) / 2, freedom) * error;
  return { kind: 'interval' as const, value, low: value - half, high: value + half };
}

/** A figure of two things, launch by launch. */
export interface Sides {
  own: readonly Sample[];
  other: readonly Sample[];
}

/** The mean difference within launches, in the figure's own unit. The machine's speed in each launch is part of it. */
export function difference(sides: Sides, confidence = CONFIDENCE): Estimate {
  return differenceOfSums([sides], confidence);
}

/** The sum of several differences, launch by launch. The error of a base that they share counts once for each. */
export function differenceOfSums(terms: readonly Sides[], confidence = CONFIDENCE): Estimate {
  const [first = [], ...others] = terms.map((sides) => inEachLaunch(sides, (a, b) => a - b));
  const sums = others.reduce((own, other) => inEachLaunch({ own, other }, (a, b) => a + b), first);
  return estimate(sums, confidence);
}

/** The geometric mean of the ratios within launches, with a t interval on the log scale. Machine speed cancels out. */
export function ratio(sides: Sides, confidence = CONFIDENCE): Estimate {
  return mapEstimate(estimateMean(logRatios(sides), confidence), Math.exp);
}

/** ln(first / second) in each launch that both have; none if any value is not above 0: the others would hide it. */
export function logRatios(sides: Sides): number[] {
  const least = inEachLaunch(sides, (own, other) => Math.min(own, other));
  if (least.some(({ value }) => value <= 0)) return [];
  return inEachLaunch(sides, (own, other) => Math.log(own / other)).map(({ value }) => value);
}

/**
 * How much more the first is, as a share of the second, if the two share no launch: the ratio of the means minus 1, by
 * the errors of both (Cochran, _Sampling Techniques_, 1977, section 6.4) and Welch's degrees of freedom (Welch 1947).
 */
export function changeBetween({ own, other }: Sides, confidence = CONFIDENCE): Estimate {
  const [a = [], b = []] = [own, other].map((samples) => samples.map(({ value }) => value));
  if (a.length < 2 || b.length < 2) return { kind: 'none' };
  const times = mean(a) / mean(b);
  const errors = [standardError(a) / mean(b), (times * standardError(b)) / mean(b)] as const;
  const error = Math.hypot(...errors);
  const freedom =
    error ** 4 / (errors[0] ** 4 / (a.length - 1) + errors[1] ** 4 / (b.length - 1)) || 1;
  return tInterval(times - 1, error, freedom, confidence);
}

/**
 * The mean without the largest and the smallest tenth of the values, its standard error by the winsorized standard
 * deviation, and the degrees of freedom of that (Tukey and McLaughlin 1963, "Less vulnerable confidence and significance
 * procedures for location based on a single sample"). Fewer than ten values all count.
 */
export function trimmedMean(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b);
  const cut = Math.floor(TRIMMED * sorted.length);
  const kept = sorted.slice(cut, sorted.length - cut);
  const [least, most] = [Math.min(...kept), Math.max(...kept)];
  const winsorized = sorted.map((value) => Math.min(most, Math.max(least, value)));
  const error = standardError(winsorized) / (kept.length / sorted.length);
  return { value: mean(kept), error, freedom: kept.length - 1 };
}

/** A change as a share, from logarithms of ratios, some of them outliers; a point if the interval says nothing. */
export function changeAt(level: number, logs: readonly number[]): Estimate {
  if (logs.length < 2) return mapEstimate(estimateMean(logs, 1 - level), Math.expm1);
  const { value, error, freedom } = trimmedMean(logs);
  const found = tInterval(value, error, freedom, 1 - level);
  const isUseful = found.high - found.value < WIDEST;
  return mapEstimate(isUseful ? found : withoutInterval(found), Math.expm1);
}

/** The estimate after a monotonic function. */
export function mapEstimate(from: Estimate, by: (value: number) => number): Estimate {
  if (from.kind === 'none') return from;
  const value = by(from.value);
  if (from.kind === 'point') return { kind: 'point', value };
  const ends = [by(from.low), by(from.high)];
  return { kind: 'interval', value, low: Math.min(...ends), high: Math.max(...ends) };
}

export function withoutInterval(from: Estimate): Estimate {
  return from.kind === 'interval' ? { kind: 'point', value: from.value } : from;
}

/** The value of an estimate; null if there is none. */
export function pointOf(from: MaybeEstimate): number | null {
  return from == null || from.kind === 'none' ? null : from.value;
}

/** The standard error of the mean: s / √n. */
export function standardError(values: readonly number[]): number {
  return sampleStandardDeviation([...values]) / Math.sqrt(values.length);
}

/** The lower quartile of each launch. Noise that only adds to values moves it little, even in nearly half of them. */
export function lowerQuartiles(slices: readonly Sample[]): Sample[] {
  return [...Map.groupBy(slices, ({ launch }) => launch)].map(([launch, own]) => {
    const values = own.map(({ value }) => value);
    return { launch, value: quantile(values, 0.25) };
  });
}

export function launchesInCommon(sides: Sides): number {
  return inEachLaunch(sides, (own) => own).length;
}

/** Combines both sides in each launch that they share; results that are not finite are left out. */
export function inEachLaunch(
  { own, other }: Sides,
  combine: (own: number, other: number) => number,
): Sample[] {
  return own.flatMap(({ launch, value }) => {
    const same = other.find((each) => each.launch === launch);
    const both = same === undefined ? Number.NaN : combine(value, same.value);
    return Number.isFinite(both) ? [{ launch, value: both }] : [];
  });
}

/**
 * The ratio of the standard deviations of two sets of values, with its 95 % interval from the F distribution of the
 * variance ratio, for independent, normal values. `none` if either has fewer than two values, or no spread.
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
