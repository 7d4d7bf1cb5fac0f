import { type Estimate, estimate, ratio } from '../math/statistics.ts';
import { type Cell, loadOf } from '../plan/plan.ts';
import type { RunRecord } from '../record/record.ts';
import { FEWEST_UNTIL } from '../request/amounts.ts';
import {
  FEWEST_LAUNCHES,
  floorCellOf,
  headlineOf,
  launchesOf,
  samples,
  sidesOf,
  slicesOf,
} from './figures.ts';

/** How well something is known, and from how many launches. */
export type Known = Pick<NonNullable<ReturnType<typeof widthOf>>, 'share' | 'launches'>;

/**
 * How well the ratio of a cell to its reference is known, in the headline of the load: to the floor of its condition,
 * for a floor to that on the first runtime, or else to the first cell. A cell that is alone has the width of its own
 * figure. Null for the reference of others, and for a cell whose server failed in every launch.
 */
export function widthOf(record: RunRecord, cell: Cell) {
  const isOut = (each: Cell) => {
    const hasFailed = record.failures.some(({ server }) => server === each.server);
    return hasFailed && slicesOf(record, each).length === 0;
  };
  const cells = record.plan.cells.filter((each) => {
    return each.topology === cell.topology && each.load === cell.load && !isOut(each);
  });
  const own = floorCellOf(record, cell);
  const floor = own === cell ? cells.find((each) => floorCellOf(record, each) === each) : own;
  const reference = floor && cells.includes(floor) ? floor : cells[0];
  if (reference === undefined || !cells.includes(cell)) return null;
  if (cell === reference && cells.length > 1) return null;
  const figure = headlineOf(loadOf(record.plan, cell.load));
  const [slices, others] = [slicesOf(record, cell), slicesOf(record, reference)];
  const known =
    cell === reference ? estimate(samples(slices, figure)) : ratio(sidesOf(slices, others, figure));
  const theirs = launchesOf(others);
  const launches = [...launchesOf(slices)].filter((launch) => theirs.has(launch)).length;
  /** Half of the interval, as a share of the value; infinite without a useful interval. */
  const share = launches < FEWEST_LAUNCHES ? Number.POSITIVE_INFINITY : halfShare(known);
  return { cell, share, launches };
}

/** The cell that is known the least well; null if every server failed. */
export function widest(record: RunRecord) {
  // The difference of two infinite widths is no number.
  const [least = null] = widthsOf(record).toSorted((a, b) => b.share - a.share || 0);
  return least;
}

function widthsOf(record: RunRecord) {
  return record.plan.cells.map((cell) => widthOf(record, cell)).filter((width) => width !== null);
}

/** Whether a run, after so many ns, is to do another launch: `until` is not reached, and one of mean length fits. */
export function wantsAnother(record: RunRecord, elapsedNs: number): boolean {
  const { until, launches } = record.plan;
  if (until === null || until.share === null || isKnown(record, until.share)) return false;
  return elapsedNs + elapsedNs / launches.length <= until.maxTimeNs;
}

/** Whether every ratio of a run is known to ± this share, from enough launches to end there. */
export function isKnown(record: RunRecord, share: number): boolean {
  return areKnown(widthsOf(record), share);
}

/**
 * Whether all of these are known to ± this share, from enough launches to end there. Only widths and numbers of
 * launches decide: a run that went on until something is significant would find differences where there are none.
 */
export function areKnown(all: readonly Known[], share: number): boolean {
  return all.every((each) => each.launches >= FEWEST_UNTIL && each.share <= share);
}

/** Half of an interval, as a share of its value. */
export function halfShare(known: Estimate): number {
  if (known.kind !== 'interval' || known.value === 0) return Number.POSITIVE_INFINITY;
  return (known.high - known.low) / 2 / Math.abs(known.value);
}
