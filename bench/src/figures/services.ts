import { median } from 'simple-statistics';
import { type Estimate, estimate } from '../math/statistics.ts';
import type { RunRecord, Slice } from '../record/record.ts';
import { SERVICE_NAMES, type ServiceName } from '../services/index.ts';
import { CPU, type Figure, responsesOf, samples, sum } from './figures.ts';

/** Whose CPU time a request takes: the server's, a service's, or that of both together. */
export type Role = 'server' | ServiceName | 'total';

/** The roles of a run, in the order in which they are shown; the server alone where it has no services. */
export function rolesOf({ plan }: RunRecord): Role[] {
  const names = SERVICE_NAMES.filter((name) => plan.services.some((each) => each.name === name));
  return names.length === 0 ? ['server'] : ['server', ...names, 'total'];
}

/** The services that were up in any of these. */
export function servicesIn(slices: readonly { services: object }[]): ServiceName[] {
  return SERVICE_NAMES.filter((name) => slices.some(({ services }) => name in services));
}

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
  const measured = slices.map(({ measurement }) => measurement);
  const cpuOf = (role: Role) => estimate(samples(slices, cpuOfRole(record, role)));
  const each = servicesIn(measured).map((name) => {
    const bytes = median(measured.map(({ services }) => services[name]?.bytes ?? 0));
    return { name, cpuPerRequest: cpuOf(name), bytes };
  });
  if (each.length === 0) return null;
  const server = median(measured.map(({ memory }) => memory.server));
  const total = { cpuPerRequest: cpuOf('total'), bytes: server + sum(each, ({ bytes }) => bytes) };
  return { each, total };
}

/**
 * CPU time of a role for each response, ns; of a service without what it would have used idle in those windows. Not
 * finite without responses.
 */
export function cpuOfRole(record: RunRecord, role: Role): Figure {
  if (role === 'server') return CPU;
  const ofService = (name: ServiceName, slices: readonly Slice[]) => {
    const ownNs = sum(slices, ({ launch, measurement: { services, windowNs } }) => {
      const usedNs = services[name]?.cpuNs ?? Number.NaN;
      return usedNs - idleNsPerS(record, name, launch) * (windowNs / 1e9);
    });
    return ownNs / sum(slices, responsesOf);
  };
  const inAll = (slices: readonly Slice[]) => {
    const names = servicesIn(slices.map(({ measurement }) => measurement));
    return CPU.inLaunch(slices) + sum(names, (name) => ofService(name, slices));
  };
  return { ...CPU, inLaunch: role === 'total' ? inAll : (slices) => ofService(role, slices) };
}

/** What an idle service used in a second of a launch, ns; 0 where nobody could look. */
function idleNsPerS(record: RunRecord, name: ServiceName, launch: number): number {
  const looked = record.services.filter((each) => each.name === name && each.launch === launch);
  return looked.length === 0 ? 0 : median(looked.map((each) => each.idleNsPerS));
}

/** CPU time of all services of a slice, ns. */
export function servicesCpuNs({ services }: Slice['measurement']): number {
  return sum(Object.values(services), ({ cpuNs }) => cpuNs);
}
