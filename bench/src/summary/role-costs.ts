import { cpuOfRole, type Role } from '../figures/services.ts';
import type { RunRecord } from '../record/record.ts';
import type { VariantStep } from '../targets/variants.ts';
import type { Flag } from '../validity/flags.ts';
import { compareFamilies, type Reading } from './compare-family.ts';
import { type Condition, cellIn } from './conditions.ts';

/** What a request costs a role more with a change: CPU time, ns; the verdict is one of all those of the family. */
export type RoleCost = Reading<Role>;

/** A target compared with the one that it is built on, or a variant of. */
export interface ChangeCost extends VariantStep {
  /** In the order of the table's roles. */
  costs: RoleCost[];
  /** Reasons not to trust it. */
  flags: Flag[];
}

/**
 * The costs of steps in a condition; null for a step that was not measured. For each role the verdicts on all of these
 * steps are one family.
 */
export function costsOf(
  record: RunRecord,
  condition: Condition,
  roles: readonly Role[],
  steps: readonly (VariantStep | null)[],
): (step: VariantStep | null) => ChangeCost | null {
  const nameOf = ({ target, over }: VariantStep) => `${target.name} over ${over.name}`;
  const planned = steps.filter((step) => step !== null);
  const unique = new Map(planned.map((step) => [nameOf(step), step]));
  const pairs = [...unique.values()].flatMap((step) => {
    const summary = cellIn(condition, step.target);
    return summary ? [{ step, summary, base: cellIn(condition, step.over) }] : [];
  });
  const figures = roles.map((role) => ({ name: role, figure: cpuOfRole(record, role) }));
  const costs = compareFamilies(record, pairs, figures).flatMap(({ step, readings, flags }) => {
    return flags === null ? [] : [[nameOf(step), { ...step, costs: readings, flags }] as const];
  });
  const byName = new Map<string, ChangeCost>(costs);
  return (step) => (step && byName.get(nameOf(step))) ?? null;
}
