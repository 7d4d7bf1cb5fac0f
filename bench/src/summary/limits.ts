import {
  type Figure,
  figureOf,
  latencyQuantile,
  slicesOf,
  THROUGHPUT,
} from '../figures/figures.ts';
import { type ThrottlingShares, throttlingShares } from '../figures/throttling.ts';
import { type Estimate, pointOf } from '../math/statistics.ts';
import type { Comparison } from '../math/verdicts.ts';
import type { Load } from '../plan/loads.ts';
import type { Topology } from '../plan/topology.ts';
import type { RunRecord } from '../record/record.ts';
import { limitsOf } from '../targets/copies.ts';
import type { Target } from '../targets/targets.ts';
import { compareFamilies, UNKNOWN } from './compare-family.ts';
import { type CellSummary, type Condition, cellIn } from './conditions.ts';
import { figureNamed } from './named-figures.ts';

/** What CPU limits do under one load. */
export interface LimitTable {
  load: Load;
  /** Target by target, the lowest limit of each first, topology by topology. */
  rows: LimitRow[];
  /** Where a limit was measured in several topologies. */
  settings: LimitSetting[];
  /** What became of a published claim; null where nothing here is about it. */
  claim: ClaimOutcome | null;
}

/** A target under a limit, in a topology. */
export interface LimitRow {
  target: Target;
  /** Cores' worth of CPU time. */
  limit: number;
  topology: Topology;
  summary: CellSummary;
  /** Null where nothing was measured. */
  held: ThrottlingShares | null;
  /** Away from its threads, for each answer. */
  switches: { voluntary: Estimate; involuntary: Estimate };
}

/** What settings are compared by: under a closed load requests/s, at a rate p95 and p99. */
export type LimitReading = 'throughput' | 'p95' | 'p99';

/** A target under a limit, through its topologies. */
export interface LimitSetting {
  target: Target;
  limit: number;
  /** The one with the fewest processes or threads. */
  base: Topology;
  /** Each other one beside it: the first reading is what decides. */
  others: { topology: Topology; readings: { name: LimitReading; comparison: Comparison }[] }[];
  /** The one that this limit wants; null where that can't be told. */
  wants: Topology | null;
}

/** Of more threads than a limit can use, beside as many: whether p95 and p99 are both worse. */
export interface ClaimOutcome {
  compared: number;
  /** Both are worse. */
  worse: number;
  /** Neither is: each is shown to be better, or the same. */
  notWorse: number;
}

/** Every target under its CPU limit, load by load; nothing where no server had one. */
export function summarizeLimits(record: RunRecord, conditions: Condition[]): LimitTable[] {
  if (limitsOf(record.targets).length === 0) return [];
  return record.plan.loads.filter(isTelling).map((load) => {
    const own = conditions.filter((condition) => condition.load.id === load.id);
    const rows = record.targets.flatMap((target) => rowsOf(record, target, own));
    const settings = settingsOf(record, load, rows);
    return { load, rows, settings, claim: load.kind === 'open' ? claimOf(settings) : null };
  });
}

/** Requests that come alone, one after the other, say nothing about a limit that a rate would not say better. */
function isTelling(load: Load): boolean {
  return load.kind === 'open' || load.saturates;
}

function rowsOf(record: RunRecord, target: Target, conditions: Condition[]): LimitRow[] {
  const { cpuLimit: limit } = target;
  if (limit === null) return [];
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
    return [{ target, limit, topology: condition.topology, summary, held, switches }];
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
    const { target, limit, topology: base } = least;
    return [{ target, limit, base, others, wants: wantedOf(base, others) }];
  });
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

/** Of servers that scale by threads: those with more than the limit can use beside those with no more. */
function claimOf(settings: LimitSetting[]): ClaimOutcome | null {
  const about = settings.flatMap(({ target, limit, base, others }) => {
    const usable = Math.ceil(limit);
    if (target.scale.by !== 'threads' || base.processes > usable) return [];
    return others.filter(({ topology }) => topology.processes > usable);
  });
  if (about.length === 0) return null;
  const verdicts = about.map(({ readings }) => {
    return readings.map(({ comparison }) => comparison.verdict);
  });
  const isShown = (own: string[]) => own.every((verdict) => verdict !== "can't tell");
  return {
    compared: about.length,
    worse: verdicts.filter((own) => own.every((verdict) => verdict === 'slower')).length,
    notWorse: verdicts.filter((own) => isShown(own) && !own.includes('slower')).length,
  };
}
