import { type CpuPairs, cpuPairs, moreCpu, slicesOf } from '../figures/figures.ts';
import { cpuOfRole, type Role } from '../figures/roles.ts';
import type { Estimate } from '../math/statistics.ts';
import { type Comparison, compare, NEITHER } from '../math/verdicts.ts';
import type { RunRecord } from '../record/record.ts';
import type { Step } from '../targets/ladders.ts';
import { type Flag, flagsOfPair } from '../validity/flags.ts';
import type { Condition } from './conditions.ts';

/** What a request costs a role more with a change. */
export interface RoleCost {
  role: Role;
  /** CPU time more, ns. */
  cpuNs: Estimate;
  /** CPU per request over that without it, and what that says among all of the family. */
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
  pairs: CpuPairs[];
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
    const pairs = roles.map((role) => cpuPairs(slices, others, cpuOfRole(record, role)));
    const isPaired = pairs.some(({ ratios }) => ratios.length > 0);
    return isPaired ? [{ step, pairs, flags: flagsOfPair(record, cell, overCell) }] : [];
  });
  const rules = { better: 'less', equivalence: record.plan.equivalence } as const;
  const compared = roles.map((_, place) => {
    const family = measured.map(({ pairs }) => pairs[place]?.ratios ?? []);
    return compare(
      family.map((ratios) => ({ ratios, mayBeBetter: NEITHER })),
      rules,
    );
  });
  return new Map(
    measured.map(({ step, pairs, flags }, index) => {
      const costs = roles.flatMap((role, place): RoleCost[] => {
        const comparison = compared[place]?.[index];
        const base = pairs[place]?.base ?? [];
        if (comparison === undefined) return [];
        return [{ role, comparison, cpuNs: moreCpu(base, comparison.ratio) }];
      });
      return [keyOf(step), { ...step, costs, flags, pairs }];
    }),
  );
}

/** The name of a step. */
export function keyOf({ target, over }: Step): string {
  return `${target.name} over ${over.name}`;
}
