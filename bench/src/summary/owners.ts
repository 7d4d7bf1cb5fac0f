import { median } from 'simple-statistics';
import { sum } from '../figures/figures.ts';
import { servicesIn } from '../figures/services.ts';
import type { ServiceName } from '../services/index.ts';
import type { CpuReading } from '../system/usage.ts';
import type { Condition } from './conditions.ts';

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
