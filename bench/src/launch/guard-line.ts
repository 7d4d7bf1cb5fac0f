/** What the harness tells its guardian, line by line. */
import { z } from 'zod';

/** A control group. */
const limitShape = { version: z.union([z.literal(1), z.literal(2)]), folder: z.string() };

/** The leader of a process group; -1 would be every process, and -0 the guardian's own group. */
const leader = z.int().min(2);

const lineSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('guard'), leader }),
  z.object({ kind: z.literal('release'), leader }),
  z.object({ kind: z.literal('guard limit'), ...limitShape }),
  z.object({ kind: z.literal('release limit'), ...limitShape }),
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
