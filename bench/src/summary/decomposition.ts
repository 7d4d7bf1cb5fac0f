import { type Role, rolesOf } from '../figures/services.ts';
import { differenceOfSums, type Estimate, type Sides } from '../math/statistics.ts';
import type { RunRecord } from '../record/record.ts';
import { type DecompositionPlan, findDecompositions } from '../targets/decompositions.ts';
import type { Step } from '../targets/lineage.ts';
import type { Target } from '../targets/targets.ts';
import type { Condition } from './conditions.ts';
import { type ChangeCost, costsOf, keyOf, type PairedCost } from './role-costs.ts';

/** One change of a decomposition. */
export interface DecompositionPart {
  /** In a word. */
  change: string;
  /** Beside the part below it; null where the decomposition goes all the way at once, or it was not measured. */
  inOrder: ChangeCost | null;
  /** Beside the foot of the decomposition; null where it was not measured so. */
  alone: ChangeCost | null;
}

/** What several changes cost together, ns of CPU for each role. */
export interface Sum {
  sum: Estimate[];
  /** What the whole costs more than that. */
  rest: Estimate[];
}

/** What a target costs with several changes at once, taken apart. */
export interface Decomposition {
  /** What has none of the changes. */
  root: Target;
  whole: ChangeCost;
  /** The change that was made last on the way to the whole comes first. */
  parts: DecompositionPart[];
  /** Null where one was not measured. */
  sums: { inOrder: Sum | null; alone: Sum | null };
}

/** All variants of a run, in one condition. */
export interface DecompositionTable {
  condition: Condition;
  roles: Role[];
  decompositions: Decomposition[];
  /** Variants that are in no decomposition. */
  others: ChangeCost[];
}

/**
 * What the variants of a run cost in a condition, as decompositions where they make some; null where none was
 * measured. The verdicts of a role are of one family.
 */
export function summarizeDecompositions(
  record: RunRecord,
  condition: Condition,
): DecompositionTable | null {
  const roles = rolesOf(record);
  const found = findDecompositions(record.targets);
  const costs = costsOf(record, condition, roles, [
    ...found.decompositions.flatMap(stepsOf),
    ...found.others,
  ]);
  const costOf = (step: Step | null) => (step && costs.get(keyOf(step))) ?? null;
  const decompositions = found.decompositions.flatMap((plan): Decomposition[] => {
    const whole = costOf(plan.whole);
    if (whole === null) return [];
    const parts = plan.parts.map(({ change, inOrder, alone }) => {
      return { change, inOrder: costOf(inOrder), alone: costOf(alone) };
    });
    const sumOf = (parts: (PairedCost | null)[]) => sumBeside(parts, whole);
    const sums = {
      inOrder: sumOf(parts.map(({ inOrder }) => inOrder)),
      alone: plan.isAloneWhole ? sumOf(parts.map(({ alone }) => alone)) : null,
    };
    const measured = parts.filter(({ inOrder, alone }) => inOrder !== null || alone !== null);
    return [{ root: plan.whole.over, whole, parts: measured, sums }];
  });
  const others = found.others.flatMap((step) => costOf(step) ?? []);
  return decompositions.length + others.length === 0
    ? null
    : { condition, roles, decompositions, others };
}

/** What these cost together, and what the whole costs more; null where one is unknown, or there is none. */
function sumBeside(parts: readonly (PairedCost | null)[], whole: PairedCost): Sum | null {
  const known = parts.filter((part) => part !== null);
  if (known.length === 0 || known.length < parts.length) return null;
  const terms = (place: number): Sides[] => known.flatMap(({ sides }) => sides[place] ?? []);
  const turned = ({ own, other }: Sides): Sides => ({ own: other, other: own });
  return {
    sum: whole.sides.map((_, place) => differenceOfSums(terms(place))),
    rest: whole.sides.map((all, place) => {
      return differenceOfSums([all, ...terms(place).map(turned)]);
    }),
  };
}

function stepsOf({ whole, parts }: DecompositionPlan): Step[] {
  const each = parts.flatMap(({ inOrder, alone }) => [inOrder, alone]);
  return [whole, ...each].filter((step) => step !== null);
}
