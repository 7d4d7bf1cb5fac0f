import {
  CPU,
  type Figure,
  launchesOf,
  meanFigure,
  samples,
  sidesOf,
  slicesOf,
  sum,
} from '../../figures/figures.ts';
import { difference, type Estimate, estimate, pointOf } from '../../math/statistics.ts';
import { type Comparison, compare, NEITHER } from '../../math/verdicts.ts';
import { type Cell, isStandard } from '../../plan/plan.ts';
import type { HandlerTime, RunRecord, Slice } from '../../record/record.ts';
import { COSTS, type Known, SIZED, SIZED_NAME, TWIN_NAMES } from './targets.ts';

/** Whether what is known was found; where it was not, whether another value was, or none. */
export type Finding = 'found' | 'missed' | "can't tell";

/** A known extra cost beside the measured one, ns. */
export interface CostFinding {
  label: string;
  /**
   * From the clock in the handler: at least the middle one of its times, in which no interruption
   * counts; at most their mean, in which all do, with what the garbage collector took more than in what
   * it is held against. Both with their error.
   */
  known: { low: number; high: number };
  /** With an interval that holds for all costs of its set at once. */
  measured: Estimate;
  /** How far the measured value is outside of what is known; 0 inside. */
  missNs: number;
  finding: Finding;
  /** About how many launches would tell, where these can't. */
  takes: number | null;
}

