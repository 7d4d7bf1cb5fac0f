import tCdf from '@stdlib/stats-base-dists-t-cdf';
import padjust from '@stdlib/stats-padjust';
import { mean } from 'simple-statistics';
import {
  ALPHA,
  difference,
  type Estimate,
  launchesInCommon,
  logRatios,
  ratio,
  type Sides,
  standardError,
  withoutInterval,
} from './statistics.ts';

/** How the first of a pair compares with the second; `same` if they differ by less than matters. */
export type Verdict = 'faster' | 'slower' | 'same' | "can't tell";

export interface Pair {
  sides: Sides;
  /** Which sides may be better than measured, for example because the generator was the limit; neither by default. */
  isLowerBound?: Record<'first' | 'second', boolean>;
}

export interface Rules {
  /** Which value is the better one: more requests/s, or less CPU per request. */
  better: 'more' | 'less';
  /** Values are the same if neither is more than the other by more than this share. */
  equivalence: number;
  /** With fewer launches in common, two sides have no verdict, and their comparison no interval. */
  fewest: number;
}

/** The result for one pair. Its 95 % intervals are those of this pair alone, so one may exclude what the family can't tell. */
export interface Comparison {
  /** The first over the second. */
  ratio: Estimate;
  /** How much more the first is, in the figure's own unit. */
  difference: Estimate;
  verdict: Verdict;
}

const NONE = { kind: 'none' } as const;
/** The comparison of two sides that share no launch. */
export const UNKNOWN: Comparison = { ratio: NONE, difference: NONE, verdict: "can't tell" };

/**
 * Compares pairs as one family: each, in their order, with its comparison. For each there is a paired t test over
 * launches of whether the logarithm of the ratio is 0, and one of whether its 95 % interval lies within the equivalence
 * (two one-sided tests at 2.5 % each, Schuirmann 1987). Each kind is corrected for the number of pairs (Holm 1979), at
 * 5 %. Equivalence wins over a difference, which is then too small to matter.
 */
export function compare<P extends Pair>(
  pairs: readonly P[],
  { better, equivalence, fewest }: Rules,
): (P & { comparison: Comparison })[] {
  const isEnough = (sides: Sides) => launchesInCommon(sides) >= fewest;
  const logs = pairs.map(({ sides }) => (isEnough(sides) ? logRatios(sides) : []));
  const different = rejected(logs.map(differenceP));
  const same = rejected(logs.map((own) => equivalenceP(own, Math.log1p(equivalence))));
  return pairs.map((pair, index) => {
    const { sides, isLowerBound } = pair;
    const own = logs[index] ?? [];
    const found = same[index] ? 'same' : different[index] ? direction(own, better) : "can't tell";
    const isOpen =
      (isLowerBound?.first && found !== 'faster') || (isLowerBound?.second && found !== 'slower');
    const verdict = isOpen ? "can't tell" : found;
    const shown = isEnough(sides) ? (each: Estimate) => each : withoutInterval;
    const known = { ratio: shown(ratio(sides)), difference: shown(difference(sides)) };
    return { ...pair, comparison: { ...known, verdict } };
  });
}

function direction(own: number[], better: Rules['better']): Verdict {
  return mean(own) > 0 === (better === 'more') ? 'faster' : 'slower';
}

/** Which null hypotheses of a family are rejected. */
function rejected(pValues: number[]): boolean[] {
  // The library throws for an empty family.
  return pValues.length === 0 ? [] : padjust(pValues, 'holm').map((p) => p <= ALPHA);
}

/** Two-sided p of a mean of 0; 1 with too few launches. */
function differenceP(own: number[]): number {
  return own.length < 2 ? 1 : 2 * lowerTail(-Math.abs(mean(own)), own);
}

/** Twice the one-sided p of the nearer margin; 1 with too few launches. */
function equivalenceP(own: number[], margin: number): number {
  return own.length < 2 ? 1 : Math.min(1, 2 * lowerTail(Math.abs(mean(own)) - margin, own));
}

/** P(T ≤ distance / standard error), or its limit if all launches agree. */
function lowerTail(distance: number, own: number[]): number {
  const t = distance === 0 ? 0 : distance / standardError(own);
  return tCdf(t, own.length - 1);
}

/**
 * The places of items given in order, best first. Items that are not slower than the best share its place; the first
 * that is slower leads the next place, and so on.
 * @param verdict on an item compared with the one that leads its place
 * @returns in the order of the items: the place from 1, counted as 1, 2, 2, 4, and whether another item shares it
 */
export function rank<Item>(items: readonly Item[], verdict: (item: Item, leader: Item) => Verdict) {
  const groups: [Item, ...Item[]][] = [];
  for (const item of items) {
    const group = groups.at(-1);
    if (group === undefined || verdict(item, group[0]) === 'slower') groups.push([item]);
    else group.push(item);
  }
  let place = 1;
  return groups.flatMap((group) => {
    const own = group.map(() => ({ place, tied: group.length > 1 }));
    place += group.length;
    return own;
  });
}
