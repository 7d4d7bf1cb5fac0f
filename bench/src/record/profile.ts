import { z } from 'zod';

export const codeOwnerSchema = z.discriminatedUnion('kind', [
  /** A package from npm or elsewhere, by its `package.json`. */
  z.object({ kind: z.literal('package'), name: z.string(), version: z.string() }),
  /** The target's own code. */
  z.object({ kind: z.literal('own') }),
  /** Node's own JavaScript. */
  z.object({ kind: z.literal('node') }),
  /** A function in C++ that JavaScript called. */
  z.object({ kind: z.literal('native') }),
  z.object({ kind: z.literal('collector') }),
  /** V8's `(program)`: native code outside of any function. */
  z.object({ kind: z.literal('program') }),
  /** V8's `(idle)`: between two turns of the event loop, where it waits and where it reads. */
  z.object({ kind: z.literal('idle') }),
  /** JavaScript without a file, made while the server ran. */
  z.object({ kind: z.literal('generated') }),
  /** None of these. */
  z.object({ kind: z.literal('unknown') }),
]);
/** Whom a sample is charged to. */
export type CodeOwner = z.infer<typeof codeOwnerSchema>;

const chargedSchema = z.object({
  owner: codeOwnerSchema,
  name: z.string(),
  /** From its package's folder on; null where there is none. */
  file: z.string().nullable(),
  /** From 1; null where there is none. */
  line: z.int().nullable(),
  /** In the function itself, without what it called, ns of the clock. */
  ns: z.number().min(0),
});
/** A function, and the time that samples found it running. */
export type Charged = z.infer<typeof chargedSchema>;

export const profileSchema = z.object({
  cell: z.string(),
  launch: z.int().min(0),
  samples: z.int().min(0),
  functions: z.array(chargedSchema),
});
/** What V8's sampler saw inside the windows of a cell's slices in one launch. */
export type Profile = z.infer<typeof profileSchema>;

/** What the collector took inside the windows of a cell's slices in one launch, by its own clock. */
export const collectedSchema = z.object({
  cell: z.string(),
  launch: z.int().min(0),
  ns: z.number().min(0),
});
