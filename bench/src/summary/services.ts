import { median } from 'simple-statistics';
import type { PlannedService } from '../plan/services.ts';
import type { RunRecord } from '../record/record.ts';

/** A service, over its launches. */
export interface ServiceState extends Pick<PlannedService, 'name' | 'cores'> {
  versions: string[];
  /** CPU time in a second without load, ns, in the median launch; null where nobody could look. */
  idleNsPerS: number | null;
}

/** The services of a run. */
export function summarizeServices({ plan, services }: RunRecord): ServiceState[] {
  return plan.services.map(({ name, cores }): ServiceState => {
    const runs = services.filter((run) => run.name === name);
    const versions = [...new Set(runs.map(({ version }) => version))];
    const idle = runs.map(({ idleNsPerS }) => idleNsPerS);
    return { name, cores, versions, idleNsPerS: idle.length === 0 ? null : median(idle) };
  });
}
