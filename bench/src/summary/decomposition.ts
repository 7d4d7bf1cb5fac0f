import { rolesOf } from '../figures/services.ts';
import { differenceOfSums, type Sides } from '../math/statistics.ts';
import { findDecompositions } from '../targets/variants.ts';
import { type ChangeCost, costsOf } from './compare-family.ts';
import type { Condition } from './summary.ts';

export type DecompositionTable = NonNullable<ReturnType<typeof summarizeDecompositions>>;
/** The cost of a variant with several changes, by change. */
export type Decomposition = DecompositionTable['decompositions'][number];
/** What several changes cost together, ns of CPU for each role. */
export type Sum = NonNullable<ReturnType<typeof sumBeside>>;

/** The costs of variants, as decompositions if possible; null without any. The verdicts of a role are one family. */
export function summarizeDecompositions(condition: Condition) {
  const { record } = condition;
  const roles = rolesOf(record);
  const plans = findDecompositions(record.targets);
  const costOf = costsOf(condition, roles, plans.steps);
  const decompositions = plans.decompositions.flatMap((plan) => {
    const whole = costOf(plan.whole);
    if (whole === null) return [];
    /** The last change on the way to the whole comes first. */
    const parts = plan.parts.map((part) => ({
      change: part.change,
      /** On top of the changes below it; null if they were only made all at once, or it was not measured. */
      inOrder: costOf(part.inOrder),
      /** On top of the root; null if it was not measured so. */
      alone: costOf(part.alone),
    }));
    const costsBy = (way: 'inOrder' | 'alone') => parts.map((part) => part[way]);
    /** Null if one of the changes was not measured. */
    const sums = {
      inOrder: sumBeside(costsBy('inOrder'), whole),
      alone: plan.isAloneWhole ? sumBeside(costsBy('alone'), whole) : null,
    };
    const measured = parts.filter(({ inOrder, alone }) => inOrder !== null || alone !== null);
    return [{ root: plan.whole.over, whole, parts: measured, sums }];
  });
  /** Variants that are part of no decomposition. */
  const others = plans.others.flatMap((step) => costOf(step) ?? []);
  return decompositions.length + others.length === 0
    ? null
    : { condition, roles, decompositions, others };
}

/** What these cost together, and what the whole costs more; null if one is unknown, or there is none. */
function sumBeside(parts: readonly (ChangeCost | null)[], whole: ChangeCost) {
  const known = parts.filter((part) => part !== null);
  if (known.length === 0 || known.length < parts.length) return null;
  const terms = whole.costs.map(({ sides }, role) => {
    return { all: sides, own: known.flatMap(({ costs }) => costs[role]?.sides ?? []) };
  });
  const negated = ({ own, other }: Sides): Sides => ({ own: other, other: own });
  return {
    sum: terms.map(({ own }) => differenceOfSums(own)),
    /** What the whole costs more than that. */
    rest: terms.map(({ all, own }) => differenceOfSums([all, ...own.map(negated)])),
  };
}
