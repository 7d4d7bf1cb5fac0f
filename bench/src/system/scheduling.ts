import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { ifThere } from './gone.ts';
import { STAT_FIELD, statFields, wholeNumber } from './stat-fields.ts';

export const schedulingSchema = z.object({
  /** Switches away from threads that had to wait for something. */
  voluntary: z.number(),
  /** Switches away from threads that could have gone on. */
  involuntary: z.number(),
  /** Page faults, with and without the disk. */
  faults: z.number(),
});
/** What the kernel's scheduler and memory did to processes since they started; switches are of living threads. */
export type Scheduling = z.infer<typeof schedulingSchema>;

/**
 * Reads it of these processes together, synchronously; null where the system does not tell.
 * @throws when one is gone.
 */
export function readScheduling(pids: readonly number[]): Scheduling | null {
  if (process.platform !== 'linux') return null;
  const sum: Scheduling = { voluntary: 0, involuntary: 0, faults: 0 };
  for (const pid of pids) {
    sum.faults += parseFaults(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const path = `/proc/${pid}/task/${thread}/status`;
      // A thread may end between the listing and the read.
      const status = ifThere(() => readFileSync(path, 'utf8'), null);
      if (status === null) continue;
      sum.voluntary += parseSwitches('voluntary', status);
      sum.involuntary += parseSwitches('nonvoluntary', status);
    }
  }
  return sum;
}

/** The switches of this kind in a `status`. @throws for what is none. */
export function parseSwitches(kind: 'voluntary' | 'nonvoluntary', status: string): number {
  const line = new RegExp(`^${kind}_ctxt_switches:\\s+(\\d+)$`, 'm').exec(status)?.[1];
  return wholeNumber(line, `${kind} switches`);
}

/** The page faults in a `stat`. @throws for what is none. */
export function parseFaults(stat: string): number {
  const fields = statFields(stat);
  return (['minorFaults', 'majorFaults'] as const).reduce((sum, name) => {
    return sum + wholeNumber(fields[STAT_FIELD[name]], 'page faults of a process');
  }, 0);
}
