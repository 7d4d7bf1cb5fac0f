import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { wholeNumber } from './stat-fields.ts';

export const throttlingSchema = z.object({
  /** Periods of the quota that were begun, in each of which it was given anew. */
  periods: z.int().min(0),
  /** Those of them in which it was used up and more was wanted. */
  throttledPeriods: z.int().min(0),
  /** How long threads were held back for it, ns; what waits for several cores counts on each of them. */
  throttledNs: z.number().min(0),
});
/** How often and how long a control group was held back by its CPU quota. */
export type Throttling = z.infer<typeof throttlingSchema>;

/** What a control group's quota has done since the group was made, read synchronously. */
export function readThrottling(folder: string): Throttling {
  return parseThrottling(readFileSync(join(folder, 'cpu.stat'), 'utf8'));
}

/** A `cpu.stat`: its time is in ns in version 1, and in µs in version 2. @throws for what is none. */
export function parseThrottling(cpuStat: string): Throttling {
  const counted = (name: string) => {
    return wholeNumber(new RegExp(`^${name} (.*)$`, 'm').exec(cpuStat)?.[1] ?? '0', name);
  };
  return {
    periods: counted('nr_periods'),
    throttledPeriods: counted('nr_throttled'),
    throttledNs: counted('throttled_time') + counted('throttled_usec') * 1000,
  };
}
