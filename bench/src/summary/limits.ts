import {
  type Figure,
  figureOf,
  latencyQuantile,
  slicesOf,
  THROUGHPUT,
} from '../figures/figures.ts';
import { type ThrottlingShares, throttlingShares } from '../figures/throttling.ts';
import { busyCores } from '../math/bounds.ts';
import { type Estimate, pointOf } from '../math/statistics.ts';
import type { Comparison } from '../math/verdicts.ts';
import type { Load } from '../plan/loads.ts';
import { BUSY_AT_MOST, processesFor } from '../plan/processes.ts';
import type { Topology } from '../plan/topology.ts';
import type { RunRecord } from '../record/record.ts';
import { isLimited } from '../targets/copies.ts';
import type { Target } from '../targets/targets.ts';
import { compareFamilies, UNKNOWN } from './compare-family.ts';
import { type CellSummary, type Condition, cellIn } from './conditions.ts';
import { figureNamed } from './named-figures.ts';

/** What limits of CPU time and memory do under one load. */
export interface LimitTable {
  load: Load;
  /** Target by target, the lowest limit of each first, topology by topology. */
  rows: LimitRow[];
  /** Where a limit was measured in several topologies. */
  settings: LimitSetting[];
}

/** A target under a limit, in a topology. */
export interface LimitRow {
  target: Target;
  topology: Topology;
  summary: CellSummary;
  /** Null where nothing was measured. */
  held: ThrottlingShares | null;
  /** Away from its threads, for each answer. */
  switches: { voluntary: Estimate; involuntary: Estimate };
}

/** What a rate asks of the CPU, by what its requests take. */
export interface Demand {
  /** So many are busy with them. */
  cores: number;
  /** The fewest processes that are not too busy; null where the limit leaves too little room for any number. */
  processes: number | null;
}

/** What settings are compared by: under a closed load requests/s, at a rate p95 and p99. */
export type LimitReading = 'throughput' | 'p95' | 'p99';

/** A target under a limit, through its topologies. */
export interface LimitSetting {
  target: Target;
  /** The one with the fewest processes or threads. */
  base: Topology;
  /** Null without a rate, or without a CPU limit. */
  demand: Demand | null;
  /** Each other one beside it: the first reading is what decides. */
  others: { topology: Topology; readings: { name: LimitReading; comparison: Comparison }[] }[];
  /** The one that this limit wants; null where that can't be told. */
  wants: Topology | null;
}

/** Every target under its limits, load by load; nothing where no server had one. */
export function summarizeLimits(record: RunRecord, conditions: Condition[]): LimitTable[] {
  if (!record.targets.some(isLimited)) return [];
  return record.plan.loads.filter(isTelling).map((load) => {
    const own = conditions.filter((condition) => condition.load.id === load.id);
    const rows = record.targets.flatMap((target) => rowsOf(record, target, own));
    return { load, rows, settings: settingsOf(record, load, rows) };
  });
}

/** Requests that come alone, one after the other, say nothing about a limit that a rate would not say better. */
function isTelling(load: Load): boolean {
  return load.kind === 'open' || load.saturates;
}

function rowsOf(record: RunRecord, target: Target, conditions: Condition[]): LimitRow[] {
  if (!isLimited(target)) return [];
  return conditions.flatMap((condition) => {
    const summary = cellIn(condition, target);
    if (summary === undefined) return [];
    const held = throttlingShares(slicesOf(record, summary.cell));
    const switchesOf = (figure: 'voluntary switches' | 'involuntary switches') => {
      return figureOf(record, summary.cell, figureNamed(record, { figure }, condition.load));
    };
    const switches = {
      voluntary: switchesOf('voluntary switches'),
      involuntary: switchesOf('involuntary switches'),
    };
    return [{ target, topology: condition.topology, summary, held, switches }];
  });
}

/** All comparisons of a reading are one family. */
function settingsOf(record: RunRecord, load: Load, rows: LimitRow[]): LimitSetting[] {
  const measured = rows.filter(({ summary }) => summary.outcome.state === 'measured');
  const pairs = [...Map.groupBy(measured, ({ target }) => target).values()].flatMap((own) => {
    const [least, ...others] = own.toSorted((a, b) => a.topology.processes - b.topology.processes);
    // A limit makes servers slow to settle: what flags say of them is in their rows, and takes no verdict.
    return others.map((row) => {
      const summary = { ...row.summary, flags: [] };
      return { ...row, least, summary, base: least && { ...least.summary, flags: [] } };
    });
  });
  const readings = readingsOf(load);
  const figures = readings.map(({ figure }) => figure);
  const told = compareFamilies(record, pairs, figures).map(({ pair, compared }) => ({
    ...pair,
    readings: readings.map(({ name }, place) => {
      return { name, comparison: compared[place]?.comparison ?? UNKNOWN };
    }),
  }));
  return [...Map.groupBy(told, ({ least }) => least)].flatMap(([least, others]) => {
    if (least === undefined) return [];
    const { target, topology: base } = least;
    const demand = demandOf(load, least);
    return [{ target, base, others, demand, wants: wantedOf(base, others) }];
  });
}

function demandOf(load: Load, { target, summary }: LimitRow): Demand | null {
  const { cpuLimit } = target;
  const { outcome } = summary;
  if (load.kind !== 'open' || cpuLimit === null || outcome.state !== 'measured') return null;
  const cpuNs = pointOf(outcome.figures.cpuPerRequest);
  if (cpuNs === null) return null;
  const cores = busyCores(load.ratePerS, cpuNs);
  const hasRoom = cores <= BUSY_AT_MOST * cpuLimit;
  return { cores, processes: hasRoom ? processesFor(load.ratePerS, cpuNs, cpuLimit) : null };
}

/** The one that decides comes first. */
function readingsOf(load: Load): { name: LimitReading; figure: Figure }[] {
  if (load.kind === 'closed') return [{ name: 'throughput', figure: THROUGHPUT }];
  return (['p99', 'p95'] as const).map((name) => {
    return { name, figure: latencyQuantile(name, load) };
  });
}

/**
 * The best of those that are shown to be better than the one with the fewest; that one itself where none is
 * and none may be.
 */
function wantedOf(base: Topology, others: LimitSetting['others']): Topology | null {
  const deciding = others.flatMap(({ topology, readings: [first] }) => {
    return first === undefined ? [] : [{ topology, name: first.name, ...first.comparison }];
  });
  const goodness = ({ ratio, name }: (typeof deciding)[number]) => {
    const point = pointOf(ratio) ?? 1;
    return name === 'throughput' ? point : 1 / point;
  };
  const [best] = deciding
    .filter(({ verdict }) => verdict === 'faster')
    .toSorted((a, b) => goodness(b) - goodness(a));
  if (best !== undefined) return best.topology;
  return deciding.some(({ verdict }) => verdict === "can't tell") ? null : base;
}
