import { type Figure, figureOf, latencyQuantile, slicesOf } from '../figures/figures.ts';
import { ENOUGH_FOR_P99 } from '../figures/latency.ts';
import { CORES, MEMORY_USED, PER_BYTE, PER_CORE, processesOf } from '../figures/use.ts';
import { type Estimate, pointOf } from '../math/statistics.ts';
import type { OpenLoad } from '../plan/loads.ts';
import type { Topology } from '../plan/topology.ts';
import type { RunRecord } from '../record/record.ts';
import type { Target } from '../targets/targets.ts';
import { isInvalid, isSpoiled } from '../validity/flags.ts';
import { compareFamily } from './compare-family.ts';
import type { CellSummary } from './conditions.ts';
import type { RatePoint, RateSummary } from './rates.ts';

/** Which server to take: what each needs at a rate, or, of several rates, at the highest that it carries. */
export interface Choice {
  /** What p99 is asked to be within; null where a server only has to keep up. */
  p99Ns: number | null;
  loads: OpenLoad[];
  /** Those that keep up before those that don't, the cheapest first. */
  rows: ChoiceRow[];
  /** Of those that carry their rate the one with the fewest cores, or the most requests/s for one, and its equals; … */
  byCores: ChoiceRow[];
  /** … of these, at one rate, or of all that do, the same by memory. */
  byMemory: ChoiceRow[];
}

/** A server at a rate. */
export interface ChoiceRow {
  target: Target;
  topology: Topology;
  load: OpenLoad;
  summary: CellSummary;
  /** Null where nothing was measured. */
  verdict: ChoiceVerdict | null;
  processes: number | null;
  cores: Estimate;
  bytes: Estimate;
  p99: Estimate;
  /** p99 is only known to be above what it says. */
  isBound: boolean;
  perCore: Estimate;
  perByte: Estimate;
}

export type ChoiceVerdict = 'meets it' | 'does not' | "can't tell" | "can't keep up";

/** What a run at rates says of which server to take. */
export function summarizeChoice(record: RunRecord, { loads, curves }: RateSummary): Choice {
  const { p99Ns } = record.plan;
  const isCurve = loads.length > 1;
  const rows = curves
    .flatMap(({ target, topology, points }) => {
      const own = points.map((point) => ({ target, topology, ...atRate(record, point) }));
      return (isCurve ? highestCarried(own) : null) ?? own[0] ?? [];
    })
    .toSorted((a, b) => groupOf(a) - groupOf(b) || costOf(a, isCurve) - costOf(b, isCurve));
  const carrying = rows.filter((row) => carries(row) && !isSpoiled(row.summary.flags, 'cpu'));
  const byCores = bestBy(record, carrying, isCurve ? PER_CORE : CORES);
  const byMemory = isCurve
    ? bestBy(record, carrying, PER_BYTE)
    : bestBy(record, byCores, MEMORY_USED);
  return { p99Ns, loads, rows, byCores, byMemory };
}

/** Whether a server answers at the rate of its row as it is asked to. */
export function carries({ verdict }: Pick<ChoiceRow, 'verdict'>): boolean {
  return verdict === 'meets it';
}

function atRate(record: RunRecord, { load, summary }: RatePoint) {
  const { cell } = summary;
  const slices = slicesOf(record, cell);
  const [p99Figure, of] = [latencyQuantile('p99', load), (f: Figure) => figureOf(record, cell, f)];
  const known = { p99: of(p99Figure), isBound: p99Figure.isBound?.(slices) ?? false };
  return {
    ...{ load, summary, ...known, processes: processesOf(slices) },
    ...{ cores: of(CORES), bytes: of(MEMORY_USED), perCore: of(PER_CORE), perByte: of(PER_BYTE) },
    verdict: verdictOf(summary, known, record.plan.p99Ns),
  };
}

function verdictOf(
  { outcome, flags }: CellSummary,
  { p99, isBound }: Pick<ChoiceRow, 'p99' | 'isBound'>,
  p99Ns: number | null,
): ChoiceVerdict | null {
  if (outcome.state !== 'measured') return null;
  const codes = flags.map(({ code }) => code);
  if (codes.includes('BACKLOG') || codes.includes('DROPPED')) return "can't keep up";
  if (p99Ns === null) return isInvalid(flags, 'latency') ? "can't tell" : 'meets it';
  const isTold = !isSpoiled(flags, 'latency') && outcome.figures.ok >= ENOUGH_FOR_P99;
  if (!isTold || p99.kind !== 'interval') return "can't tell";
  if (p99.high <= p99Ns && !isBound) return 'meets it';
  // A generator that was late only ever adds to latency.
  return p99.low > p99Ns && !codes.includes('LATE') ? 'does not' : "can't tell";
}

/** The highest rate that a server carries, with none below at which it fails; from the lowest rate on. */
function highestCarried(points: ChoiceRow[]): ChoiceRow | null {
  const fails = points.findIndex(({ verdict }) => {
    return verdict === 'does not' || verdict === "can't keep up";
  });
  return points.slice(0, fails === -1 ? points.length : fails).findLast(carries) ?? null;
}

/** Servers that can't keep up come last: they have done less for what they used. */
function groupOf({ verdict }: ChoiceRow): number {
  if (verdict === null) return 2;
  return verdict === "can't keep up" ? 1 : 0;
}

function costOf(row: ChoiceRow, isCurve: boolean): number {
  if (isCurve) return carries(row) ? -(pointOf(row.perCore) ?? 0) : 1;
  return pointOf(row.cores) ?? Number.MAX_VALUE;
}

/** The best of these rows in a figure, and after it those that can't be told from it. */
function bestBy(record: RunRecord, rows: ChoiceRow[], figure: Figure): ChoiceRow[] {
  const sign = figure.better === 'less' ? 1 : -1;
  const [best, ...others] = rows
    .flatMap((row) => {
      const value = pointOf(figureOf(record, row.summary.cell, figure));
      return value === null ? [] : [{ row, value }];
    })
    .toSorted((a, b) => sign * (a.value - b.value))
    .map(({ row }) => row);
  if (best === undefined) return [];
  const pairs = others.map(({ summary }) => ({ summary, base: best.summary }));
  const compared = compareFamily(record, pairs, figure);
  const isWorse = (place: number) => compared[place]?.comparison?.verdict === 'slower';
  return [best, ...others.filter((_, place) => !isWorse(place))];
}
