/** What the harness sends to its guardian, one line of JSON per message. */
import { z } from 'zod';

/** A process group, by its leader, or a control group, by its folder. */
const guardedSchema = z.union([
  // A signal to -1 would reach every process, and to -0 the guardian's own group.
  z.int().min(2),
  z.string(),
]);
export type GuardedGroup = z.infer<typeof guardedSchema>;

export const messageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['guard', 'release']), what: guardedSchema }),
  /** The harness ends normally: all that it started has ended or was reported. */
  z.object({ kind: z.literal('done') }),
]);
export type GuardianMessage = z.infer<typeof messageSchema>;
