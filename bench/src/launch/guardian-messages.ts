/** What the harness tells its guardian: a line of JSON for each message. */
import { z } from 'zod';

/** What the guardian looks after: a process group, by its leader, or a control group, by its folder. */
const guardedSchema = z.union([
  // -1 would be every process, and -0 the guardian's own group.
  z.int().min(2),
  z.string(),
]);
export type Guarded = z.infer<typeof guardedSchema>;

export const messageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['guard', 'release']), what: guardedSchema }),
  /** The harness ends as it should: all that it started is gone, or the guardian knows of it. */
  z.object({ kind: z.literal('done') }),
]);
export type GuardianMessage = z.infer<typeof messageSchema>;
