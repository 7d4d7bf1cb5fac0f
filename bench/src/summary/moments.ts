import { headlineOf, slicesOf } from '../figures/figures.ts';
import type { RunRecord, Slice } from '../record/record.ts';
import type { Target } from '../targets/targets.ts';
import type { Condition } from './conditions.ts';

/** A figure at its time in the run. */
export interface TimePoint {
  /** From 0. */
  launch: number;
  /** Since the run began, ns. */
  atNs: number;
  value: number;
}

/** Every slice of each target of a condition, in the order in which they ran: the figure that the load is there for. */
export function momentsOf(
  record: RunRecord,
  { load, cells }: Condition,
): { target: Target; moments: TimePoint[] }[] {
  const { inLaunch } = headlineOf(load);
  return cells.flatMap(({ target, cell }) => {
    const moments = inOrder(slicesOf(record, cell))
      .map((slice) => {
        return { launch: slice.launch, atNs: slice.startedNs, value: inLaunch([slice]) };
      })
      .filter(({ value }) => Number.isFinite(value));
    return moments.length === 0 ? [] : [{ target, moments }];
  });
}

/** What processes used in a second of the run. */
export interface ResourceSample {
  launch: number;
  /** Its end, since the run began, ns. */
  atNs: number;
  /** Of one core. */
  cores: number;
  bytes: number;
}

/** What each server of a condition used, second by second of its load, with its manager; nothing where nobody looked. */
export function secondsOf(
  record: RunRecord,
  { cells }: Condition,
): { target: Target; seconds: ResourceSample[] }[] {
  return cells.flatMap(({ target, cell }) => {
    const seconds = inOrder(slicesOf(record, cell)).flatMap((slice) => {
      let atNs = slice.startedNs;
      return slice.measurement.series.map(({ ns, cpuNs, bytes }): ResourceSample => {
        atNs += ns;
        const cores = (cpuNs.server + cpuNs.manager) / ns;
        return { launch: slice.launch, atNs, cores, bytes: bytes.server + bytes.manager };
      });
    });
    return seconds.length === 0 ? [] : [{ target, seconds }];
  });
}

function inOrder(slices: readonly Slice[]): Slice[] {
  return slices.toSorted((a, b) => a.startedNs - b.startedNs);
}
