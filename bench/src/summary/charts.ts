/** What only the charts of a condition show. */
import { median } from 'simple-statistics';
import { headlineOf, sum } from '../figures/figures.ts';
import { servicesIn } from '../figures/services.ts';
import type { Slice } from '../record/record.ts';
import type { ServiceName } from '../services/index.ts';
import type { CpuReading } from '../system/usage.ts';
import type { Condition } from './summary.ts';

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

/** Whose processes use the machine while a cell is measured. */
export type CpuConsumer = 'server' | 'manager' | ServiceName | 'generator' | 'harness';

/**
 * How many cores each consumer keeps busy inside the windows, in the median slice of each cell, and their sum; without
 * cells that were not measured, and consumers that the run does not have.
 */
export function ownersOf({ cells }: Condition) {
  return cells.flatMap((summary) => {
    const measured = summary.slices.map(({ measurement }) => measurement);
    if (measured.length === 0) return [];
    const isManaged = measured.some(({ memory }) => memory.manager > 0);
    const managers = isManaged ? (['manager'] as const) : [];
    const services = servicesIn(measured);
    const all: CpuConsumer[] = ['server', ...managers, ...services, 'generator', 'harness'];
    const cores = all.map((owner) => {
      const shares = measured.map(({ cpu, services: own, windowNs }) => {
        const used: Partial<Record<CpuConsumer, CpuReading>> = { ...cpu, ...own };
        return (used[owner]?.cpuNs ?? 0) / windowNs;
      });
      return { owner, cores: median(shares) };
    });
    return [{ summary, cores, together: sum(cores, (each) => each.cores) }];
  });
}
