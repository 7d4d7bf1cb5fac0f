import { scaleLinear, scaleLog } from 'd3-scale';
import type { Axis } from '../document.ts';

/** Where values are along an axis, and its labelled values. */
export interface Scale {
  place: (value: number) => number;
  ticks: Tick[];
}

interface Tick {
  place: number;
  text: string;
}

/** The ends of an axis, in per cent or px; about how many values are labelled, and how far apart at least. */
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
  const known = [...values, ...(ticks ?? []).map(({ value }) => value), origin ?? Number.NaN]
    .filter((value) => Number.isFinite(value) && (kind === 'linear' || value > 0))
    .map((value) => value / unit);
  const [low, high] = known.length === 0 ? [1, 1] : [Math.min(...known), Math.max(...known)];
  // A single value is in the middle.
  const margin = low === high ? Math.abs(low) / 10 || 1 : 0;
  const scale = (kind === 'log' ? scaleLog : scaleLinear)()
    .domain([low - margin, high + margin])
    .range([from, to]);
  // To a hundredth, so that a page stays small.
  const placeOf = (value: number) => Math.round(scale(value) * 100) / 100;
  const place = (value: number) => placeOf(value / unit);
  if (ticks !== null) {
    return { place, ticks: ticks.map(({ value, text }) => ({ place: place(value), text })) };
  }
  const found = scale.ticks(count).toSorted((a, b) => roughness(a) - roughness(b));
  const labelled = found.map((value) => ({ place: placeOf(value), text: tickText.format(value) }));
  return { place, ticks: apart(labelled, gap) };
}

/** Those with enough space between them, in order; the first ones take precedence. */
function apart(ticks: readonly Tick[], gap: number): Tick[] {
  const kept: Tick[] = [];
  for (const tick of ticks) {
    if (kept.every(({ place }) => Math.abs(place - tick.place) >= gap)) kept.push(tick);
  }
  return kept.toSorted((a, b) => a.place - b.place);
}

/** The lower, the rounder: first digits 1, 5 and 2 are rounder than others. */
function roughness(value: number): number {
  if (value === 0) return 0;
  const first = Math.abs(value) / 10 ** Math.floor(Math.log10(Math.abs(value)) + 1e-9);
  const place = [1, 5, 2].findIndex((round) => Math.abs(first - round) < 1e-6);
  return place === -1 ? 3 : place;
}
