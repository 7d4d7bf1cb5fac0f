import tCdf from '@stdlib/stats-base-dists-t-cdf';
import padjust from '@stdlib/stats-padjust';
import { mean } from 'simple-statistics';
import { pooledSpread } from './spreads.ts';
import {
  type Estimate,
  launchLogRatios,
  ratioOfLogs,
  type Sample,
  type Spread,
  spreadOf,
  standardError,
} from './statistics.ts';

/** What the first of a pair is beside the second; `same` is no further off than what matters. */
export type Verdict = 'faster' | 'slower' | 'same' | "can't tell";

/** Two sides to compare. */
export interface Pair {
  /** The first's figure over the second's, within rounds. */
  ratios: Sample[];
  /** Sides that may truly be better than measured, as where the generator was the limit. */
  mayBeBetter: { first: boolean; second: boolean };
}

/** Where both sides are as good as measured. */
export const NEITHER: Pair['mayBeBetter'] = { first: false, second: false };

/** What a family of pairs is judged by. */
export interface Rules {
  /** Which figure is the better one: more requests/s, or less CPU per request. */
  better: 'more' | 'less';
  /** Two figures that differ by no more than this share are the same. */
  equivalence: number;
  /** How far launches differ is known of each pair by itself, if nothing else is said, or from the whole family. */
  spread?: 'own' | 'pooled';
}

/** What is known of a pair. */
export interface Comparison {
  /** With the 95 % interval of this pair alone: it can leave out 1 where the family can't tell. */
  ratio: Estimate;
  verdict: Verdict;
}

/** A pair by the logarithms of its launches. */
interface Tested extends Pair {
  logs: number[];
  spread: Spread;
}

/** The chance of any wrong verdict of a kind in a family. */
const ALPHA = 0.05;

/**
 * Compares pairs, in their order, as one family: for each a paired t test over launches of whether
 * the log ratio is 0, and two one-sided ones of whether it is within ± log(1 + equivalence)
 * (Schuirmann 1987). Each of the two kinds is corrected for the number of pairs (Holm 1979), at 5 %.
 * Equivalence goes before a difference, which is then too small to matter.
 */
export function compare(
  pairs: Pair[],
  { better, equivalence, spread = 'own' }: Rules,
): Comparison[] {
  const margin = Math.log1p(equivalence);
  const withLogs = pairs.map((pair) => ({ ...pair, logs: launchLogRatios(pair.ratios) }));
  const family = withLogs.map(({ logs }) => logs);
  const tested = withLogs.map((pair): Tested => {
    const { logs } = pair;
    return { ...pair, spread: spread === 'own' ? spreadOf(logs) : pooledSpread(logs, family) };
  });
  const different = shown(tested.map(differenceP));
  const same = shown(tested.map((pair) => equivalenceP(pair, margin)));
  return tested.map((pair, index) => {
    const { logs, mayBeBetter } = pair;
    const found = same[index] ? 'same' : different[index] ? direction(logs, better) : "can't tell";
    const verdict = stands(found, mayBeBetter) ? found : "can't tell";
    return { ratio: ratioOfLogs(logs, pair.spread), verdict };
  });
}

function direction(logs: number[], better: Rules['better']): Verdict {
  return mean(logs) > 0 === (better === 'more') ? 'faster' : 'slower';
}

/** Whether a verdict holds however much better those sides are. */
function stands(verdict: Verdict, { first, second }: Pair['mayBeBetter']): boolean {
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
function differenceP(pair: Tested): number {
  return pair.logs.length < 2 ? 1 : 2 * lowerTail(-Math.abs(mean(pair.logs)), pair);
}

/** The larger of both one-sided p, which is that of the nearer margin; 1 as above. */
function equivalenceP(pair: Tested, margin: number): number {
  return pair.logs.length < 2 ? 1 : lowerTail(Math.abs(mean(pair.logs)) - margin, pair);
}

/** P(T ≤ distance / standard error), and its limit where all launches agree. */
function lowerTail(distance: number, { logs, spread }: Tested): number {
  const t = distance === 0 ? 0 : distance / standardError(spread, logs.length);
  return tCdf(t, spread.freedom);
}
