/** What only the charts of a condition show. */
import { median } from 'simple-statistics';
import { headlineOf, sum } from '../figures/figures.ts';
import { servicesIn } from '../figures/services.ts';
import type { Sample } from '../load/measurement.ts';
import type { Slice } from '../record/record.ts';
import type { ServiceName } from '../services/index.ts';
import type { CpuReading } from '../system/usage.ts';
import type { CellSummary, Condition } from './summary.ts';

/** The values of a target at instants of the run, ns since its start, in their order. */
export type Timeline = ReturnType<typeof timelinesOf>[number];

/** The headline of the load in every slice of each target of a condition. */
export function headlineOverTime({ load, cells }: Condition) {
  const { inLaunch } = headlineOf(load);
  return timelinesOf(cells, (slice) => [{ atNs: slice.startedNs, value: inLaunch([slice]) }]);
}

const RESOURCES = {
  bytes: ({ bytes }: Sample) => bytes.server + bytes.manager,
  /** CPU time over time. */
  cores: ({ cpuNs, ns }: Sample) => (cpuNs.server + cpuNs.manager) / ns,
};

/** What each server and its manager used of a resource by the end of each second of load; empty if not recorded. */
export function resourceOverTime({ cells }: Condition, resource: keyof typeof RESOURCES) {
  return timelinesOf(cells, ({ startedNs, measurement }) => {
    let atNs = startedNs;
    return measurement.series.map((second) => {
      atNs += second.ns;
      return { atNs, value: RESOURCES[resource](second) };
    });
  });
}

/** Without values that are not known, and targets that have none. */
function timelinesOf(
  cells: readonly CellSummary[],
  valuesIn: (slice: Slice) => { atNs: number; value: number }[],
) {
  return cells.flatMap(({ target, slices }) => {
    const moments = slices
      .toSorted((a, b) => a.startedNs - b.startedNs)
      .flatMap((slice) => valuesIn(slice).map((each) => ({ launch: slice.launch, ...each })))
      .filter(({ value }) => Number.isFinite(value));
    return moments.length === 0 ? [] : [{ target, moments }];
  });
}

/** Whose processes use the machine while a cell is measured. */
export type CpuConsumer = 'server' | 'manager' | ServiceName | 'generator' | 'harness';

/** How many cores each consumer keeps busy in the windows, in the median slice of each measured cell, and their sum. */
export function ownersOf({ cells }: Condition) {
  return cells.flatMap(({ target, slices }) => {
    const measured = slices.map(({ measurement }) => measurement);
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
    return [{ target, cores, together: sum(cores, (each) => each.cores) }];
  });
}
