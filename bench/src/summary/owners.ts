import { median } from 'simple-statistics';
import { slicesOf, sum } from '../figures/figures.ts';
import { servicesIn } from '../figures/services.ts';
import type { RunRecord } from '../record/record.ts';
import type { ServiceName } from '../services/index.ts';
import type { CpuReading } from '../system/usage.ts';
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
    const measured = slicesOf(record, summary.cell).map(({ measurement }) => measurement);
    if (measured.length === 0) return [];
    const isManaged = measured.some(({ memory }) => memory.manager > 0);
    const owners: CpuConsumer[] = [
      'server',
      ...(isManaged ? (['manager'] as const) : []),
      ...servicesIn(measured),
      ...(['generator', 'harness'] as const),
    ];
    const cores = owners.map((owner) => {
      const shares = measured.map(({ cpu, services, windowNs }) => {
        const used: Partial<Record<CpuConsumer, CpuReading>> = { ...cpu, ...services };
        return (used[owner]?.cpuNs ?? 0) / windowNs;
      });
      return { owner, cores: median(shares) };
    });
    return [{ summary, cores, together: sum(cores, (each) => each.cores) }];
  });
}
