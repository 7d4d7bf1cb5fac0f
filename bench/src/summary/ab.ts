import {
  CPU,
  type Figure,
  latencyQuantile,
  PEAK,
  samples,
  slicesOf,
  THROUGHPUT,
} from '../figures/figures.ts';
import {
  ALPHA,
  intervalAt,
  judge,
  levelAtLook,
  smallestSeen,
  valuesFor,
} from '../math/sequential.ts';
import { type Estimate, estimate, inEachLaunch, shares } from '../math/statistics.ts';
import type { Verdict } from '../math/verdicts.ts';
import type { Load } from '../plan/loads.ts';
import type { RunRecord } from '../record/record.ts';
import { isAgain } from '../targets/again.ts';
import type { Target } from '../targets/targets.ts';
import { type Flag, isInvalid, isSpoiled, spoiling, uniqueFlags } from '../validity/flags.ts';
import { type CellSummary, type Condition, summarizeConditions } from './conditions.ts';

export type SideFigureName = 'cpu' | 'throughput' | 'memory' | 'p50' | 'p99';

/** A figure of both sides; differences are shares of the first, with intervals that hold at all looks together. */
export interface SideFigure {
  name: SideFigureName;
  load: Load;
  /** The mean of both copies. */
  first: Estimate;
  side: Estimate;
  /** How much more it is of the other side. */
  difference: Estimate;
  /** How much more of the second copy than of the first. */
  again: Estimate;
  /** The differences, launch by launch. */
  apart: number[];
}

/** A side beside the first one, asked the same. */
export interface AbRow {
  first: Target;
  side: Target;
  /** By which it is judged. */
  cpu: SideFigure;
  beside: SideFigure[];
  verdict: Verdict;
  /** Why there can be no verdict. */
  flags: Flag[];
  /** Whether nothing is to be gained by more launches. */
  isOver: boolean;
  /** A run that would decide it, knowing it to ± this share: so many launches, so long; null where nobody can say. */
  lacking: { share: number; launches: number; ns: number } | null;
  /** The smallest difference that so many launches would see, as a share; infinite for too few. */
  smallest: number;
}

/** All sides beside the first one, in the order in which they were named. */
export interface AbTable {
  condition: Condition;
  rows: AbRow[];
}

/** What a run of sides says; null where there is nothing to compare. */
export function summarizeAb(record: RunRecord, conditions: readonly Condition[]): AbTable | null {
  const condition = conditions.find(({ load }) => load.kind === 'closed');
  if (condition === undefined) return null;
  const sides = record.targets.filter((each) => each.variantOf !== null && !isAgain(each));
  const sets = sides.flatMap((side) => {
    const first = record.targets.find(({ name }) => name === side.variantOf);
    const copy = record.targets.find((each) => isAgain(each) && each.variantOf === first?.name);
    return first === undefined || copy === undefined ? [] : [{ first, again: copy, side }];
  });
  const alpha = ALPHA / sets.length;
  const look = { alpha, level: levelAtLook(fractionsOf(record), alpha) };
  const rows = sets.flatMap((set) => rowOf(record, conditions, condition, set, look) ?? []);
  return rows.length === 0 ? null : { condition, rows };
}

/**
 * What share of the longest time was over at each look, one after each launch, of launches that take equally long; it
 * reaches 1 where another launch would not end in time, and at the only look of a run that is planned for its launches.
 */
function fractionsOf({ plan: { until, launches }, wallNs }: RunRecord): number[] {
  if (until === null) return [1];
  return launches.map((_, look) => {
    return Math.min(1, ((look + 2) / launches.length) * (wallNs / until.maxTimeNs));
  });
}

/** Whether another launch could decide what is not decided, and would end in time. */
export function wantsAnotherForAb(record: RunRecord, elapsedNs: number): boolean {
  const { until, failOn, launches } = record.plan;
  const table = summarizeAb(record, summarizeConditions(record));
  if (until === null || table === null) return false;
  const isOpen = (row: AbRow) => !row.isOver && !isDecided(row, failOn);
  return table.rows.some(isOpen) && elapsedNs * (1 + 1 / launches.length) <= until.maxTimeNs;
}

