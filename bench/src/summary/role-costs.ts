import { areComparable, sidesOf, slicesOf } from '../figures/figures.ts';
import { cpuOfRole, type Role } from '../figures/roles.ts';
import type { Sides } from '../math/statistics.ts';
import { type Comparison, compare, NEITHER } from '../math/verdicts.ts';
import type { RunRecord } from '../record/record.ts';
import type { Step } from '../targets/ladders.ts';
import { type Flag, flagsOfPair } from '../validity/flags.ts';
import type { Condition } from './conditions.ts';

/** What a request costs a role more with a change. */
export interface RoleCost {
  role: Role;
  /** CPU per request beside that without it, ns, and what that says among all of the family. */
  comparison: Comparison;
}

/** A target beside the one that it is held against. */
export interface ChangeCost extends Step {
  /** In the order of the table's roles. */
  costs: RoleCost[];
  /** Why not to trust it. */
  flags: Flag[];
}

/** The same, with what it was worked out from. */
export interface PairedCost extends ChangeCost {
  /** In the order of the costs. */
  sides: Sides[];
}

/**
 * What steps cost in a condition, by their names; without those that were not measured. The verdicts of a
 * role are of one family.
 */
export function costsOf(
  record: RunRecord,
  condition: Condition,
  roles: readonly Role[],
  steps: readonly Step[],
): Map<string, PairedCost> {
  const unique = new Map(steps.map((step) => [keyOf(step), step]));
  const measured = [...unique.values()].flatMap((step) => {
    const cell = condition.cells.find(({ target }) => target === step.target)?.cell;
    const overCell = condition.cells.find(({ target }) => target === step.over)?.cell;
    if (cell === undefined || overCell === undefined) return [];
    const [slices, others] = [slicesOf(record, cell), slicesOf(record, overCell)];
    const sides = roles.map((role) => sidesOf(slices, others, cpuOfRole(record, role)));
    const isPaired = sides.some(areComparable);
    return isPaired ? [{ step, sides, flags: flagsOfPair(record, cell, overCell) }] : [];
  });
  const rules = { better: 'less', equivalence: record.plan.equivalence } as const;
  const compared = roles.map((_, place) => {
    const family = measured.map(({ sides }) => sides[place] ?? { own: [], other: [] });
    return compare(
      family.map((sides) => ({ sides, mayBeBetter: NEITHER })),
      rules,
    );
  });
  return new Map(
    measured.map(({ step, sides, flags }, index) => {
      const costs = roles.flatMap((role, place): RoleCost[] => {
        const comparison = compared[place]?.[index];
        return comparison === undefined ? [] : [{ role, comparison }];
      });
      return [keyOf(step), { ...step, costs, flags, sides }];
    }),
  );
}

/** The name of a step. */
export function keyOf({ target, over }: Step): string {
  return `${target.name} over ${over.name}`;
}
