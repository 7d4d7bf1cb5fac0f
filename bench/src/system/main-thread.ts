import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { STAT_FIELD, statFields, wholeNumber } from './stat-fields.ts';
import { cpuReadingSchema, parseSchedstat, TICK_NS } from './usage.ts';

export const mainThreadSchema = cpuReadingSchema.extend({
  /** Of `cpuNs` what the kernel used for it, ns, in ticks of 10 ms. */
  kernelNs: z.number(),
});
/** What the first thread of a process, which runs its JavaScript, has used since it started. */
export type MainThread = z.infer<typeof mainThreadSchema>;

/**
 * Reads it, synchronously; null where the system does not tell.
 * @throws when the process is gone.
 */
export function readMainThread(pid: number): MainThread | null {
  if (process.platform !== 'linux') return null;
  const used = parseSchedstat(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8'));
  const kernelNs = parseKernel(readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8'));
  return { ...used, kernelNs };
}

/** The time in the kernel of a `stat` file, ns. @throws for what is none. */
export function parseKernel(stat: string): number {
  return wholeNumber(statFields(stat)[STAT_FIELD.system], 'system time of a thread') * TICK_NS;
}