/** Whether a row has its verdict, and a slower side is known to reach the limit or not to, where there is one. */
function isDecided({ verdict, cpu: { difference } }: AbRow, failOn: number | null): boolean {
  if (verdict !== 'slower' || failOn === null) return verdict !== "can't tell";
  return difference.kind === 'interval' && (difference.low >= failOn || difference.high < failOn);
}

/** Whether some side is slower by at least the limit of `--fail-on`: the lower end of its interval is. */
export function isTooSlow(record: RunRecord, conditions: readonly Condition[]): boolean {
  const { failOn } = record.plan;
  if (failOn === null) return false;
  const rows = summarizeAb(record, conditions)?.rows ?? [];
  return rows.some(({ verdict, cpu: { difference } }) => {
    return verdict === 'slower' && difference.kind === 'interval' && difference.low >= failOn;
  });
}

/** The chance that a row's intervals may miss at all looks together, and at this one. */
interface Look {
  alpha: number;
  level: number;
}

/** The same request to the first side, to its copy, and to another side. */
type Asked<T> = Record<'first' | 'again' | 'side', T>;

function rowOf(
  record: RunRecord,
  conditions: readonly Condition[],
  condition: Condition,
  targets: Asked<Target>,
  look: Look,
): AbRow | null {
  const cells = cellsOf(condition, targets);
  if (cells === null) return null;
  const { equivalence, launches } = record.plan;
  const { load } = condition;
  const cpu = sideFigure(record, cells, load, look.level, ['cpu', CPU]);
  const beside = conditions.flatMap((each) => {
    const own = cellsOf(each, targets);
    if (own === null) return [];
    return besideOf(each.load).map((named) =>
      sideFigure(record, own, each.load, look.level, named),
    );
  });
  const all = Object.values(cells).flatMap(({ flags }) => flags);
  const isWithheld = isSpoiled(all, 'cpu');
  const { value = 0 } = cpu.difference.kind === 'none' ? {} : cpu.difference;
  const share = Math.max(Math.abs(value), equivalence - Math.abs(value));
  const enough = valuesFor(share, cpu.apart, look.alpha);
  const launchNs = record.wallNs / launches.length;
  return {
    first: targets.first,
    side: targets.side,
    cpu,
    beside,
    verdict: isWithheld ? "can't tell" : judge(cpu.difference, cpu.again, equivalence),
    flags: uniqueFlags(spoiling(all, 'cpu')),
    isOver: isInvalid(all, 'cpu') || cpu.apart.length === 0,
    lacking: enough === null ? null : { share, launches: enough, ns: enough * launchNs },
    smallest: smallestSeen(look.level, cpu.apart),
  };
}

function cellsOf({ cells }: Condition, targets: Asked<Target>): Asked<CellSummary> | null {
  const of = (target: Target) => cells.find((cell) => cell.target === target);
  const [first, again, side] = [of(targets.first), of(targets.again), of(targets.side)];
  return first && again && side ? { first, again, side } : null;
}

/** What stands beside CPU time: what servers do at their limit, and how long requests take where they are not. */
function besideOf(load: Load): [SideFigureName, Figure][] {
  return load.kind === 'closed'
    ? [
        ['throughput', THROUGHPUT],
        ['memory', PEAK],
      ]
    : [
        ['p50', latencyQuantile('p50', load)],
        ['p99', latencyQuantile('p99', load)],
      ];
}

function sideFigure(
  record: RunRecord,
  { first, again, side }: Asked<CellSummary>,
  load: Load,
  level: number,
  [name, figure]: [SideFigureName, Figure],
): SideFigure {
  const of = ({ cell }: CellSummary) => samples(slicesOf(record, cell), figure);
  const [base, copy, own] = [of(first), of(again), of(side)];
  const both = inEachLaunch({ own: base, other: copy }, (a, b) => (a + b) / 2);
  const apart = shares({ own, other: both });
  return {
    name,
    load,
    first: estimate(both),
    side: estimate(own),
    difference: intervalAt(level, apart),
    again: intervalAt(level, shares({ own: copy, other: base })),
    apart,
  };
}
