import type { Time } from '../latency.ts';
import type { Estimate } from '../statistics.ts';

/** What stands where there is no figure. */
export const NONE = '–';

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** A number with three to four digits that count, and separators of thousands. */
export function number(value: number): string {
  if (value === 0) return '0';
  const digits = Math.min(2, Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value)))));
  // Rounding up may bring another digit before the point.
  const rounded = Number(value.toFixed(digits));
  if (Math.abs(rounded) >= 100) return grouped.format(rounded);
  return rounded.toFixed(Math.abs(rounded) >= 10 ? 1 : 2);
}

export function count(value: number): string {
  return grouped.format(value);
}

/** `1 launch`, `3 launches`. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

export function milliseconds(ns: number): string {
  return number(ns / 1e6);
}

export function microseconds(ns: number): string {
  return number(ns / 1000);
}

/** A latency in ms, or what it is above, with its unit: `> 10 s`. */
export function latencyTime({ kind, ns }: Time): string {
  if (kind === 'known') return milliseconds(ns);
  const [amount, unit] = ns < 1e9 ? [ns / 1e6, 'ms'] : [ns / 1e9, 's'];
  return `> ${Number(amount.toPrecision(3))} ${unit}`;
}

export function megabytes(bytes: number): string {
  return number(bytes / 1e6);
}

export function percent(share: number): string {
  return `${number(share * 100)} %`;
}

/** A duration for people: `45 s`, `3 min 20 s`. */
export function duration(ns: number): string {
  const seconds = Math.round(ns / 1e9);
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * `value ±half` in a unit of `scale` base units, with as many decimals as the half-width deserves;
 * `±?` where one launch gives no interval.
 */
export function plusMinus(estimate: Estimate, scale = 1): string {
  if (estimate.kind === 'none') return NONE;
  if (estimate.kind === 'point') return `${number(estimate.value / scale)} ±?`;
  const half = (estimate.high - estimate.low) / 2 / scale;
  const decimals = half > 0 ? Math.min(2, Math.max(0, 1 - Math.floor(Math.log10(half)))) : 2;
  const fixed = (value: number) => value.toLocaleString('en-US', fraction(decimals));
  return `${fixed(estimate.value / scale)} ±${fixed(half)}`;
}

/** As `plusMinus`, with a sign before a positive value too. */
export function signedPlusMinus(estimate: Estimate, scale = 1): string {
  const text = plusMinus(estimate, scale);
  return estimate.kind !== 'none' && estimate.value > 0 ? `+${text}` : text;
}

function fraction(digits: number): Intl.NumberFormatOptions {
  return { minimumFractionDigits: digits, maximumFractionDigits: digits };
}

/** `ratio [low, high]`, for ratios, whose interval need not be symmetric. */
export function ratioRange(estimate: Estimate): string {
  if (estimate.kind === 'none') return NONE;
  const value = ratio(estimate.value);
  if (estimate.kind === 'point') return `${value} [?]`;
  return `${value} [${ratio(estimate.low)}, ${ratio(estimate.high)}]`;
}

export function ratio(value: number): string {
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
