import { scaleLinear, scaleLog } from 'd3-scale';
import type { Axis } from '../document.ts';

/** A value's place along an axis, and the values that are named on it. */
export interface Scale {
  place: (value: number) => number;
  ticks: { place: number; text: string }[];
}

/** Where the ends of an axis are, in per cent or px; about how many values are named, and how far apart. */
export interface Room {
  from: number;
  to: number;
  count: number;
  gap: number;
}

const tickText = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 4 });

/** The scale of an axis that holds these values, from one end to the other. */
export function scaleOf(
  { unit, scale: kind, origin, ticks }: Axis,
  values: readonly number[],
  { from, to, count, gap }: Room,
): Scale {
  const named = ticks ?? [];
  const known = [
    ...values,
    ...named.map(({ value }) => value),
    ...(origin === null ? [] : [origin]),
  ]
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
  const found =
    ticks === null
      ? scale.ticks(count).map((value) => ({ place: rounded(scale(value)), value }))
      : [];
  return {
    place,
    ticks:
      ticks === null
        ? apart(found, gap).map((tick) => ({ ...tick, text: tickText.format(tick.value) }))
        : ticks.map(({ value, text }) => ({ place: place(value), text })),
  };
}

/** Those that have room beside each other, the roundest first. */
function apart<Tick extends { place: number; value: number }>(
  ticks: readonly Tick[],
  gap: number,
): Tick[] {
  const roundest = ticks.toSorted((a, b) => roughness(a.value) - roughness(b.value));
  const kept: Tick[] = [];
  for (const tick of roundest) {
    if (kept.every(({ place }) => Math.abs(place - tick.place) >= gap)) kept.push(tick);
  }
  return kept.toSorted((a, b) => a.value - b.value);
}

/** How a value begins: 1, 5 and 2 are rounder than others. */
function roughness(value: number): number {
  if (value === 0) return 0;
  const first = Math.abs(value) / 10 ** Math.floor(Math.log10(Math.abs(value)) + 1e-9);
  const place = [1, 5, 2].findIndex((round) => Math.abs(first - round) < 1e-6);
  return place === -1 ? 3 : place;
}

/** To a hundredth, so that a page stays small. */
function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
