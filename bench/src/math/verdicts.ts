import tCdf from '@stdlib/stats-base-dists-t-cdf';
import padjust from '@stdlib/stats-padjust';
import { mean } from 'simple-statistics';
import {
  difference,
  type Estimate,
  ratio,
  type Sides,
  shares,
  standardError,
} from './statistics.ts';

/** What the first of a pair is beside the second; `same` is no further off than what matters. */
export type Verdict = 'faster' | 'slower' | 'same' | "can't tell";

/** Two sides to compare. */
export interface Pair {
  sides: Sides;
  /** Sides that may truly be better than measured, as where the generator was the limit. */
  isLowerBound: { first: boolean; second: boolean };
}

/** Where both sides are as good as measured. */
export const NEITHER: Pair['isLowerBound'] = { first: false, second: false };

/** What a family of pairs is judged by. */
export interface Rules {
  /** Which figure is the better one: more requests/s, or less CPU per request. */
  better: 'more' | 'less';
  /** Two figures that differ by no more than this share are the same. */
  equivalence: number;
}

/** What is known of a pair; with the 95 % intervals of this pair alone: they can leave out what the family can't tell. */
export interface Comparison {
  /** The first over the second. */
  ratio: Estimate;
  /** How much more the first is, in the figure's own unit. */
  difference: Estimate;
  verdict: Verdict;
}

/** The chance of any wrong verdict of a kind in a family. */
const ALPHA = 0.05;

/**
 * Compares pairs, in their order, as one family: for each a paired t test over launches of whether the difference,
 * as a share of the second side, is 0, and whether its 95 % interval lies within the equivalence (two one-sided
 * tests at 2.5 % each, Schuirmann 1987). Each of the two kinds is corrected for the number of pairs (Holm 1979),
 * at 5 %. Equivalence goes before a difference, which is then too small to matter.
 */
export function compare(pairs: readonly Pair[], { better, equivalence }: Rules): Comparison[] {
  const tested = pairs.map((pair) => ({ ...pair, shares: shares(pair.sides) }));
  const different = shown(tested.map((pair) => differenceP(pair.shares)));
  const same = shown(tested.map((pair) => equivalenceP(pair.shares, equivalence)));
  return tested.map(({ sides, isLowerBound, shares: own }, index) => {
    const found = same[index] ? 'same' : different[index] ? direction(own, better) : "can't tell";
    const verdict = stands(found, isLowerBound) ? found : "can't tell";
    return { ratio: ratio(sides), difference: difference(sides), verdict };
  });
}

function direction(own: number[], better: Rules['better']): Verdict {
  return mean(own) > 0 === (better === 'more') ? 'faster' : 'slower';
}

/** Whether a verdict holds however much better those sides are. */
function stands(verdict: Verdict, { first, second }: Pair['isLowerBound']): boolean {
  if (verdict === 'faster') return !second;
  if (verdict === 'slower') return !first;
  return !first && !second;
}

/** Which hypotheses of a family are rejected. */
function shown(pValues: number[]): boolean[] {
  // The library refuses an empty family.
  return pValues.length === 0 ? [] : padjust(pValues, 'holm').map((p) => p <= ALPHA);
}

/** Two-sided p of a mean of 0; 1 where there are too few launches to say. */
function differenceP(own: number[]): number {
  return own.length < 2 ? 1 : 2 * lowerTail(-Math.abs(mean(own)), own);
}

/** Twice the larger of both one-sided p, which is that of the nearer margin; 1 as above. */
function equivalenceP(own: number[], margin: number): number {
  return own.length < 2 ? 1 : Math.min(1, 2 * lowerTail(Math.abs(mean(own)) - margin, own));
}

/** P(T ≤ distance / standard error), and its limit where all launches agree. */
function lowerTail(distance: number, own: number[]): number {
  const t = distance === 0 ? 0 : distance / standardError(own);
  return tCdf(t, own.length - 1);
}
