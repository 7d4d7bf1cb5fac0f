import { z } from 'zod';
import { SERVICE_NAMES } from '../services/index.ts';

const name = z.enum(SERVICE_NAMES);

/** An instance of a service. */
export const serviceRunSchema = z.object({
  name,
  /** From 0; one instance for each group of the launch. */
  launch: z.int().min(0),
  version: z.string(),
  /** With the servers up and before any load: CPU time, ns, in a second. */
  idleNsPerS: z.number(),
});

export const serviceFailureSchema = z.object({
  name,
  launch: z.int().min(0),
  when: z.enum(['start', 'warm-up', 'slice']),
  message: z.string(),
  /** The last lines it wrote. */
  logTail: z.array(z.string()),
  /** Those that need it: they are out of this launch, and of no other. */
  servers: z.array(z.string()),
});
/** A service that did not start, or died. */
export type ServiceFailure = z.infer<typeof serviceFailureSchema>;
