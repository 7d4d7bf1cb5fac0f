import type { Time } from '../figures/latency.ts';
import type { Estimate, MaybeEstimate } from '../math/statistics.ts';

/** What stands where there is no figure. */
export const NONE = '–';

function isKnown(estimate: MaybeEstimate): estimate is Exclude<Estimate, { kind: 'none' }> {
  return estimate != null && estimate.kind !== 'none';
}

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const toHundredths = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
/** By the number of decimals; what rounds to 0 has no sign. */
const withDecimals = [0, 1, 2].map((digits) => {
  const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat('en-US', { ...fraction, signDisplay: 'negative' });
});

/** A number with three to four digits that count, and separators of thousands. */
export function number(value: number): string {
  if (value === 0) return '0';
  const digits = Math.min(2, Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value)))));
  // Rounding up may bring another digit before the point.
  const rounded = Number(value.toFixed(digits));
  if (Math.abs(rounded) >= 100) return grouped.format(rounded);
  return rounded.toFixed(Math.abs(rounded) >= 10 ? 1 : 2);
}

/** A whole number; a dash where it is not known. */
export const count = (value: number | null) => (value === null ? NONE : grouped.format(value));

/** `A, B and C`. */
export const list = (names: readonly string[], type: Intl.ListFormatType = 'conjunction') =>
  new Intl.ListFormat('en-GB', { type }).format(names);

/** These sentences in a row; `condition && sentence` is one only where the condition holds. */
export const sentences = (...all: (string | false | null | undefined)[]) =>
  all.filter((each) => each).join(' ');

/** `1 launch`, `3 launches`. */
export function plural(value: number, one: string): string {
  const ending = /(ch|ss)$/.test(one) ? 'es' : 's';
  return `${count(value)} ${one}${value === 1 ? '' : ending}`;
}

/** `3 of 12 slices`. */
export const outOf = (part: number, whole: number, one: string) =>
  `${count(part)} of ${plural(whole, one)}`;

export const milliseconds = (ns: number) => number(ns / 1e6);

export const microseconds = (ns: number) => number(ns / 1000);

/** A latency in ms, to the µs where it is short; or what it is above, with its unit: `> 10 s`. */
export function latencyTime(latency: Time | undefined): string {
  if (latency === undefined) return NONE;
  const { kind, ns } = latency;
  if (kind === 'above') return `> ${limit(ns)}`;
  return ns > 0 && ns < 1e5 ? (ns / 1e6).toFixed(3) : milliseconds(ns);
}

/** A time that something is above or below, without zeros that say nothing: `10 s`. */
export function limit(ns: number): string {
  const [scale, unit] = unitOf(ns);
  return `${Number((ns / scale).toPrecision(3))} ${unit}`;
}

/** A time with the unit that suits it: `12.3 µs`, `96.3 ms`, `5.94 s`. */
export function time(ns: number): string {
  const [scale, unit] = unitOf(ns);
  return `${number(ns / scale)} ${unit}`;
}

function unitOf(ns: number): [scale: number, unit: string] {
  if (ns < 1e6) return [1000, 'µs'];
  return ns < 1e9 ? [1e6, 'ms'] : [1e9, 's'];
}

/** A rate as it was asked for, to a hundredth. */
export const perSecond = (rate: number) => toHundredths.format(rate);

/** Memory or traffic; a dash where it is not known. */
export const megabytes = (bytes: number | null) => (bytes === null ? NONE : number(bytes / 1e6));

/** A share; a dash where it is not known. */
export const percent = (share: number | null) =>
  share === null ? NONE : `${number(share * 100)} %`;

/** A share as it was asked for, without zeros that say nothing: `2 %`. */
export const asked = (share: number) => `${Number((share * 100).toPrecision(3))} %`;

/** As `ratioRange`, in per cent. */
export const percentRange = (estimate: MaybeEstimate) =>
  range(estimate, (share) => number(share * 100), ' %');

export const signedPercent = (share: number) => (share > 0 ? `+${percent(share)}` : percent(share));

/** A duration for people: `45 s`, `3 min 20 s`. */
export function duration(ns: number): string {
  const seconds = Math.round(ns / 1e9);
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** How many decimals the half-width of an interval deserves, in a unit of `scale` base units. */
export function decimalsOf(estimate: Estimate, scale = 1): number {
  const half = estimate.kind === 'interval' ? (estimate.high - estimate.low) / 2 / scale : 0;
  return half > 0 ? Math.min(2, Math.max(0, 1 - Math.floor(Math.log10(half)))) : 2;
}

/** `value ±half` in units of `scale`, with the decimals that the half-width deserves unless given; `±?` without one. */
export function plusMinus(estimate: MaybeEstimate, scale = 1, decimals?: number): string {
  if (!isKnown(estimate)) return NONE;
  const fixed = withDecimals[decimals ?? decimalsOf(estimate, scale)] ?? grouped;
  const value = estimate.value / scale;
  if (estimate.kind === 'point') {
    return `${decimals === undefined ? number(value) : fixed.format(value)} ±?`;
  }
  return `${fixed.format(value)} ±${fixed.format((estimate.high - estimate.low) / 2 / scale)}`;
}

/** As `plusMinus`, of a time, with the unit that suits it: `96.3 ±2.9 ms`. */
export function timePlusMinus(estimate: MaybeEstimate): string {
  if (!isKnown(estimate)) return NONE;
  const [scale, unit] = unitOf(estimate.value);
  return `${plusMinus(estimate, scale)} ${unit}`;
}

/** As `plusMinus`, with a sign before a positive value too. */
export function signedPlusMinus(estimate: MaybeEstimate, scale = 1, decimals?: number): string {
  const text = plusMinus(estimate, scale, decimals);
  return isKnown(estimate) && estimate.value > 0 ? `+${text}` : text;
}

/** How much more something is, as a share: `+3.1 ±1.2 %`. */
export const changeText = (change: Estimate) =>
  change.kind === 'none' ? NONE : `${signedPlusMinus(change, 0.01)} %`;

/** `ratio [low, high]`: the interval of a ratio need not be symmetric. */
export const ratioRange = (estimate: MaybeEstimate) => range(estimate, ratio);

/** `value [low, high]`; `[?]` where one launch gives no interval. */
export function range(estimate: MaybeEstimate, text: (value: number) => string, unit = ''): string {
  if (!isKnown(estimate)) return NONE;
  const ends = estimate.kind === 'point' ? '?' : `${text(estimate.low)}, ${text(estimate.high)}`;
  return `${text(estimate.value)}${unit} [${ends}]`;
}

/** A ratio of two figures; the end of a useless interval can be astronomical. */
export function ratio(value: number): string {
  if (value > 9999) return '> 9,999';
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
