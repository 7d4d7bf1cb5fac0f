import { samples } from '../figures/figures.ts';
import { judge, levelAtLook, SPENT, smallestSeen, valuesFor } from '../math/sequential.ts';
import { changeAt, estimate, inEachLaunch, logRatios, pointOf } from '../math/statistics.ts';
import type { Load } from '../plan/loads.ts';
import type { RunRecord } from '../record/record.ts';
import { isControlCopy } from '../targets/copies.ts';
import type { Target } from '../targets/targets.ts';
import { isInvalid, isSpoiled, spoiling } from '../validity/flags.ts';
import type { JudgedName } from '../workload/declaration.ts';
import { figureNamed } from './named-figures.ts';
import { type CellSummary, type Condition, type Summary, summarize } from './summary.ts';

/** A figure of both sides; differences are shares of the first, with intervals that are valid at all looks together. */
export type SideFigure = ReturnType<typeof sideFigure>;
/** A side compared with the first one, with the same requests. */
export type AbRow = ReturnType<typeof rowOf>;
export type AbTable = NonNullable<ReturnType<typeof summarizeAb>>;

/** The comparison of the sides of a run; null if there is nothing to compare. */
export function summarizeAb({ record, conditions }: Summary) {
  const condition = conditions.find(({ load }) => load.kind === 'closed');
  if (condition === undefined) return null;
  const sides = record.targets.filter((each) => each.variantOf !== null && !isControlCopy(each));
  const sets = sides.flatMap((side) => setIn(condition, side) ?? []);
  const rows = sets.map((set) => rowOf(record, conditions, set, SPENT / sets.length));
  return rows.length === 0 ? null : { condition, rows };
}

/** The share of the longest time that is over at each look, if launches take equally long; 1 if no other would fit. */
function fractionsOf({ plan: { until, launches }, wallNs }: RunRecord): number[] {
  if (until === null) return [1];
  return launches.map((_, look) => {
    return Math.min(1, ((look + 2) / launches.length) * (wallNs / until.maxTimeNs));
  });
}

/** Whether another launch could bring a verdict that is missing, and would end in time. */
export function wantsAnotherForAb(record: RunRecord, elapsedNs: number): boolean {
  const { until, failOn, launches } = record.plan;
  const table = summarizeAb(summarize(record));
  if (until === null || table === null) return false;
  const isOpen = (row: AbRow) => !row.isOver && !isDecided(row, failOn);
  return table.rows.some(isOpen) && elapsedNs * (1 + 1 / launches.length) <= until.maxTimeNs;
}

/** Whether a row has its verdict, and of a slower side it is known whether it reaches the limit, if there is one. */
function isDecided({ verdict, cpu: { difference } }: AbRow, failOn: number | null): boolean {
  if (verdict !== 'slower' || failOn === null) return verdict !== "can't tell";
  return difference.kind === 'interval' && (difference.low >= failOn || difference.high < failOn);
}

/** Whether some side is slower by at least the limit of `--fail-on`: by the lower end of its interval. */
export function isTooSlow(summary: Summary): boolean {
  const { failOn } = summary.record.plan;
  if (failOn === null) return false;
  const rows = summarizeAb(summary)?.rows ?? [];
  return rows.some(({ verdict, cpu: { difference } }) => {
    return verdict === 'slower' && difference.kind === 'interval' && difference.low >= failOn;
  });
}

/** The first side, its copy, and another side, with the same requests. */
type CellSet = Record<'first' | 'again' | 'side', CellSummary>;

function setIn({ cells }: Condition, { name, variantOf }: Target): CellSet | null {
  const side = cells.find(({ target }) => target.name === name);
  const first = cells.find(({ target }) => target.name === variantOf);
  const again = cells.find(({ target }) => isControlCopy(target) && target.variantOf === variantOf);
  return first && again && side ? { first, again, side } : null;
}

function rowOf(record: RunRecord, conditions: readonly Condition[], cells: CellSet, alpha: number) {
  const { equivalence, launches } = record.plan;
  /** Of the intervals at this look, which miss with a chance of `alpha` at all looks together. */
  const level = levelAtLook(fractionsOf(record), alpha);
  /** The figure of the verdict. */
  const cpu = sideFigure(record, 'cpu', cells, level);
  const beside = conditions.flatMap((condition) => {
    const own = setIn(condition, cells.side.target);
    if (own === null) return [];
    return BESIDE[condition.load.kind].map((name) => sideFigure(record, name, own, level));
  });
  const flags = Object.values(cells).flatMap((cell) => cell.flags);
  const found = Math.abs(pointOf(cpu.difference) ?? 0);
  const share = Math.max(found, equivalence - found);
  const enough = valuesFor(Math.log1p(share), cpu.apart, alpha);
  const launchNs = record.wallNs / launches.length;
  return {
    first: cells.first.target,
    side: cells.side.target,
    cpu,
    beside,
    verdict: isSpoiled(flags, 'cpu') ? "can't tell" : judge(cpu.difference, cpu.again, equivalence),
    /** Reasons for a missing verdict. */
    flags: spoiling(flags, 'cpu'),
    /** Whether more launches are of no use. */
    isOver: isInvalid(flags, 'cpu') || cpu.apart.length === 0,
    /** A run that would bring a verdict, by a width of ± this share: so many launches, so long; null if unknown. */
    lacking: enough === null ? null : { share, launches: enough, ns: enough * launchNs },
    /** The smallest difference that so many launches can detect, as a share; infinite for too few. */
    smallest: Math.expm1(smallestSeen(level, cpu.apart)),
  };
}

/** Beside CPU time: the throughput and memory of busy servers, and the latency of servers that are not. */
const BESIDE: Record<Load['kind'], readonly JudgedName[]> = {
  closed: ['throughput', 'peak memory'],
  open: ['p50', 'p99'],
};

function sideFigure(record: RunRecord, name: JudgedName, cells: CellSet, level: number) {
  const figure = figureNamed(record, { figure: name });
  const base = samples(cells.first.slices, figure);
  const copy = samples(cells.again.slices, figure);
  const own = samples(cells.side.slices, figure);
  const both = inEachLaunch({ own: base, other: copy }, (a, b) => Math.sqrt(a * b));
  /** The logarithms of the ratios, launch by launch: of small differences, about the share. */
  const apart = logRatios({ own, other: both });
  return {
    name,
    load: cells.side.load,
    /** The geometric mean of both copies. */
    first: estimate(both),
    side: estimate(own),
    difference: changeAt(level, apart),
    /** How much more it is in the second copy than in the first. */
    again: changeAt(level, logRatios({ own: copy, other: base })),
    apart,
  };
}
