import { scaleLinear, scaleLog } from 'd3-scale';
import type { Axis } from '../document.ts';

/** A value's place along an axis, and the values that are named on it. */
export interface Scale {
  place: (value: number) => number;
  ticks: { place: number; text: string }[];
}

const tickText = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 4 });
/** Of a logarithmic axis over more than this many ticks only those at powers of ten are named. */
const MOST_TICKS = 9;

/** The scale of an axis that holds these values, from one end to the other. */
export function scaleOf(
  { unit, scale: kind, origin, ticks }: Axis,
  values: readonly number[],
  { from, to, count }: { from: number; to: number; count: number },
): Scale {
  const known = [...values, ...(origin === null ? [] : [origin])]
    .filter((value) => Number.isFinite(value) && (kind === 'linear' || value > 0))
    .map((value) => value / unit);
  const [low, high] = known.length === 0 ? [1, 1] : [Math.min(...known), Math.max(...known)];
  const make = kind === 'log' ? scaleLog : scaleLinear;
  // A single value is in the middle.
  const room = low === high ? Math.abs(low) / 10 || 1 : 0;
  const scale = make()
    .domain([low - room, high + room])
    .range([from, to]);
  const place = (value: number) => rounded(scale(value / unit));
  if (ticks !== null) {
    return { place, ticks: ticks.map(({ value, text }) => ({ place: place(value), text })) };
  }
  const all = scale.ticks(count);
  const named = kind === 'log' && all.length > MOST_TICKS ? all.filter(isPowerOfTen) : all;
  const tick = (value: number) => ({ place: rounded(scale(value)), text: tickText.format(value) });
  return { place, ticks: named.map(tick) };
}

function isPowerOfTen(value: number): boolean {
  return Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-9;
}

/** To a hundredth, so that a page stays small. */
function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
