import {
  CPU,
  type Figure,
  latencyQuantile,
  meanFigure,
  PEAK,
  THROUGHPUT,
} from '../figures/figures.ts';
import { cpuOfRole, rolesOf } from '../figures/roles.ts';
import type { Load } from '../plan/loads.ts';
import { cellOf } from '../plan/plan.ts';
import type { RunRecord } from '../record/record.ts';
import type { Aspect } from '../validity/flags.ts';
import type { DeclaredComparison } from '../workload/declaration.ts';

/** A figure, and which flags spoil it. */
export interface NamedFigure {
  figure: Figure;
  aspect: Aspect;
}

/** The figure that a workload names, of cells under a load. CPU time is that of a role. */
export function figureNamed(
  record: RunRecord,
  { figure, role }: Pick<DeclaredComparison, 'figure' | 'role'>,
  load: Load,
): NamedFigure {
  switch (figure) {
    case 'throughput':
      return { figure: THROUGHPUT, aspect: 'throughput' };
    case 'cpu': {
      // Without services the server's CPU time is all there is.
      const known = rolesOf(record).find((each) => each === role);
      return { figure: known === undefined ? CPU : cpuOfRole(record, known), aspect: 'cpu' };
    }
    case 'peak memory':
      return { figure: PEAK, aspect: 'memory' };
    case 'memory':
      return { figure: MEMORY, aspect: 'memory' };
    case 'memory at start':
      return { figure: startMemory(record), aspect: 'memory' };
    default:
      return { figure: latencyQuantile(figure, load), aspect: 'latency' };
  }
}

/** Memory of the server's processes after a slice, bytes. */
const MEMORY = meanFigure('memory', 'less', ({ measurement: { memory, workersCpuNs } }) => {
  return workersCpuNs.length === 0 ? Number.NaN : memory.server;
});

/** Memory of the server's processes before any load, bytes. */
function startMemory({ starts, plan }: RunRecord): Figure {
  return {
    id: 'memory at start',
    better: 'less',
    inLaunch: ([slice]) => {
      if (slice === undefined) return Number.NaN;
      const { server } = cellOf(plan, slice.cell);
      const start = starts.find((each) => each.server === server && each.launch === slice.launch);
      return start?.bytes ?? Number.NaN;
    },
  };
}
