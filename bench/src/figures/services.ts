import { median } from 'simple-statistics';
import { type Estimate, estimate } from '../math/statistics.ts';
import type { RunRecord, Slice } from '../record/record.ts';
import { SERVICE_NAMES, type ServiceName } from '../services/index.ts';
import { cpuPerRequestOf, type Quantity, responsesOf, samples } from './figures.ts';

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
      cpuPerRequest: estimate(samples(slices, servicePerRequestOf(record, name))),
      bytes: bytesOf(name),
    })),
    total: {
      cpuPerRequest: estimate(samples(slices, totalPerRequestOf(record))),
      bytes: names.reduce((sum, name) => sum + bytesOf(name), server),
    },
  };
}

/**
 * CPU time of a service for each response, without what it would have used idle in that window; not
 * finite without responses.
 */
export function servicePerRequestOf(record: RunRecord, name: ServiceName): Quantity {
  return (slice) => {
    const { services, windowNs } = slice.measurement;
    const usedNs = services[name]?.cpuNs ?? Number.NaN;
    const idleNs = idleNsPerS(record, name, slice.launch) * (windowNs / 1e9);
    return (usedNs - idleNs) / responsesOf(slice);
  };
}

/** CPU time of a server and all its services for each response, ns, as of each by itself. */
export function totalPerRequestOf(record: RunRecord): Quantity {
  return (slice) => {
    const names = SERVICE_NAMES.filter((name) => name in slice.measurement.services);
    return names.reduce((sum, name) => {
      return sum + servicePerRequestOf(record, name)(slice);
    }, cpuPerRequestOf(slice));
  };
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