/** What the truth run found, for each thing that is known. */
export interface TruthFindings {
  /** Of work that is paid at once, and of work that leaves garbage. */
  costs: CostFinding[];
  twins: Comparison & Pick<CostFinding, 'finding' | 'takes'>;
  /** Bytes of an answer. */
  size: { known: number; measured: number | null; finding: Finding };
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
 * known of it, as well as the two can agree, and its value is within the tolerance; the twins when
 * they are `same`, and within theirs; a size when it is met exactly. What an interval too wide for the
 * tolerance says nothing of, it can't tell.
 */
export function findTruth(record: RunRecord): TruthFindings {
  const costs = COSTS.flatMap(({ known, over, clock }) => {
    const planned = known.filter(({ name }) => cellOfTarget(record, name) !== undefined);
    return planned.map((each) => {
      const bases = over(each).map((name) => slicesOfTarget(record, name));
      return findCost(record, each, bases, clock, planned.length);
    });
  });
  const twins = findTwins(record);
  const size = findSize(record);
  const found = [...costs, twins, size].every(({ finding }) => finding === 'found');
  return { costs, twins, size, found: found && costs.length > 0 };
}

/** One of so many costs, over all of these servers: one of two twins alone would bring more of its own noise. */
function findCost(
  record: RunRecord,
  { name, label }: Known,
  bases: readonly Slice[][],
  clock: 'own' | 'more',
  of: number,
): CostFinding {
  const slices = slicesOfTarget(record, name);
  const known = clock === 'own' ? knownOf(slices, bases.flat()) : knownMore(slices, bases.flat());
  const sides = { own: samples(slices, CPU), other: samples(bases.flat(), CPU) };
  const measured = difference(sides, 1 - (1 - CONFIDENCE) / of);
  const value = pointOf(measured) ?? Number.NaN;
  const missNs = Math.max(0, known.low - value, value - known.high);
  const tolerance = Math.max(COST_TOLERANCE_NS, COST_TOLERANCE_SHARE * known.low);
  const ends = endsOf(measured);
  const reaches = ends.low <= known.high + AGREEMENT_NS && ends.high >= known.low - AGREEMENT_NS;
  const parts = { label, known, measured, missNs };
  if (reaches && missNs <= tolerance) return { ...parts, finding: 'found', takes: null };
  if (!Number.isFinite(missNs)) return { ...parts, finding: "can't tell", takes: null };
  if (!reaches) return { ...parts, finding: 'missed', takes: null };
  return { ...parts, finding: "can't tell", takes: launchesFor(ends, tolerance, sides.own) };
}

/** What the clock in the handler says, and the garbage collector's, in the middle one of the slices. */
function knownOf(slices: Slice[], bases: Slice[]): CostFinding['known'] {
  const median = toldBy(slices, ({ medianNs }) => medianNs);
  const mean = toldBy(slices, ({ meanNs }) => meanNs);
  const collecting = (from: Slice[]) => pointOf(toldBy(from, ({ gcNs }) => gcNs)) ?? 0;
  const more = collecting(slices) - collecting(bases);
  return { low: endsOf(median).low, high: endsOf(mean).high + Math.max(0, more) };
}

/** What the clocks of both say that the one took more: CPU time of the work alone, and what the clocks take of it off. */
function knownMore(slices: Slice[], bases: Slice[]): CostFinding['known'] {
  return endsOf(difference(sidesOf(slices, bases, TOLD_MEAN)));
}

const TOLD_MEAN = toldFigure(({ meanNs }) => meanNs);

function toldFigure(of: (handler: HandlerTime) => number | null): Figure {
  return meanFigure('cpu', 'less', ({ handler }) => (handler && of(handler)) ?? Number.NaN);
}

/** What servers said of themselves in these slices, ns. */
export function toldBy(
  slices: readonly Slice[],
  of: (handler: HandlerTime) => number | null,
): Estimate {
  return estimate(samples(slices, toldFigure(of)));
}

function findTwins(record: RunRecord): TruthFindings['twins'] {
  const [a = [], b = []] = TWIN_NAMES.map((name) => slicesOfTarget(record, name));
  const sides = sidesOf(b, a, CPU);
  const rules = { better: 'less', equivalence: record.plan.equivalence } as const;
  const [compared] = compare([{ sides, isLowerBound: NEITHER }], rules);
  const none = { kind: 'none' } as const;
  const comparison = compared ?? { ratio: none, difference: none, verdict: "can't tell" };
  const off = Math.abs((pointOf(comparison.ratio) ?? Number.NaN) - 1);
  const isClose = off <= TWINS_TOLERANCE;
  if (comparison.verdict === 'same' && isClose) {
    return { ...comparison, finding: 'found', takes: null };
  }
  if (comparison.verdict !== "can't tell") return { ...comparison, finding: 'missed', takes: null };
  const takes = launchesFor(endsOf(comparison.ratio), TWINS_TOLERANCE, sides.own);
  return { ...comparison, finding: "can't tell", takes };
}

function findSize(record: RunRecord): TruthFindings['size'] {
  const windows = slicesOfTarget(record, SIZED_NAME).map(({ measurement }) => measurement.window);
  const known = SIZED.head + SIZED.body;
  if (windows.length === 0) return { known, measured: null, finding: "can't tell" };
  const measured = sum(windows, ({ bytes }) => bytes) / sum(windows, ({ ok }) => ok);
  return { known, measured, finding: measured === known ? 'found' : 'missed' };
}

/** Half of an interval falls with the square root of the launches; null where there is none. */
function launchesFor(
  { low, high }: { low: number; high: number },
  wantedHalf: number,
  samples: readonly { launch: number }[],
): number | null {
  const launches = launchesOf(samples).size;
  const takes = Math.ceil(launches * ((high - low) / 2 / wantedHalf) ** 2);
  return Number.isFinite(takes) && takes > launches ? takes : null;
}

/** The slices of a target, compared or probe, with nothing done to it; a truth run has one topology and one load. */
export function slicesOfTarget(record: RunRecord, name: string): Slice[] {
  const cell = cellOfTarget(record, name);
  return cell ? slicesOf(record, cell) : [];
}

function cellOfTarget({ plan }: RunRecord, name: string): Cell | undefined {
  return [...plan.cells, ...plan.probes].find((cell) => cell.target === name && isStandard(cell));
}

/** The ends of an interval; of a point, itself; of nothing, such that nothing overlaps it. */
function endsOf(from: Estimate): { low: number; high: number } {
  if (from.kind === 'interval') return { low: from.low, high: from.high };
  const value = pointOf(from) ?? Number.NaN;
  return { low: value, high: value };
}
