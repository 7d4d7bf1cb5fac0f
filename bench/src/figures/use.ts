/** What a server uses together with its manager, for sizing: idle use is in it, and services are not. */
import type { Slice } from '../record/record.ts';
import { type Figure, hasProcesses, meanFigure, sum, THROUGHPUT } from './figures.ts';

/** CPU time over time: of one core. */
export const CORES: Figure = {
  aspect: 'cpu',
  better: 'less',
  inLaunch: (slices) => {
    if (!slices.every(hasProcesses)) return Number.NaN;
    const usedNs = sum(slices, ({ measurement: { cpu } }) => cpu.server.cpuNs + cpu.manager.cpuNs);
    return usedNs / sum(slices, ({ measurement }) => measurement.windowNs);
  },
};

/** Memory, bytes. */
export const MEMORY_USED = meanFigure('memory', 'less', (slice) => {
  const { server, manager } = slice.measurement.memory;
  return hasProcesses(slice) ? server + manager : Number.NaN;
});

/** Requests/s for each core that is used. */
export const PER_CORE = answersFor(CORES);

/** Requests/s for each byte of memory. */
export const PER_BYTE = answersFor(MEMORY_USED);

function answersFor({ aspect, inLaunch }: Figure): Figure {
  return {
    aspect,
    better: 'more',
    inLaunch: (slices) => THROUGHPUT.inLaunch(slices) / inLaunch(slices),
  };
}

/** Of the server alone; null where nobody knows them. */
export function processesOf(slices: readonly Slice[]): number | null {
  return Math.max(0, ...slices.map(({ measurement }) => measurement.workersCpuNs.length)) || null;
}
