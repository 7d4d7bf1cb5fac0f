import { median } from 'simple-statistics';
import { type Estimate, estimate } from '../math/statistics.ts';
import type { RunRecord, Slice } from '../record/record.ts';
import { SERVICE_NAMES, type ServiceName } from '../services/index.ts';
import { CPU, type Figure, responsesOf, samples, sum } from './figures.ts';

/** What services took for a cell, beside what its own server did; ns of CPU, and bytes. */
export interface ServiceFigures {
  each: {
    name: ServiceName;
    /** For each response, without what it uses idle. */
    cpuPerRequest: Estimate;
    bytes: number;
  }[];
  /** Of the server and all of them. */
  total: { cpuPerRequest: Estimate; bytes: number };
}

/** The figures of the services in the slices of a cell; null where its server has none. */
export function serviceFiguresOf(record: RunRecord, slices: Slice[]): ServiceFigures | null {
  const names = SERVICE_NAMES.filter((name) => {
    return slices.some(({ measurement }) => name in measurement.services);
  });
  if (names.length === 0) return null;
  const bytesOf = (name: ServiceName) => {
    return median(slices.map(({ measurement }) => measurement.services[name]?.bytes ?? 0));
  };
  const server = median(slices.map(({ measurement }) => measurement.memory.server));
  return {
    each: names.map((name) => ({
      name,
      cpuPerRequest: estimate(samples(slices, serviceCpu(record, name))),
      bytes: bytesOf(name),
    })),
    total: {
      cpuPerRequest: estimate(samples(slices, totalCpu(record))),
      bytes: names.reduce((sum, name) => sum + bytesOf(name), server),
    },
  };
}

/**
 * CPU time of a service for each response, ns, without what it would have used idle in those windows; not
 * finite without responses.
 */
export function serviceCpu(record: RunRecord, name: ServiceName): Figure {
  const inLaunch = (slices: readonly Slice[]) => {
    const ownNs = sum(slices, ({ launch, measurement: { services, windowNs } }) => {
      const usedNs = services[name]?.cpuNs ?? Number.NaN;
      return usedNs - idleNsPerS(record, name, launch) * (windowNs / 1e9);
    });
    return ownNs / sum(slices, responsesOf);
  };
  return { id: `cpu of ${name}`, better: 'less', inLaunch };
}

/** CPU time of a server and all its services for each response, ns, as of each by itself. */
export function totalCpu(record: RunRecord): Figure {
  const inLaunch = (slices: readonly Slice[]) => {
    const names = SERVICE_NAMES.filter((name) => {
      return slices.some(({ measurement }) => name in measurement.services);
    });
    const ofServices = sum(names, (name) => serviceCpu(record, name).inLaunch(slices));
    return CPU.inLaunch(slices) + ofServices;
  };
  return { id: 'cpu in all', better: 'less', inLaunch };
}

/** What an idle service used in a second of a launch, ns; 0 where nobody could look. */
function idleNsPerS(record: RunRecord, name: ServiceName, launch: number): number {
  const looked = record.services.filter((each) => each.name === name && each.launch === launch);
  return looked.length === 0 ? 0 : median(looked.map((each) => each.idleNsPerS));
}

/** CPU time of all services of a slice, ns. */
export function servicesCpuNs({ services }: Slice['measurement']): number {
  return Object.values(services).reduce((sum, { cpuNs }) => sum + cpuNs, 0);
}
