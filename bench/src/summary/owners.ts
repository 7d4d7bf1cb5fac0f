import { median } from 'simple-statistics';
import { slicesOf, sum } from '../figures/figures.ts';
import type { RunRecord, Slice } from '../record/record.ts';
import { SERVICE_NAMES, type ServiceName } from '../services/index.ts';
import type { CellSummary, Condition } from './conditions.ts';

/** Whose processes use the machine while a cell is measured. */
export type CpuConsumer = 'server' | 'manager' | ServiceName | 'generator' | 'harness';

/** How many cores each owner keeps busy inside the windows, in the median slice of a cell. */
export interface CellOwners {
  summary: CellSummary;
  /** Without those that the run has none of. */
  cores: { owner: CpuConsumer; cores: number }[];
  /** The sum of these. */
  together: number;
}

/** Who used the CPU in a condition, cell by cell; without cells that were not measured. */
export function ownersOf(record: RunRecord, { cells }: Condition): CellOwners[] {
  return cells.flatMap((summary): CellOwners[] => {
    const slices = slicesOf(record, summary.cell);
    if (slices.length === 0) return [];
    const typical = (ns: (slice: Slice) => number) => {
      return median(slices.map((slice) => ns(slice) / slice.measurement.windowNs));
    };
    const services = SERVICE_NAMES.filter((name) => {
      return slices.some(({ measurement }) => name in measurement.services);
    });
    const isManaged = slices.some(({ measurement: { memory } }) => memory.manager > 0);
    const used = (name: 'server' | 'manager' | 'generator' | 'harness') => {
      return { owner: name, cores: typical(({ measurement }) => measurement.cpu[name].cpuNs) };
    };
    const cores = [
      used('server'),
      ...(isManaged ? [used('manager')] : []),
      ...services.map((name) => ({
        owner: name,
        cores: typical(({ measurement }) => measurement.services[name]?.cpuNs ?? 0),
      })),
      used('generator'),
      used('harness'),
    ];
    return [{ summary, cores, together: sum(cores, (each) => each.cores) }];
  });
}
