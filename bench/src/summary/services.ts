import { median } from 'simple-statistics';
import type { RunRecord } from '../record/record.ts';

/** A service, over all its launches. */
export type ServiceState = ReturnType<typeof summarizeServices>[number];

/** The services of a run. */
export function summarizeServices({ plan, services }: RunRecord) {
  return plan.services.map(({ name, cores }) => {
    const runs = services.filter((run) => run.name === name);
    const versions = [...new Set(runs.map(({ version }) => version))];
    const idle = runs.map(({ idleNsPerS }) => idleNsPerS);
    /** CPU time per second without load, ns, in the median launch; null if it could not be measured. */
    const idleNsPerS = idle.length === 0 ? null : median(idle);
    return { name, cores, versions, idleNsPerS };
  });
}
