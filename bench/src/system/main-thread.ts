import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { STAT_FIELD, statFields } from './stat-fields.ts';
import { cpuBetween, cpuReadingSchema, TICK_NS } from './usage.ts';

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
  const [cpu, wait] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  const kernelNs = parseKernel(readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8'));
  return { cpuNs: Number(cpu), waitNs: Number(wait), kernelNs };
}

/** The time in the kernel of a `stat` file, ns. */
export function parseKernel(stat: string): number {
  return Number(statFields(stat)[STAT_FIELD.system]) * TICK_NS;
}

/** Later reading minus earlier; null where one is missing. */
export function mainThreadBetween(
  from: MainThread | null,
  to: MainThread | null,
): MainThread | null {
  if (from === null || to === null) return null;
  return { ...cpuBetween(from, to), kernelNs: to.kernelNs - from.kernelNs };
}

/** What was used in two windows together. */
export function addMainThreads(a: MainThread | null, b: MainThread | null): MainThread | null {
  if (a === null || b === null) return null;
  return {
    cpuNs: a.cpuNs + b.cpuNs,
    waitNs: a.waitNs + b.waitNs,
    kernelNs: a.kernelNs + b.kernelNs,
  };
}
