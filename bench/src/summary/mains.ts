import { busyOf } from '../figures/figures.ts';
import { cpuOfRole, rolesOf } from '../figures/services.ts';
import type { RunRecord } from '../record/record.ts';
import { costsOf } from './compare-family.ts';
import { busiestIn } from './comparisons.ts';
import { type Condition, estimateOf } from './conditions.ts';

/** The CPU time of a request to each server that is no variant. */
export type MainTable = NonNullable<ReturnType<typeof summarizeMains>>;
export type MainRow = MainTable['rows'][number];

/** The table with the target of this name as the base, or else the first; null if none was measured. */
export function summarizeMains(record: RunRecord, condition: Condition, baseName: string) {
  const mains = condition.cells.filter(({ target, outcome }) => {
    return target.variantOf === null && outcome.state !== 'not reached';
  });
  const base = (mains.find(({ target }) => target.name === baseName) ?? mains[0])?.target;
  if (base === undefined) return null;
  const roles = rolesOf(record);
  const steps = mains.map(({ target }) => ({ target, over: base }));
  const costOf = costsOf(record, condition, roles, steps);
  const rows = mains.map((summary) => ({
    summary,
    /** CPU time of a request, ns, in the order of the roles. */
    cpu: roles.map((role) => estimateOf(summary, cpuOfRole(record, role))),
    /** Null for the base, and if the two share no launch. */
    beside: costOf({ target: summary.target, over: base }),
    /** The share of a core that the server keeps busy, in the median slice. */
    busy: busyOf(summary.slices),
  }));
  /** Of all servers of the condition, variants included. */
  const busiest = busiestIn(condition);
  return { condition, roles, base, rows, busiest };
}
