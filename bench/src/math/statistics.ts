import tQuantile from '@stdlib/stats-base-dists-t-quantile';
import { mean, quantile, sampleStandardDeviation } from 'simple-statistics';

/** A value with what is known of its error. */
export type Estimate =
  | { kind: 'none' }
  /** From one launch: there is nothing to compare it with. */
  | { kind: 'point'; value: number }
  /** With its 95 % interval over launches. */
  | { kind: 'interval'; value: number; low: number; high: number };

/** What a launch says of a figure; it says one thing. */
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
  const values = samples.map(({ value }) => value);
  const [first] = values;
  if (first === undefined) return { kind: 'none' };
  if (values.length === 1) return { kind: 'point', value: first };
  const value = mean(values);
  const half = tQuantile(1 - (1 - confidence) / 2, values.length - 1) * standardError(values);
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
export function difference(sides: Sides, confidence = CONFIDENCE): Estimate {
  return differenceOfSums([sides], confidence);
}

/** The sum of several differences, launch by launch: what they share, as a base, is in it as often as it is. */
export function differenceOfSums(terms: readonly Sides[], confidence = CONFIDENCE): Estimate {
  const [first = [], ...others] = terms.map((sides) => inEachLaunch(sides, (a, b) => a - b));
  const sums = others.reduce((own, other) => inEachLaunch({ own, other }, (a, b) => a + b), first);
  return estimate(sums, confidence);
}

/**
 * The one over the other: the ratio R of their means over the launches that have both, with the interval of
 * the ratio estimator, from the residuals a − R·b of the launches (Cochran, _Sampling Techniques_, 1977,
 * section 6.4).
 */
export function ratio(sides: Sides, confidence = CONFIDENCE): Estimate {
  const base = baseOf(sides);
  const times = meanOf(inEachLaunch(sides, (own) => own)) / base;
  if (!Number.isFinite(times) || base <= 0) return { kind: 'none' };
  const each = inEachLaunch(sides, (a, b) => times + (a - times * b) / base);
  return estimate(each, confidence);
}

/**
 * How much more the one is than the other, as a share, of samples that have no launch in common: the ratio of their
 * means less 1, with the error of each side (Cochran, section 6.4) and Welch's degrees of freedom (Welch 1947).
 */
export function changeBetween(
  own: readonly Sample[],
  other: readonly Sample[],
  confidence = CONFIDENCE,
): Estimate {
  const [a = [], b = []] = [own, other].map((samples) => samples.map(({ value }) => value));
  if (a.length < 2 || b.length < 2) return { kind: 'none' };
  const times = mean(a) / mean(b);
  const errors = [standardError(a) / mean(b), (times * standardError(b)) / mean(b)] as const;
  const error = Math.hypot(...errors);
  const freedom =
    error ** 4 / (errors[0] ** 4 / (a.length - 1) + errors[1] ** 4 / (b.length - 1)) || 1;
  const half = error * tQuantile(1 - (1 - confidence) / 2, freedom);
  const value = times - 1;
  return { kind: 'interval', value, low: value - half, high: value + half };
}

/** How much more the one is than the other in each launch, as a share of the other's mean. */
export function shares(sides: Sides): number[] {
  const base = baseOf(sides);
  if (!(base > 0)) return [];
  return inEachLaunch(sides, (a, b) => (a - b) / base).map(({ value }) => value);
}

/** The mean of the other side in the launches that both have. */
function baseOf(sides: Sides): number {
  return meanOf(inEachLaunch(sides, (_, other) => other));
}

function meanOf(samples: readonly Sample[]): number {
  return samples.length === 0 ? Number.NaN : mean(samples.map(({ value }) => value));
}

/** An estimate through a function that only rises, or only falls. */
export function mapEstimate(from: Estimate, by: (value: number) => number): Estimate {
  if (from.kind === 'none') return from;
  const value = by(from.value);
  if (from.kind === 'point') return { kind: 'point', value };
  const ends = [by(from.low), by(from.high)];
  return { kind: 'interval', value, low: Math.min(...ends), high: Math.max(...ends) };
}

/** The estimate's value, or null where there is none. */
export function pointOf(from: Estimate): number | null {
  return from.kind === 'none' ? null : from.value;
}

/** The standard error of the mean of these values: s / √n. */
export function standardError(values: readonly number[]): number {
  return sampleStandardDeviation([...values]) / Math.sqrt(values.length);
}

/**
 * The lower quartile of each launch: what noise that only ever adds has spared. A few slices that are
 * disturbed, or nearly half of them, do not move it.
 */
export function lowerQuartiles(slices: readonly Sample[]): Sample[] {
  return [...Map.groupBy(slices, ({ launch }) => launch)].map(([launch, own]) => {
    const values = own.map(({ value }) => value);
    return { launch, value: quantile(values, 0.25) };
  });
}

/** What both sides say together in each launch that they share; without what is not finite. */
export function inEachLaunch(
  { own, other }: Sides,
  together: (own: number, other: number) => number,
): Sample[] {
  return own.flatMap(({ launch, value }) => {
    const same = other.find((each) => each.launch === launch);
    const both = same === undefined ? Number.NaN : together(value, same.value);
    return Number.isFinite(both) ? [{ launch, value: both }] : [];
  });
}
