import { mean } from 'simple-statistics';
import { busyOf, samples, slicesOf, THROUGHPUT } from '../figures/figures.ts';
import { type Estimate, estimate, pointOf } from '../math/statistics.ts';
import type { Comparison } from '../math/verdicts.ts';
import type { Load } from '../plan/loads.ts';
import { topologyOf } from '../plan/plan.ts';
import { isPlain, type Topology } from '../plan/topology.ts';
import type { RunRecord } from '../record/record.ts';
import type { Target } from '../targets/targets.ts';
import type { Flag } from '../validity/flags.ts';
import { compareCells, comparisonOf } from './compare-cells.ts';
import type { Condition } from './conditions.ts';

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
  /** The server that was busy for the most of its time, and how much of it. */
  busiest: { target: Target; busy: number };
}

export interface TopologyTable {
  load: Load;
  rows: TopologyComparison[];
}

/** Overheads, read under the cost load where there is one, as single processes where there are any. */
export function summarizeOverheads(
  record: RunRecord,
  conditions: Condition[],
): OverheadTable | null {
  const condition = costCondition(conditions);
  return condition === undefined ? null : overheadsOf(record, condition);
}

/**
 * What each variant costs more than what it is a variant of, read where overheads are; without those that
 * stand over it, whose overheads say the same.
 */
export function summarizeVariants(
  record: RunRecord,
  conditions: Condition[],
): OverheadTable | null {
  const condition = costCondition(conditions);
  if (condition === undefined) return null;
  return stepsOver(record, condition, ({ variantOf, over }) => {
    return variantOf === over ? null : variantOf;
  });
}

/** Where a run tells best what a request costs: under the cost load, as single processes, if there are. */
export function costCondition(conditions: Condition[]): Condition | undefined {
  const isRead = ({ load }: Condition) => load.kind === 'closed' && isCost(load);
  const plain = conditions.filter(({ topology }) => isPlain(topology));
  return plain.find(isRead) ?? conditions.find(isRead) ?? plain[0] ?? conditions[0];
}

function isCost({ headline }: Load): boolean {
  return headline === 'cpu';
}

/** The overheads at a low rate, beside those that are read where servers are busy; null where there are none. */
export function summarizeLowRate(record: RunRecord, conditions: Condition[]): LowRate | null {
  const condition = conditions.find(({ load, topology }) => {
    return isPlain(topology) && load.kind === 'closed' && isCost(load) && !load.saturates;
  });
  const overheads = condition ? overheadsOf(record, condition) : null;
  if (overheads === null) return null;
  const cells = overheads.condition.cells.flatMap(({ target, cell }) => {
    const slices = slicesOf(record, cell);
    const perS = pointOf(estimate(samples(slices, THROUGHPUT)));
    return perS === null ? [] : [{ target, busy: busyOf(slices), perS }];
  });
  const busiest = cells.reduce((most, each) => (each.busy > most.busy ? each : most));
  return { ...overheads, ratePerS: mean(cells.map(({ perS }) => perS)), busiest };
}

/** The overheads as one condition shows them; null where it shows none. */
export function overheadsOf(record: RunRecord, condition: Condition): OverheadTable | null {
  return stepsOver(record, condition, ({ over }) => over);
}

/** What each target costs more than the one that it is held against. */
function stepsOver(
  record: RunRecord,
  condition: Condition,
  baseOf: (target: Target) => string | null,
): OverheadTable | null {
  const steps = record.targets.flatMap((target) => {
    const over = record.targets.find(({ name }) => name === baseOf(target));
    const own = condition.cells.find((each) => each.target === target);
    const base = condition.cells.find((each) => each.target === over);
    return over && own && base ? [{ target, over, own, base }] : [];
  });
  const compared = compareCells(record, steps);
  const rows = steps.flatMap(({ target, over }, index): Overhead[] => {
    const found = compared[index];
    if (!found?.isPaired) return [];
    return [{ target, over, comparison: found.comparison, flags: found.flags }];
  });
  return rows.length === 0 ? null : { condition, rows };
}

/** Every target through all topologies under the main load; null where there is only one topology. */
export function summarizeTopologies(
  record: RunRecord,
  conditions: Condition[],
): TopologyTable | null {
  const { plan } = record;
  const [load] = plan.loads;
  if (load === undefined || plan.topologies.length < 2) return null;
  const cells = conditions
    .filter((condition) => condition.load === load)
    .flatMap((condition) => condition.cells);
  const pairs = cells.flatMap((own) => {
    const base = cells.find(({ target, cell }) => {
      return target === own.target && isPlain(topologyOf(plan, cell.topology));
    });
    return base === undefined || base === own ? [] : [{ own, base }];
  });
  const compared = compareCells(record, pairs, { figure: THROUGHPUT, aspect: 'throughput' });
  const rows = record.targets.map((target) => {
    const own = cells.filter((summary) => summary.target === target);
    const entries = own.map((summary) => {
      const place = pairs.findIndex((pair) => pair.own === summary);
      return {
        topology: topologyOf(plan, summary.cell.topology),
        throughput: estimate(samples(slicesOf(record, summary.cell), THROUGHPUT)),
        speedUp: comparisonOf(compared[place]),
      };
    });
    return { target, entries };
  });
  return { load, rows };
}
