import { headlineOf } from '../figures/figures.ts';
import type { Slice } from '../record/record.ts';
import type { Condition } from './conditions.ts';

/** Every slice of each target of a condition, in the order in which they ran, with the headline of the load. */
export function momentsOf({ load, cells }: Condition) {
  const { inLaunch } = headlineOf(load);
  return cells.flatMap(({ target, slices }) => {
    const moments = inOrder(slices)
      .map((slice) => ({
        launch: slice.launch,
        /** Since the start of the run, ns. */
        atNs: slice.startedNs,
        value: inLaunch([slice]),
      }))
      .filter(({ value }) => Number.isFinite(value));
    return moments.length === 0 ? [] : [{ target, moments }];
  });
}

/** What processes used in one second of the run. */
export type ResourceSample = ReturnType<typeof secondsOf>[number]['seconds'][number];

/** What each server of a condition and its manager used in each second of load; empty if that was not recorded. */
export function secondsOf({ cells }: Condition) {
  return cells.flatMap(({ target, slices }) => {
    const seconds = inOrder(slices).flatMap((slice) => {
      let atNs = slice.startedNs;
      return slice.measurement.series.map(({ ns, cpuNs, bytes }) => {
        atNs += ns;
        return {
          launch: slice.launch,
          /** The end of the second, since the start of the run, ns. */
          atNs,
          /** CPU time over time. */
          cores: (cpuNs.server + cpuNs.manager) / ns,
          bytes: bytes.server + bytes.manager,
        };
      });
    });
    return seconds.length === 0 ? [] : [{ target, seconds }];
  });
}

function inOrder(slices: readonly Slice[]): Slice[] {
  return slices.toSorted((a, b) => a.startedNs - b.startedNs);
}
