import { areComparable, CPU, type Figure, sidesOf, slicesOf } from '../figures/figures.ts';
import type { Sides } from '../math/statistics.ts';
import { type Comparison, compare } from '../math/verdicts.ts';
import type { RunRecord } from '../record/record.ts';
import { type Flag, flagsOfPair, isSpoiled, spoiling, uniqueFlags } from '../validity/flags.ts';
import { type CellSummary, isGeneratorBound } from './conditions.ts';

/** A cell, and what it is held against. */
export interface CellPair {
  summary: CellSummary;
  /** Nothing is held against itself, or against what was not planned. */
  base: CellSummary | null | undefined;
}

/** What a cell has over its base. */
export interface Compared {
  /** With `can't tell` where a flag of either spoils the figure; null where the two share no launch. */
  comparison: Comparison | null;
  /** Why not to trust it. */
  flags: Flag[];
  sides: Sides;
  /** Whether the interval is that of the figure itself: no flag spoils it, and it is no bound. */
  isKnown: boolean;
  /** Whether the generator was the limit of the cell, or of its base: it may be better than measured. */
  isGeneratorBound: { own: boolean; base: boolean };
}

const NONE = { kind: 'none' } as const;
/** Of two sides that share nothing. */
export const UNKNOWN: Comparison = { ratio: NONE, difference: NONE, verdict: "can't tell" };

/** Holds each of these cells against its base in a figure, CPU per request unless another one is given, as one family. */
export function compareFamily<Pair extends CellPair>(
  record: RunRecord,
  pairs: readonly Pair[],
  figure: Figure = CPU,
): (Pair & Compared)[] {
  const { aspect, better } = figure;
  const all = pairs.map((pair) => {
    const base = pair.base === pair.summary ? null : pair.base;
    const slices = slicesOf(record, pair.summary.cell);
    const others = base ? slicesOf(record, base.cell) : [];
    const [isAbove = false, isBaseAbove = false] = [slices, others].map(
      figure.isBound ?? (() => false),
    );
    // Of two sides, that one may be worse than measured is as if the other one may be better.
    const bounds = {
      own: isGeneratorBound(pair.summary, figure),
      base: base ? isGeneratorBound(base, figure) : false,
    };
    const isLowerBound = { first: isBaseAbove || bounds.own, second: isAbove || bounds.base };
    const isBound = isAbove || isBaseAbove;
    const sides = sidesOf(slices, others, figure);
    return { pair, base, sides, isLowerBound, isBound, isGeneratorBound: bounds };
  });
  const family = all.filter(({ sides }) => areComparable(sides));
  const compared = compare(family, { better, equivalence: record.plan.equivalence });
  return all.map((each) => {
    const { pair, base, sides, isBound, isGeneratorBound: bounds } = each;
    const comparison = compared[family.indexOf(each)];
    const common = { sides, isGeneratorBound: bounds };
    if (comparison === undefined || !base) {
      return { ...pair, comparison: null, flags: [], ...common, isKnown: false };
    }
    const { summary } = pair;
    // These are about CPU time.
    const ofPair = aspect === 'cpu' ? flagsOfPair(record, summary.cell, base.cell) : [];
    const flags = uniqueFlags([...ofPair, ...spoiling(summary.flags, aspect)]);
    const isWithheld = isSpoiled([...summary.flags, ...base.flags], aspect);
    const verdict = isWithheld ? "can't tell" : comparison.verdict;
    const isKnown = !isWithheld && !isBound;
    return { ...pair, comparison: { ...comparison, verdict }, flags, ...common, isKnown };
  });
}

/** The same in several figures, of which each is a family: for each pair what it says in each figure. */
export function compareFamilies<Pair extends CellPair>(
  record: RunRecord,
  pairs: readonly Pair[],
  figures: readonly Figure[],
): { pair: Pair; compared: Compared[] }[] {
  const families = figures.map((figure) => compareFamily(record, pairs, figure));
  return pairs.map((pair, place) => {
    return { pair, compared: families.flatMap((family) => family[place] ?? []) };
  });
}

/** Those that could be compared. */
export function withComparison<Row extends Compared>(rows: readonly Row[]) {
  return rows.flatMap((row) => {
    const { comparison } = row;
    return comparison === null ? [] : [{ ...row, comparison }];
  });
}
