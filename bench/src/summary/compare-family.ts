import { CPU, type Figure, sidesOf } from '../figures/figures.ts';
import type { Sides } from '../math/statistics.ts';
import { type Comparison, compare, type LowerBounds, UNKNOWN } from '../math/verdicts.ts';
import type { RunRecord } from '../record/record.ts';
import { type Flag, flagsOfPair, isSpoiled, spoiling, uniqueFlags } from '../validity/flags.ts';
import { type CellSummary, isGeneratorBound } from './conditions.ts';

/** A cell, and the one that it is compared with. */
export interface CellPair {
  summary: CellSummary;
  /** Nothing is compared with itself, or with what was not planned. */
  base: CellSummary | null | undefined;
}

/** The comparison of a cell with its base. */
export interface Compared {
  /** With `can't tell` if a flag of either spoils the figure; null if the two share no launch. */
  comparison: Comparison | null;
  /** Reasons not to trust it. */
  flags: Flag[];
  sides: Sides;
  /** Whether the interval is that of the figure itself: no flag spoils it, and it is no bound. */
  isKnown: boolean;
  /** Whether the cell, or its base, may be better than measured. */
  isLowerBound: LowerBounds;
}

/** Compares each of these cells with its base in a figure, CPU per request by default, as one family. */
export function compareFamily<Pair extends CellPair>(
  record: RunRecord,
  pairs: readonly Pair[],
  figure: Figure = CPU,
): (Pair & Compared)[] {
  const { aspect, better } = figure;
  const all = pairs.map((pair) => {
    const own = pair.summary;
    const base = pair.base && pair.base !== own ? pair.base : null;
    const isAbove = figure.isBound?.(own.slices) ?? false;
    const isBaseAbove = (base && figure.isBound?.(base.slices)) ?? false;
    // For the verdict, one side being worse than measured is the same as the other one being better.
    const isLowerBound = {
      first: isBaseAbove || isGeneratorBound(own, figure),
      second: isAbove || (base !== null && isGeneratorBound(base, figure)),
    };
    const sides = sidesOf(own.slices, base?.slices ?? [], figure);
    return { pair, own, base, sides, isLowerBound, isBound: isAbove || isBaseAbove };
  });
  const family = all.filter(({ sides: { own, other } }) => {
    return own.some(({ launch }) => other.some((each) => each.launch === launch));
  });
  const compared = compare(family, { better, equivalence: record.plan.equivalence });
  return all.map((each) => {
    const { pair, own, base, sides, isLowerBound, isBound } = each;
    const comparison = compared[family.indexOf(each)];
    if (comparison === undefined || base === null) {
      return { ...pair, comparison: null, flags: [], sides, isKnown: false, isLowerBound };
    }
    // Flags of pairs are about CPU time.
    const ofPair = aspect === 'cpu' ? flagsOfPair(record, own.cell, base.cell) : [];
    const isWithheld = isSpoiled([...own.flags, ...base.flags], aspect);
    const verdict = isWithheld ? "can't tell" : comparison.verdict;
    return {
      ...pair,
      comparison: { ...comparison, verdict },
      flags: uniqueFlags([...ofPair, ...spoiling(own.flags, aspect)]),
      sides,
      isKnown: !isWithheld && !isBound,
      isLowerBound,
    };
  });
}

/** A comparison in one of several figures. */
export interface Reading<Name> {
  name: Name;
  comparison: Comparison;
  sides: Sides;
}

/** The same in several figures, each of which is a family; the flags are null if the two share no launch in any. */
export function compareFamilies<Pair extends CellPair, Name>(
  record: RunRecord,
  pairs: readonly Pair[],
  figures: readonly { name: Name; figure: Figure }[],
): (Pair & { readings: Reading<Name>[]; flags: Flag[] | null })[] {
  const families = figures.map(({ name, figure }) => {
    return compareFamily(record, pairs, figure).map((row) => ({ ...row, name }));
  });
  return pairs.map((pair, place) => {
    const own = families.flatMap((family) => family[place] ?? []);
    const known = own.find(({ comparison }) => comparison !== null);
    const readings = own.map(({ name, comparison, sides }) => {
      return { name, comparison: comparison ?? UNKNOWN, sides };
    });
    return { ...pair, readings, flags: known?.flags ?? null };
  });
}
