import { median } from 'simple-statistics';
import type { ServiceFigures } from '../figures/services.ts';
import type { PlannedService } from '../plan/services.ts';
import type { RunRecord } from '../record/record.ts';
import type { CellSummary, Condition } from './conditions.ts';

/** What services took for the servers that need them. */
export interface ServiceSummary {
  services: ServiceState[];
  rows: ServiceRow[];
}

/** A service, over its launches. */
export interface ServiceState extends Pick<PlannedService, 'name' | 'cores'> {
  versions: string[];
  /** CPU time in a second without load, ns, in the median launch; null where nobody could look. */
  idleNsPerS: number | null;
}

/** A cell that was measured with its services. */
export interface ServiceRow extends Pick<Condition, 'topology' | 'load'> {
  summary: CellSummary;
  figures: ServiceFigures;
}

/** What the services of a run took; null where it has none. */
export function summarizeServices(
  { plan, services }: RunRecord,
  conditions: Condition[],
): ServiceSummary | null {
  if (plan.services.length === 0) return null;
  const rows = conditions.flatMap(({ topology, load, cells }) => {
    return cells.flatMap((summary): ServiceRow[] => {
      const { outcome } = summary;
      if (outcome.state !== 'measured' || outcome.services === null) return [];
      return [{ topology, load, summary, figures: outcome.services }];
    });
  });
  const states = plan.services.map(({ name, cores }): ServiceState => {
    const runs = services.filter((run) => run.name === name);
    const versions = [...new Set(runs.map(({ version }) => version))];
    const idle = runs.map(({ idleNsPerS }) => idleNsPerS);
    return { name, cores, versions, idleNsPerS: idle.length === 0 ? null : median(idle) };
  });
  return { services: states, rows };
}
