import {
  type Figure,
  hasProcesses,
  latencyQuantile,
  meanFigure,
  ratioOfSums,
  THROUGHPUT,
} from '../figures/figures.ts';
import { isEnoughForP99 } from '../figures/latency.ts';
import type { Measurement } from '../load/measurement.ts';
import { type Estimate, pointOf } from '../math/statistics.ts';
import { isInvalid, isSpoiled } from '../validity/flags.ts';
import { compareFamily } from './compare-family.ts';
import type { RatePoint, RateSummary } from './rates.ts';
import { type CellSummary, estimateOf } from './summary.ts';

export type Choice = ReturnType<typeof summarizeChoice>;
export type ChoiceRow = ReturnType<typeof atRate>;

/** Which server to take: what each needs at a rate, or, of several rates, at the highest that it sustains. */
export function summarizeChoice({ record, loads, curves }: RateSummary) {
  /** The limit of p99; null if servers only have to keep up. */
  const { p99Ns } = record.plan;
  const isCurve = loads.length > 1;
  /** Servers that keep up come first, the cheapest of them first of all. */
  const rows = curves
    .flatMap(({ points }) => {
      const own = points.map(atRate);
      return (isCurve ? highestCarried(own) : null) ?? own[0] ?? [];
    })
    .toSorted((a, b) => groupOf(a) - groupOf(b) || costOf(a, isCurve) - costOf(b, isCurve));
  const carrying = rows.filter((row) => carries(row) && !isSpoiled(row.flags, 'cpu'));
  /** Of those that sustain their rate, the one with the fewest cores, or the most requests/s per core, and its equals. */
  const byCores = bestBy(carrying, isCurve ? PER_CORE : CORES);
  /** The same by memory: at one rate of the former, at several of all that sustain theirs. */
  const byMemory = isCurve ? bestBy(carrying, PER_BYTE) : bestBy(byCores, MEMORY_USED);
  return { p99Ns, loads, rows, byCores, byMemory };
}

/** Whether a server sustains the rate of its row as asked. */
export function carries({ verdict }: Pick<ChoiceRow, 'verdict'>): boolean {
  return verdict === 'meets it';
}

function atRate(point: RatePoint) {
  const { record, slices } = point;
  const p99Figure = latencyQuantile('p99', record);
  const p99 = estimateOf(point, p99Figure);
  /** Only a lower bound of p99 is known. */
  const isBound = p99Figure.isBound?.(slices) ?? false;
  const high = Number.POSITIVE_INFINITY;
  const known: Estimate = isBound && p99.kind === 'interval' ? { ...p99, high } : p99;
  const counts = slices.map(({ measurement }) => measurement.workersCpuNs.length);
  return {
    ...point,
    p99,
    isBound,
    /** Null if nothing was measured. */
    verdict: verdictOf(point, known, record.plan.p99Ns),
    /** Of the server alone; null if unknown. */
    processes: Math.max(0, ...counts) || null,
    cores: estimateOf(point, CORES),
    bytes: estimateOf(point, MEMORY_USED),
    perCore: estimateOf(point, PER_CORE),
    perByte: estimateOf(point, PER_BYTE),
  };
}

function verdictOf({ figures, flags }: CellSummary, p99: Estimate, p99Ns: number | null) {
  if (figures === null) return null;
  const codes = flags.map(({ code }) => code);
  if (codes.includes('BACKLOG') || codes.includes('DROPPED')) return "can't keep up";
  if (p99Ns === null) return isInvalid(flags, 'latency') ? "can't tell" : 'meets it';
  const isKnown = !isSpoiled(flags, 'latency') && isEnoughForP99(figures.ok);
  if (!isKnown || p99.kind !== 'interval') return "can't tell";
  if (p99.high <= p99Ns) return 'meets it';
  // A late generator only ever adds to latency.
  return p99.low > p99Ns && !codes.includes('LATE') ? 'does not' : "can't tell";
}

/** The highest rate that a server sustains, without a lower one at which it fails. */
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

/** The best of these rows in a figure, and those that are not shown to be worse. */
function bestBy(rows: ChoiceRow[], figure: Figure): ChoiceRow[] {
  const sign = figure.better === 'less' ? 1 : -1;
  const known = rows.flatMap((row) => {
    const value = pointOf(estimateOf(row, figure));
    return value === null ? [] : [{ row, value }];
  });
  const sorted = known.toSorted((a, b) => sign * (a.value - b.value));
  const [best, ...others] = sorted.map(({ row }) => row);
  if (best === undefined) return [];
  const pairs = others.map((row) => ({ ...row, row, base: best }));
  const equals = compareFamily(pairs, figure).flatMap(({ row, comparison }) => {
    return comparison?.verdict === 'slower' ? [] : [row];
  });
  return [best, ...equals];
}

/** What a server and its manager use together, for sizing: idle use counts, and services do not. */

/** CPU time over time: of one core. */
const CORES = ratioOfSums('cpu', 'less', usedNs, ({ windowNs }) => windowNs);

function usedNs({ workersCpuNs, cpu: { server, manager } }: Measurement): number {
  return workersCpuNs.length > 0 ? server.cpuNs + manager.cpuNs : Number.NaN;
}

/** Memory, bytes. */
const MEMORY_USED = meanFigure('memory', 'less', (slice) => {
  const { server, manager } = slice.measurement.memory;
  return hasProcesses(slice) ? server + manager : Number.NaN;
});

/** Requests/s for each core, and for each byte of memory, that is used. */
const PER_CORE = throughputFor(CORES);
const PER_BYTE = throughputFor(MEMORY_USED);

function throughputFor({ aspect, inLaunch }: Figure): Figure {
  return {
    aspect,
    better: 'more',
    inLaunch: (slices) => THROUGHPUT.inLaunch(slices) / inLaunch(slices),
  };
}
