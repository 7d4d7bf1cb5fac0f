import { median } from 'simple-statistics';
import type { Block } from './measurement.ts';

/** What a server used and answered in a turn. */
export type Turn = Pick<Block, 'cpuNs' | 'answers'>;

/** By which share a request may have become cheaper from these turns to those. */
const FALL_SHARE = 0.02;

/** Whether a server has stopped becoming cheaper: over so many turns, held against as many before them. */
export function isSteady(turns: readonly Turn[], span: number): boolean {
  if (turns.length < 2 * span) return false;
  const [before, last] = [turns.slice(-2 * span, -span), turns.slice(-span)];
  return costOf(last) >= (1 - FALL_SHARE) * costOf(before);
}

/** How many requests it has answered in these turns. */
export function answersIn(turns: readonly Turn[]): number {
  return turns.reduce((sum, { answers }) => sum + answers, 0);
}

/** CPU time of the server for each answer of these turns, ns. */
export function costOf(turns: readonly Turn[]): number {
  return turns.reduce((sum, { cpuNs }) => sum + cpuNs, 0) / answersIn(turns);
}

/** So many turns together tell what a request costs, whatever is rare or a burst in them. */
const WINDOW = 7;
/** Of fewer turns nobody can tell. */
export const FEWEST_TURNS = 3 * WINDOW;
/** A request that costs so many times what it does at the end is one of a server that has not settled. */
const DEARER = 1.05;

/**
 * The first turn from which on a server had settled, by its place: before it, the median turn of several was dearer than
 * the median of the last third. Turns that only begin so are left out, since what comes later is no warm-up. 0 where
 * there are too few to tell.
 */
export function settledFrom(turns: readonly Turn[]): number {
  if (turns.length < FEWEST_TURNS) return 0;
  const costs = turns.map((turn) => costOf([turn]));
  const end = median(costs.slice(-Math.ceil(costs.length / 3)));
  const isSettledAt = (place: number) => {
    return median(costs.slice(place, place + WINDOW)) <= DEARER * end;
  };
  const place = costs.findIndex((_, index) => isSettledAt(index));
  // Most of a window are the settled ones.
  return place === 0 ? 0 : place + Math.floor(WINDOW / 2);
}
