/** What the harness tells its guardian, line by line. */
import { z } from 'zod';

/** What the guardian looks after: a process group, by its leader, or a control group. */
const guardedSchema = z.union([
  // -1 would be every process, and -0 the guardian's own group.
  z.int().min(2),
  z.object({ version: z.union([z.literal(1), z.literal(2)]), folder: z.string() }),
]);
export type Guarded = z.infer<typeof guardedSchema>;

const lineSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['guard', 'release']), what: guardedSchema }),
  /** The harness ends as it should: all that it started is gone, or told of. */
  z.object({ kind: z.literal('done') }),
]);
export type Line = z.infer<typeof lineSchema>;

/** The line that this text is; null for what the end of the harness has cut off. */
export function parseLine(text: string): Line | null {
  try {
    return lineSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
