import {
  CPU,
  launchesOf,
  meanFigure,
  rulesOf,
  samples,
  sidesOf,
  slicesOf,
  sum,
} from '../../figures/figures.ts';
import { difference, type Estimate, estimate, pointOf, type Range } from '../../math/statistics.ts';
import { compare, UNKNOWN } from '../../math/verdicts.ts';
import { type Cell, isStandard } from '../../plan/plan.ts';
import type { HandlerTime, RunRecord, Slice } from '../../record/record.ts';
import { COSTS, SIZED, SIZED_NAME, TWIN_NAMES } from './targets.ts';

/** Whether what is known was found; if not, whether another value was found, or none. */
export type Finding = 'found' | 'missed' | "can't tell";

/** A known additional cost and the measured one, ns; `sides` are what it was measured from. */
export type CostFinding = ReturnType<typeof findCost>;
export type TruthFindings = ReturnType<typeof findTruth>;

/** How far off a measured cost may be: this, or the share of the known cost, whichever is more. */
const COST_TOLERANCE_NS = 300;
const COST_TOLERANCE_SHARE = 0.1;
/** How well clocks inside and CPU time outside agree at best: the work also changes how requests meet the server. */
const AGREEMENT_NS = 100;
const TWINS_TOLERANCE = 0.01;
const CONFIDENCE = 0.95;

/**
 * A cost is found if its interval reaches the known range, as closely as the two can agree, and its value is within the
 * tolerance; twins, if they are `same` and within theirs; the size, if it is exact. Too wide an interval can't tell.
 */
export function findTruth(record: RunRecord) {
  const costs = COSTS.flatMap(({ known, over, clock }) => {
    const planned = known.filter(({ name }) => cellOfTarget(record, name) !== undefined);
    return planned.map((each) => {
      // Over all bases: one of two twins alone would add more of its own noise.
      const bases = over(each).flatMap((name) => slicesOfTarget(record, name));
      const slices = slicesOfTarget(record, each.name);
      const range = clock === 'own' ? knownOwn(slices, bases) : knownMore(slices, bases);
      return findCost(each.label, range, slices, bases, planned.length);
    });
  });
  const twins = findTwins(record);
  const size = findSize(record);
  const found = [...costs, twins, size].every(({ finding }) => finding === 'found');
  return { costs, twins, size, found: found && costs.length > 0 };
}

function findCost(label: string, known: Range, slices: Slice[], bases: Slice[], of: number) {
  const sides = sidesOf(slices, bases, CPU);
  /** The intervals of all costs of a set hold together. */
  const measured = difference(sides, 1 - (1 - CONFIDENCE) / of);
  const value = pointOf(measured) ?? Number.NaN;
  /** How far the measured value is outside of the known range; 0 inside. */
  const missNs = Math.max(0, known.low - value, value - known.high);
  const tolerance = Math.max(COST_TOLERANCE_NS, COST_TOLERANCE_SHARE * known.low);
  const range = rangeOf(measured);
  const reaches = range.low <= known.high + AGREEMENT_NS && range.high >= known.low - AGREEMENT_NS;
  const isKnown = Number.isFinite(missNs);
  const finding = findingOf(reaches && missNs <= tolerance, isKnown && !reaches);
  const isOpen = finding === "can't tell";
  const takes = isOpen ? launchesFor(range, tolerance, launchesOf(sides.own).size) : null;
  return { label, known, sides, measured, missNs, finding, takes };
}

function findingOf(isFound: boolean, isMissed: boolean): Finding {
  if (isFound) return 'found';
  return isMissed ? 'missed' : "can't tell";
}

/**
 * From the clock in the handler: at least the median of its times, in which interruptions do not count; at most their
 * mean, in which all count, plus the additional garbage collection over that of the base. Both with their errors.
 */
function knownOwn(slices: readonly Slice[], bases: readonly Slice[]): Range {
  const collecting = (from: readonly Slice[]) => pointOf(reportedBy(from, 'gcNs')) ?? 0;
  const more = collecting(slices) - collecting(bases);
  return {
    low: rangeOf(reportedBy(slices, 'medianNs')).low,
    high: rangeOf(reportedBy(slices, 'meanNs')).high + Math.max(0, more),
  };
}

/** By the clocks of both servers: the CPU time of the work alone, without that of the clocks. */
function knownMore(slices: readonly Slice[], bases: readonly Slice[]): Range {
  return rangeOf(difference(sidesOf(slices, bases, reportedFigure('meanNs'))));
}

function reportedFigure(name: keyof HandlerTime) {
  return meanFigure('cpu', 'less', ({ handler }) => handler?.[name] ?? Number.NaN);
}

/** What servers reported of themselves in these slices, ns. */
export function reportedBy(slices: readonly Slice[], name: keyof HandlerTime): Estimate {
  return estimate(samples(slices, reportedFigure(name)));
}

function findTwins(record: RunRecord) {
  const [a = [], b = []] = TWIN_NAMES.map((name) => slicesOfTarget(record, name));
  const sides = sidesOf(b, a, CPU);
  const comparison = compare([{ sides }], rulesOf(record, 'less'))[0]?.comparison ?? UNKNOWN;
  const { verdict, ratio } = comparison;
  const off = Math.abs((pointOf(ratio) ?? Number.NaN) - 1);
  const isFound = verdict === 'same' && off <= TWINS_TOLERANCE;
  const finding = findingOf(isFound, verdict !== "can't tell");
  const launches = launchesOf(sides.own).size;
  const isOpen = finding === "can't tell";
  const takes = isOpen ? launchesFor(rangeOf(ratio), TWINS_TOLERANCE, launches) : null;
  return { ...comparison, finding, takes };
}

/** Bytes of an answer. */
function findSize(record: RunRecord) {
  const windows = slicesOfTarget(record, SIZED_NAME).map(({ measurement }) => measurement.window);
  const known = SIZED.head + SIZED.body;
  const isMeasured = windows.length > 0;
  const bytes = sum(windows, (window) => window.bytes) / sum(windows, ({ ok }) => ok);
  const finding = findingOf(bytes === known, isMeasured);
  return { known, measured: isMeasured ? bytes : null, finding };
}

/** About how many launches narrow an interval to ± this, by the square root of their number; null without an interval. */
function launchesFor({ low, high }: Range, wantedHalf: number, launches: number) {
  const takes = Math.ceil(launches * ((high - low) / 2 / wantedHalf) ** 2);
  return Number.isFinite(takes) && takes > launches ? takes : null;
}

/** The slices of a target or probe in the standard arrangement; a truth run has one topology and one load. */
export function slicesOfTarget(record: RunRecord, name: string): Slice[] {
  const cell = cellOfTarget(record, name);
  return cell ? slicesOf(record, cell) : [];
}

function cellOfTarget({ plan }: RunRecord, name: string): Cell | undefined {
  return [...plan.cells, ...plan.probes].find((cell) => cell.target === name && isStandard(cell));
}

/** The interval of an estimate; a point is its own, and NaN, which reaches nothing, stands for none. */
function rangeOf(from: Estimate): Range {
  if (from.kind === 'interval') return { low: from.low, high: from.high };
  const value = pointOf(from) ?? Number.NaN;
  return { low: value, high: value };
}
