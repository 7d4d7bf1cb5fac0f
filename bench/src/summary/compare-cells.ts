import { areComparable, CPU, type Figure, sidesOf, slicesOf } from '../figures/figures.ts';
import type { Sides } from '../math/statistics.ts';
import { type Comparison, compare } from '../math/verdicts.ts';
import type { RunRecord } from '../record/record.ts';
import {
  type Aspect,
  type Flag,
  flagsOfPair,
  isSpoiled,
  spoiling,
  uniqueFlags,
} from '../validity/flags.ts';
import type { CellSummary } from './conditions.ts';

/** A cell, and what it is held against. */
export interface CellPair {
  own: CellSummary;
  base: CellSummary;
}

/** What a cell has over the other. */
export interface ComparedCells {
  /** With `can't tell` where a flag of either spoils the figure. */
  comparison: Comparison;
  /** Why not to trust it. */
  flags: Flag[];
  sides: Sides;
  /** Whether the two share a launch; nothing is known where they don't. */
  isPaired: boolean;
  /** Whether the interval is that of the figure itself: no flag spoils it, and it is no bound. */
  isKnown: boolean;
}

const NONE = { kind: 'none' } as const;
const UNKNOWN: Comparison = { ratio: NONE, difference: NONE, verdict: "can't tell" };

/** Holds each of these cells against its base in a figure, CPU per request unless another one is given, as one family. */
export function compareCells(
  record: RunRecord,
  pairs: readonly CellPair[],
  { figure = CPU, aspect = 'cpu' }: { figure?: Figure; aspect?: Aspect } = {},
): ComparedCells[] {
  const isLowerBound = ({ flags }: CellSummary) => {
    return aspect === 'throughput' && flags.some(({ code }) => code === 'GENERATOR_BOUND');
  };
  const all = pairs.map(({ own, base }) => {
    const slices = [own, base].map(({ cell }) => slicesOf(record, cell));
    const [first = [], second = []] = slices;
    const [firstIsBound, secondIsBound] = slices.map((each) => figure.isBound?.(each) ?? false);
    return {
      ...{ own, base, sides: sidesOf(first, second, figure) },
      isBound: firstIsBound || secondIsBound,
      // Of two sides, that one may be worse than measured is as if the other one may be better.
      isLowerBound: {
        first: isLowerBound(own) || secondIsBound === true,
        second: isLowerBound(base) || firstIsBound === true,
      },
    };
  });
  const family = all.filter(({ sides }) => areComparable(sides));
  const { equivalence } = record.plan;
  const compared = compare(family, { better: figure.better, equivalence });
  return all.map((pair): ComparedCells => {
    const { own, base, sides, isBound = false } = pair;
    // These are about CPU time.
    const pairFlags = aspect === 'cpu' ? flagsOfPair(record, own.cell, base.cell) : [];
    const flags = uniqueFlags([...pairFlags, ...spoiling(own.flags, aspect)]);
    const comparison = compared[family.indexOf(pair)];
    if (comparison === undefined)
      return { comparison: UNKNOWN, flags, sides, isPaired: false, isKnown: false };
    const isWithheld = isSpoiled([...own.flags, ...base.flags], aspect);
    const verdict = isWithheld ? "can't tell" : comparison.verdict;
    const isKnown = !isWithheld && !isBound;
    return { comparison: { ...comparison, verdict }, flags, sides, isPaired: true, isKnown };
  });
}

/** What a pair of cells says; null for none, and where the two share no launch. */
export function comparisonOf(pair: ComparedCells | undefined): Comparison | null {
  return pair?.isPaired ? pair.comparison : null;
}
