import { cpuOfRole, type Role } from '../figures/services.ts';
import type { Sides } from '../math/statistics.ts';
import type { Comparison } from '../math/verdicts.ts';
import type { RunRecord } from '../record/record.ts';
import type { Step } from '../targets/lineage.ts';
import type { Flag } from '../validity/flags.ts';
import { compareFamilies, UNKNOWN } from './compare-family.ts';
import { type Condition, cellIn } from './conditions.ts';

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
  const pairs = [...unique.values()].flatMap((step) => {
    const summary = cellIn(condition, step.target);
    return summary ? [{ step, summary, base: cellIn(condition, step.over) }] : [];
  });
  const figures = roles.map((role) => cpuOfRole(record, role));
  const costs = compareFamilies(record, pairs, figures).flatMap(({ pair: { step }, compared }) => {
    const first = compared.find(({ comparison }) => comparison !== null);
    if (first === undefined) return [];
    const ofRoles = roles.map((role, place): RoleCost => {
      return { role, comparison: compared[place]?.comparison ?? UNKNOWN };
    });
    const sides = compared.map((each) => each.sides);
    return [[keyOf(step), { ...step, costs: ofRoles, flags: first.flags, sides }] as const];
  });
  return new Map(costs);
}

/** The name of a step. */
export function keyOf({ target, over }: Step): string {
  return `${target.name} over ${over.name}`;
}
