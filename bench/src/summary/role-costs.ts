import { cpuOfRole, type Role } from '../figures/roles.ts';
import type { Sides } from '../math/statistics.ts';
import type { Comparison } from '../math/verdicts.ts';
import type { RunRecord } from '../record/record.ts';
import type { Step } from '../targets/decompositions.ts';
import type { Flag } from '../validity/flags.ts';
import { compareCells } from './compare-cells.ts';
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
  const pairs = [...unique.values()].flatMap((step) => {
    const own = condition.cells.find(({ target }) => target === step.target);
    const base = condition.cells.find(({ target }) => target === step.over);
    return own && base ? [{ step, own, base }] : [];
  });
  const byRole = roles.map((role) => {
    return { role, compared: compareCells(record, pairs, { figure: cpuOfRole(record, role) }) };
  });
  return new Map(
    pairs.flatMap(({ step }, index): [string, PairedCost][] => {
      const found = byRole.flatMap(({ role, compared }) => {
        const pair = compared[index];
        return pair ? [{ role, ...pair }] : [];
      });
      const first = found.find(({ isPaired }) => isPaired);
      if (first === undefined) return [];
      const costs = found.map(({ role, comparison }) => ({ role, comparison }));
      const sides = found.map((each) => each.sides);
      return [[keyOf(step), { ...step, costs, flags: first.flags, sides }]];
    }),
  );
}

/** The name of a step. */
export function keyOf({ target, over }: Step): string {
  return `${target.name} over ${over.name}`;
}
