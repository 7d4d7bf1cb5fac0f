/** What a server and its manager use together, for sizing: idle use counts, and services do not. */
import type { Measurement } from '../load/measurement.ts';
import { type Figure, hasProcesses, meanFigure, ratioOfSums, THROUGHPUT } from './figures.ts';

/** CPU time over time: of one core. */
export const CORES = ratioOfSums('cpu', 'less', usedNs, ({ windowNs }) => windowNs);

function usedNs({ workersCpuNs, cpu: { server, manager } }: Measurement): number {
  return workersCpuNs.length > 0 ? server.cpuNs + manager.cpuNs : Number.NaN;
}

/** Memory, bytes. */
export const MEMORY_USED = meanFigure('memory', 'less', (slice) => {
  const { server, manager } = slice.measurement.memory;
  return hasProcesses(slice) ? server + manager : Number.NaN;
});

/** Requests/s for each core that is used. */
export const PER_CORE = throughputFor(CORES);

/** Requests/s for each byte of memory. */
export const PER_BYTE = throughputFor(MEMORY_USED);

function throughputFor({ aspect, inLaunch }: Figure): Figure {
  return {
    aspect,
    better: 'more',
    inLaunch: (slices) => THROUGHPUT.inLaunch(slices) / inLaunch(slices),
  };
}
