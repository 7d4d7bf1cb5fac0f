import { busyOf, figureOf, slicesOf } from '../figures/figures.ts';
import { cpuOfRole, type Role, rolesOf } from '../figures/services.ts';
import type { Estimate } from '../math/statistics.ts';
import type { RunRecord } from '../record/record.ts';
import type { Target } from '../targets/targets.ts';
import { type Busy, busiestIn } from './comparisons.ts';
import type { CellSummary, Condition } from './conditions.ts';
import { type ChangeCost, costsOf, keyOf } from './role-costs.ts';

/** A server in its own right, beside the one that all are compared with. */
export interface MainRow {
  summary: CellSummary;
  /** CPU time a request, ns, in the order of the table's roles. */
  cpu: Estimate[];
  /** Null for the one that all are compared with, and where the two share no round. */
  beside: ChangeCost | null;
  /** How much of a core the server keeps busy, in the median slice. */
  busy: number;
}

/** What a request costs the servers that are no variants. */
export interface MainTable {
  condition: Condition;
  roles: Role[];
  /** What all are compared with. */
  base: Target;
  /** The cheapest server first. */
  rows: MainRow[];
  /** Of all servers of the condition, variants too, the one that was busy for the most of the time. */
  busiest: Busy;
}

/**
 * What a request costs each target that is no variant, beside the one of this name, or else the first; null
 * where none was measured.
 */
export function summarizeMains(
  record: RunRecord,
  condition: Condition,
  baseName: string,
): MainTable | null {
  const { cells } = condition;
  const mains = cells.filter(({ target, outcome }) => {
    return target.variantOf === null && outcome.state !== 'not reached';
  });
  const base = (mains.find(({ target }) => target.name === baseName) ?? mains[0])?.target;
  if (base === undefined) return null;
  const roles = rolesOf(record);
  const steps = mains.map(({ target }) => ({ target, over: base }));
  const costs = costsOf(record, condition, roles, steps);
  const rows = mains.map((summary): MainRow => {
    const { target, cell } = summary;
    return {
      summary,
      cpu: roles.map((role) => figureOf(record, cell, cpuOfRole(record, role))),
      beside: costs.get(keyOf({ target, over: base })) ?? null,
      busy: busyOf(slicesOf(record, cell)),
    };
  });
  return { condition, roles, base, rows, busiest: busiestIn(record, condition) };
}
