import { mean } from 'simple-statistics';
import { busyOf, figureOf, slicesOf, THROUGHPUT } from '../figures/figures.ts';
import { type Estimate, pointOf } from '../math/statistics.ts';
import type { Comparison } from '../math/verdicts.ts';
import type { Load } from '../plan/loads.ts';
import { isPlain, type Topology } from '../plan/topology.ts';
import type { RunRecord } from '../record/record.ts';
import type { Target } from '../targets/targets.ts';
import type { Flag } from '../validity/flags.ts';
import { compareFamily, withComparison } from './compare-family.ts';
import { type Condition, cellIn } from './conditions.ts';

/** What a target costs more than what it is built on. */
export interface Overhead {
  target: Target;
  over: Target;
  /** CPU per request beside the other's, ns, and what that says among all overheads. */
  comparison: Comparison;
  /** Why not to trust the comparison. */
  flags: Flag[];
}

/** One target through all topologies. */
export interface TopologyComparison {
  target: Target;
  entries: {
    topology: Topology;
    throughput: Estimate;
    /** Throughput over that of `single`; null where there is no other single. */
    speedUp: Comparison | null;
  }[];
}

export interface OverheadTable {
  /** Where the overheads are read. */
  condition: Condition;
  rows: Overhead[];
}

/** What the same overheads are where servers are idle for most of the time. */
export interface LowRate extends OverheadTable {
  /** What each server answered in a second of its turns, on average. */
  ratePerS: number;
  busiest: Busy;
}

export interface TopologyTable {
  load: Load;
  rows: TopologyComparison[];
}

/** A server, and how much of its time it was busy. */
export interface Busy {
  target: Target;
  busy: number;
}

/** Overheads, read under the cost load where there is one, as single processes where there are any. */
export function summarizeOverheads(
  record: RunRecord,
  conditions: Condition[],
): OverheadTable | null {
  return overheadsOf(record, costCondition(conditions));
}

/**
 * What each variant costs more than what it is a variant of, read where overheads are; without those that
 * stand over it, whose overheads say the same.
 */
export function summarizeVariants(
  record: RunRecord,
  conditions: Condition[],
): OverheadTable | null {
  return stepsOver(record, costCondition(conditions), ({ variantOf, over }) => {
    return variantOf === over ? null : variantOf;
  });
}

/** Where a run tells best what a request costs: under the cost load, as single processes, if there are. */
export function costCondition(conditions: Condition[]): Condition | undefined {
  const isRead = ({ load }: Condition) => load.kind === 'closed' && load.headline === 'cpu';
  const plain = conditions.filter(({ topology }) => isPlain(topology));
  return plain.find(isRead) ?? conditions.find(isRead) ?? plain[0] ?? conditions[0];
}

/** The overheads at a low rate, beside those that are read where servers are busy; null where there are none. */
export function summarizeLowRate(record: RunRecord, conditions: Condition[]): LowRate | null {
  const condition = conditions.find(({ load, topology }) => {
    const { kind, headline, saturates } = load;
    return isPlain(topology) && kind === 'closed' && headline === 'cpu' && !saturates;
  });
  const overheads = overheadsOf(record, condition);
  if (overheads === null) return null;
  const rates = overheads.condition.cells.flatMap(({ cell }) => {
    return pointOf(figureOf(record, cell, THROUGHPUT)) ?? [];
  });
  return { ...overheads, ratePerS: mean(rates), busiest: busiestIn(record, overheads.condition) };
}

/** The server of a condition that was busy for the most of its time. */
export function busiestIn(record: RunRecord, { cells }: Condition): Busy {
  return cells
    .map(({ target, cell }) => ({ target, busy: busyOf(slicesOf(record, cell)) }))
    .reduce((most, each) => (each.busy > most.busy ? each : most));
}

/** The overheads as one condition shows them; null where it shows none. */
export function overheadsOf(
  record: RunRecord,
  condition: Condition | undefined,
): OverheadTable | null {
  return stepsOver(record, condition, ({ over }) => over);
}

/** What each target costs more than the one that it is held against. */
function stepsOver(
  record: RunRecord,
  condition: Condition | undefined,
  baseOf: (target: Target) => string | null,
): OverheadTable | null {
  if (condition === undefined) return null;
  const steps = record.targets.flatMap((target) => {
    const over = record.targets.find(({ name }) => name === baseOf(target));
    const summary = cellIn(condition, target);
    return over && summary ? [{ target, over, summary, base: cellIn(condition, over) }] : [];
  });
  const rows = withComparison(compareFamily(record, steps));
  return rows.length === 0 ? null : { condition, rows };
}

/** Every target through all topologies under the main load; null where there is only one topology. */
export function summarizeTopologies(
  record: RunRecord,
  conditions: Condition[],
): TopologyTable | null {
  const [load] = record.plan.loads;
  if (load === undefined || record.plan.topologies.length < 2) return null;
  const own = conditions.filter((condition) => condition.load === load);
  const plain = own.find(({ topology }) => isPlain(topology));
  const pairs = own.flatMap(({ topology, cells }) => {
    return cells.map((summary) => {
      return { topology, summary, base: plain && cellIn(plain, summary.target) };
    });
  });
  const compared = compareFamily(record, pairs, THROUGHPUT);
  const rows = record.targets.map((target) => {
    const entries = compared.filter(({ summary }) => summary.target === target);
    return {
      target,
      entries: entries.map(({ topology, summary, comparison }) => {
        const throughput = figureOf(record, summary.cell, THROUGHPUT);
        return { topology, throughput, speedUp: comparison };
      }),
    };
  });
  return { load, rows };
}
