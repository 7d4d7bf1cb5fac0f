import { allSlicesOf, CPU, type Figure, rulesOf, sidesOf } from '../figures/figures.ts';
import { cpuOfRole, type Role } from '../figures/services.ts';
import { launchesInCommon, type Sides } from '../math/statistics.ts';
import { type Comparison, compare, UNKNOWN } from '../math/verdicts.ts';
import type { VariantStep } from '../targets/variants.ts';
import { type Flag, flagsOfPair, isSpoiled, spoiling } from '../validity/flags.ts';
import { type CellSummary, type Condition, cellIn, isGeneratorBound } from './summary.ts';

interface CellPair extends CellSummary {
  /** Nothing is compared with itself, or with what was not planned. */
  base: CellSummary | null | undefined;
}

/** Compares each with its base in a figure, CPU per request by default, as one family; null if they share no launch. */
export function compareFamily<Pair extends CellPair>(pairs: readonly Pair[], figure = CPU) {
  const { aspect, better } = figure;
  const [first] = pairs;
  if (first === undefined) return [];
  const rules = rulesOf(first.record, better);
  const all = pairs.map((own) => {
    const base = own.base && own.base.cell !== own.cell ? own.base : null;
    const isAbove = figure.isBound?.(own.slices) ?? false;
    const isBaseAbove = (base && figure.isBound?.(base.slices)) ?? false;
    // For the verdict, one side being worse than measured is the same as the other one being better.
    const isLowerBound = {
      first: isBaseAbove || isGeneratorBound(own, figure),
      second: isAbove || (base !== null && isGeneratorBound(base, figure)),
    };
    const isBound = isAbove || isBaseAbove;
    const { sides, unsettled } = sidesOfPair(own, base, figure, rules.fewest);
    return { own, base, sides, unsettled, isLowerBound, isBound };
  });
  const family = all.filter(({ sides }) => launchesInCommon(sides) > 0);
  const compared = compare(family, rules);
  const comparisonOf = (pair: Pair) => {
    const found = compared.find(({ own }) => own === pair);
    if (!found?.base) return null;
    const { own, base, sides, unsettled, isLowerBound, isBound, comparison } = found;
    // Flags of pairs are about CPU time.
    const ofPair = aspect === 'cpu' ? flagsOfPair(own, base) : [];
    const isWithheld = isSpoiled([...own.flags, ...base.flags, ...unsettled], aspect);
    return {
      ...comparison,
      /** `can't tell` also if a flag of either spoils the figure. */
      verdict: isWithheld ? "can't tell" : comparison.verdict,
      /** Of the pair, and of the cell those that spoil the figure. */
      flags: [...ofPair, ...spoiling([...own.flags, ...unsettled], aspect)],
      sides,
      /** Whether the interval is that of the figure itself: no flag spoils it, and it is no bound. */
      isKnown: !isWithheld && !isBound,
      /** Whether the cell, or its base, may be better than measured. */
      isLowerBound,
    };
  };
  return pairs.map((pair) => ({ ...pair, comparison: comparisonOf(pair) }));
}

/** A figure of two cells in the launches in which both had settled; if too few, in all, and the pair is `UNSETTLED`. */
function sidesOfPair(own: CellSummary, base: CellSummary | null, figure: Figure, fewest: number) {
  const sides = sidesOf(own.slices, base?.slices ?? [], figure);
  const settled = launchesInCommon(sides);
  if (base === null || settled >= fewest) return { sides, unsettled: [] };
  const { record } = own;
  const all = sidesOf(allSlicesOf(record, own.cell), allSlicesOf(record, base.cell), figure);
  const launches = launchesInCommon(all);
  if (settled === launches) return { sides, unsettled: [] };
  const unsettled: Flag = { code: 'UNSETTLED', settled, launches };
  return { sides: all, unsettled: [unsettled] };
}

export type CellComparison = NonNullable<ReturnType<typeof compareFamily>[number]['comparison']>;

/** A comparison in one of several figures. */
export interface Reading<Name> {
  name: Name;
  comparison: Comparison;
  sides: Sides;
}

/** The same in several figures, each of which is a family; `pairFlags` is null if the two share no launch in any. */
export function compareFamilies<Pair extends CellPair, Name>(
  pairs: readonly Pair[],
  figures: readonly { name: Name; figure: Figure }[],
) {
  const families = figures.map(({ name, figure }) => {
    return compareFamily(pairs, figure).map((row) => ({ ...row, name }));
  });
  return pairs.map((pair, place) => {
    const own = families.flatMap((family) => family[place] ?? []);
    const [known] = own.flatMap(({ comparison }) => comparison ?? []);
    const readings = own.map(({ name, comparison }): Reading<Name> => {
      const sides = comparison?.sides ?? { own: [], other: [] };
      return { name, comparison: comparison ?? UNKNOWN, sides };
    });
    return { ...pair, readings, pairFlags: known?.flags ?? null };
  });
}

/** What a request costs each role more than it costs the target that this one is built on, or a variant of. */
export type ChangeCost = NonNullable<ReturnType<ReturnType<typeof costsOf>>>;

/** CPU time that a step costs each role, ns; null if it was not measured. The verdicts of a role are one family. */
export function costsOf(condition: Condition, roles: Role[], steps: (VariantStep | null)[]) {
  const nameOf = ({ target, over }: VariantStep) => `${target.name} over ${over.name}`;
  const planned = steps.filter((step) => step !== null);
  const unique = new Map(planned.map((step) => [nameOf(step), step]));
  const pairs = [...unique.values()].flatMap((step) => {
    const summary = cellIn(condition, step.target);
    return summary ? [{ ...summary, step, base: cellIn(condition, step.over) }] : [];
  });
  const figures = roles.map((role) => ({ name: role, figure: cpuOfRole(condition.record, role) }));
  const costs = compareFamilies(pairs, figures).flatMap((row) => {
    const { step, readings, pairFlags: flags } = row;
    return flags === null ? [] : [[nameOf(step), { ...step, costs: readings, flags }] as const];
  });
  const byName = new Map(costs);
  return (step: VariantStep | null) => (step && byName.get(nameOf(step))) ?? null;
}
