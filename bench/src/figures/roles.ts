import type { RunRecord } from '../record/record.ts';
import { SERVICE_NAMES, type ServiceName } from '../services/index.ts';
import { CPU, type Figure } from './figures.ts';
import { serviceCpu, totalCpu } from './services.ts';

/** Whose CPU time a request takes: the server's, a service's, or that of both together. */
export type Role = 'server' | ServiceName | 'total';

/** The roles of a run, in the order in which they are shown; the server alone where it has no services. */
export function rolesOf({ plan }: RunRecord): Role[] {
  const names = SERVICE_NAMES.filter((name) => plan.services.some((each) => each.name === name));
  return names.length === 0 ? ['server'] : ['server', ...names, 'total'];
}

/** CPU time of a role for each response, ns, of a service without what it uses idle; not finite without responses. */
export function cpuOfRole(record: RunRecord, role: Role): Figure {
  switch (role) {
    case 'server':
      return CPU;
    case 'total':
      return totalCpu(record);
    default:
      return serviceCpu(record, role);
  }
}
