import { z } from 'zod';
import { SERVICE_NAMES } from '../services/index.ts';
import type { Machine } from '../system/machine.ts';
import { servicesOf, type Target } from '../targets/targets.ts';
import { coresFor } from './topology.ts';

export const plannedServiceSchema = z.object({
  name: z.enum(SERVICE_NAMES),
  targets: z.array(z.string()),
  /** The cores that it shares with the servers; null if it shares all with the generator too. */
  cores: z.array(z.int()).nullable(),
});
/** A service that is started in each launch of a group that has servers of these targets. */
export type PlannedService = z.infer<typeof plannedServiceSchema>;

/** The services of these targets, on the cores that a single process of theirs has. */
export function planServices(targets: readonly Target[], machine: Machine): PlannedService[] {
  const { cores } = coresFor(1, machine);
  return SERVICE_NAMES.flatMap((name) => {
    const own = targets.filter((target) => servicesOf(target).includes(name));
    return own.length === 0 ? [] : [{ name, targets: own.map((target) => target.name), cores }];
  });
}
