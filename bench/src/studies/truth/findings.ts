import { cpuPerRequestOf, paired, samples, slicesOf, sum } from '../../figures/figures.ts';
import { type Estimate, estimate, pointOf } from '../../math/statistics.ts';
import { type Comparison, compare } from '../../math/verdicts.ts';
import type { Cell } from '../../plan/plan.ts';
import type { RunRecord, Slice } from '../../record/record.ts';
import { EXTRA_US, SIZED, SIZED_NAME, spinNames, TWINS } from './targets.ts';

/** A known extra cost beside the measured one, ns. */
export interface CostFinding {
  label: string;
  /**
   * From the clock in the handler: between the middle one of its times, in which no interruption
   * counts, and their mean, in which all do, both with their error.
   */
  known: { low: number; high: number };
  /** With an interval that holds for all costs at once. */
  measured: Estimate;
  /** How far the measured value is outside of what is known; 0 inside. */
  missNs: number;
  found: boolean;
}

/** What the truth run found, for each thing that is known. */
export interface TruthFindings {
  costs: CostFinding[];
  twins: Comparison & { found: boolean };
  /** Bytes of an answer. */
  size: { known: number; measured: number | null; found: boolean };
  found: boolean;
}

/** How far a measured cost may be off: this, or the share of what is known, whichever is more. */
const COST_TOLERANCE_NS = 300;
const COST_TOLERANCE_SHARE = 0.1;
/**
 * How well a clock within and CPU time from outside agree at best: the work also changes, a little,
 * how requests meet the server.
 */
const AGREEMENT_NS = 100;
/** How far the twins' ratio may be off. */
const TWINS_TOLERANCE = 0.01;
const CONFIDENCE = 0.95;

/**
 * What a truth run has found of what is known. A cost is found when its interval reaches what is
 * known of it, as well as the two can agree, and its value is within the tolerance; the twins when they are `same`, and within
 * theirs; a size when it is met exactly.
 */
export function findTruth(record: RunRecord): TruthFindings {
  const costs = EXTRA_US.map((us) => findCost(record, us));
  const twins = findTwins(record);
  const size = findSize(record);
  const found = [...costs, twins, size].every((each) => each.found);
  return { costs, twins, size, found };
}

function findCost(record: RunRecord, us: number): CostFinding {
  const { plain, timed } = spinNames(us);
  const timers = slicesOfTarget(record, timed);
  const low = estimate(samples(timers, ({ handler }) => handler?.medianNs ?? Number.NaN));
  const high = estimate(samples(timers, ({ handler }) => handler?.meanNs ?? Number.NaN));
  const known = { low: endsOf(low).low, high: endsOf(high).high };
  const slices = slicesOfTarget(record, plain);
  // Over both twins: one of them alone would bring more of its own noise.
  const over = TWINS.flatMap((twin) => {
    return paired(
      slices,
      slicesOfTarget(record, twin),
      cpuPerRequestOf,
      (spin, base) => spin - base,
    );
  });
  const measured = estimate(over, 1 - (1 - CONFIDENCE) / EXTRA_US.length);
  const value = pointOf(measured) ?? Number.NaN;
  const missNs = Math.max(0, known.low - value, value - known.high);
  const ends = endsOf(measured);
  const overlaps = ends.low <= known.high + AGREEMENT_NS && ends.high >= known.low - AGREEMENT_NS;
  const tolerance = Math.max(COST_TOLERANCE_NS, COST_TOLERANCE_SHARE * known.low);
  return { label: `${us} µs`, known, measured, missNs, found: overlaps && missNs <= tolerance };
}

function findTwins(record: RunRecord): TruthFindings['twins'] {
  const [a, b] = TWINS.map((name) => slicesOfTarget(record, name));
  const ratios = paired(b ?? [], a ?? [], cpuPerRequestOf, (one, other) => one / other);
  const pair = { ratios, mayBeBetter: { first: false, second: false } };
  const rules = { better: 'less', equivalence: record.plan.equivalence } as const;
  const [comparison = { ratio: { kind: 'none' }, verdict: "can't tell" } as const] = compare(
    [pair],
    rules,
  );
  const off = Math.abs(Math.log(pointOf(comparison.ratio) ?? Number.NaN));
  const found = comparison.verdict === 'same' && off <= Math.log1p(TWINS_TOLERANCE);
  return { ...comparison, found };
}

function findSize(record: RunRecord): TruthFindings['size'] {
  const windows = slicesOfTarget(record, SIZED_NAME).map(({ measurement }) => measurement.window);
  const known = SIZED.head + SIZED.body;
  if (windows.length === 0) return { known, measured: null, found: false };
  const measured = sum(windows, ({ bytes }) => bytes) / sum(windows, ({ ok }) => ok);
  return { known, measured, found: measured === known };
}

/** The slices of a target, compared or probe; a truth run has one topology and one load. */
function slicesOfTarget(record: RunRecord, name: string): Slice[] {
  const { cells, probes } = record.plan;
  const isIt = ({ target }: Cell) => target === name;
  const cell = cells.find(isIt) ?? probes.find(isIt);
  return cell ? slicesOf(record, cell) : [];
}

/** The ends of an interval; of a point, itself; of nothing, such that nothing overlaps it. */
function endsOf(from: Estimate): { low: number; high: number } {
  if (from.kind === 'interval') return { low: from.low, high: from.high };
  const value = pointOf(from) ?? Number.NaN;
  return { low: value, high: value };
}
