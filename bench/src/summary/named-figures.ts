import { CPU, type Figure, latencyQuantile, MEMORY, PEAK, THROUGHPUT } from '../figures/figures.ts';
import { cpuOfRole, rolesOf } from '../figures/services.ts';
import type { Load } from '../plan/loads.ts';
import { cellOf } from '../plan/plan.ts';
import type { RunRecord } from '../record/record.ts';
import type { DeclaredComparison } from '../workload/declaration.ts';

/** The figure that a workload names, of cells under a load. CPU time is that of a role. */
export function figureNamed(
  record: RunRecord,
  { figure, role }: Pick<DeclaredComparison, 'figure' | 'role'>,
  load: Load,
): Figure {
  switch (figure) {
    case 'throughput':
      return THROUGHPUT;
    case 'cpu': {
      // Without services the server's CPU time is all there is.
      const known = rolesOf(record).find((each) => each === role);
      return known === undefined ? CPU : cpuOfRole(record, known);
    }
    case 'peak memory':
      return PEAK;
    case 'memory':
      return MEMORY;
    case 'memory at start':
      return startMemory(record);
    default:
      return latencyQuantile(figure, load);
  }
}

/** Memory of the server's processes before any load, bytes. */
function startMemory({ starts, plan }: RunRecord): Figure {
  return {
    ...MEMORY,
    inLaunch: ([slice]) => {
      if (slice === undefined) return Number.NaN;
      const { server } = cellOf(plan, slice.cell);
      const start = starts.find((each) => each.server === server && each.launch === slice.launch);
      return start?.bytes ?? Number.NaN;
    },
  };
}
