import { z } from 'zod';

export const codeOwnerSchema = z.discriminatedUnion('kind', [
  /** A package from npm or elsewhere, by its `package.json`. */
  z.object({ kind: z.literal('package'), name: z.string(), version: z.string() }),
  /** The target's own code. */
  z.object({ kind: z.literal('own') }),
  /** Node's own JavaScript. */
  z.object({ kind: z.literal('node') }),
  /** A C++ function called by JavaScript. */
  z.object({ kind: z.literal('native') }),
  z.object({ kind: z.literal('collector') }),
  /** V8's `(program)`: native code outside of any function. */
  z.object({ kind: z.literal('program') }),
  /** V8's `(idle)`: between two turns of the event loop, where it waits and reads. */
  z.object({ kind: z.literal('idle') }),
  /** JavaScript without a file, generated while the server ran. */
  z.object({ kind: z.literal('generated') }),
  z.object({ kind: z.literal('unknown') }),
]);
/** Whose code a sample was in. */
export type CodeOwner = z.infer<typeof codeOwnerSchema>;

const functionSchema = z.object({
  owner: codeOwnerSchema,
  name: z.string(),
  /** Relative to the folder of its package; null if it has none. */
  file: z.string().nullable(),
  /** From 1; null if it has none. */
  line: z.int().nullable(),
  /** Self time, without what it called, ns of the clock. */
  ns: z.number().min(0),
});
/** A function, and the time that samples were in it. */
export type ProfiledFunction = z.infer<typeof functionSchema>;

/** Every function once, with the sum of its times. */
export function mergeFunctions(functions: readonly ProfiledFunction[]): ProfiledFunction[] {
  const merged = new Map<string, ProfiledFunction>();
  for (const each of functions) {
    const key = JSON.stringify([each.owner, each.name, each.file, each.line]);
    merged.set(key, { ...each, ns: (merged.get(key)?.ns ?? 0) + each.ns });
  }
  return [...merged.values()];
}

export const profileSchema = z.object({
  cell: z.string(),
  launch: z.int().min(0),
  samples: z.int().min(0),
  functions: z.array(functionSchema),
});
/** What V8 sampled inside the windows of a cell's slices in one launch. */
export type Profile = z.infer<typeof profileSchema>;

/** The time of garbage collections inside the windows of a cell's slices in one launch, by V8's own clock. */
export const collectedSchema = z.object({
  cell: z.string(),
  launch: z.int().min(0),
  ns: z.number().min(0),
});
