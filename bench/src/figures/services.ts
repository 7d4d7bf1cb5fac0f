import { median } from 'simple-statistics';
import { estimate } from '../math/statistics.ts';
import type { RunRecord, Slice } from '../record/record.ts';
import { SERVICE_NAMES, type ServiceName } from '../services/index.ts';
import { CPU, type Figure, responsesOf, samples, sum } from './figures.ts';

/** Whose CPU time of a request: the server's, a service's, or that of all together. */
export type Role = 'server' | ServiceName | 'total';

/** The roles of a run, in the order of display; only the server if it has no services. */
export function rolesOf({ plan }: RunRecord): Role[] {
  const names = SERVICE_NAMES.filter((name) => plan.services.some((each) => each.name === name));
  return names.length === 0 ? ['server'] : ['server', ...names, 'total'];
}

export function servicesIn(slices: readonly { services: object }[]): ServiceName[] {
  return SERVICE_NAMES.filter((name) => slices.some(({ services }) => name in services));
}

/** CPU time of services for each response without idle use, ns, and their memory, bytes. */
export type ServiceFigures = NonNullable<ReturnType<typeof serviceFiguresOf>>;

/** The figures of the services in the slices of a cell; null if its server has none. */
export function serviceFiguresOf(record: RunRecord, slices: Slice[]) {
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

/** CPU time of a role for each response, ns, without the idle use of services; not finite without responses. */
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

/** What an idle service used per second of a launch, ns; 0 if it was not measured. */
function idleNsPerS(record: RunRecord, name: ServiceName, launch: number): number {
  const runs = record.services.filter((each) => each.name === name && each.launch === launch);
  return runs.length === 0 ? 0 : median(runs.map((each) => each.idleNsPerS));
}

export function servicesCpuNs({ services }: Slice['measurement']): number {
  return sum(Object.values(services), ({ cpuNs }) => cpuNs);
}
