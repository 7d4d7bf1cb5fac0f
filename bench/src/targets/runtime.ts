import { z } from 'zod';

/** What can run a target that starts with `node`. */
export const RUNTIME_KINDS = ['node', 'bun', 'deno'] as const;
export type RuntimeKind = (typeof RUNTIME_KINDS)[number];

export const runtimeSchema = z.object({
  kind: z.enum(RUNTIME_KINDS),
  /** As it reports itself. */
  version: z.string().min(1),
});
export type Runtime = z.infer<typeof runtimeSchema>;

export interface LocalRuntime extends Runtime {
  /** Its program, absolute. */
  program: string;
}

/** A runtime as it was asked for: an exact version, the newest of a major or minor one, or the newest of all. */
export interface AskedRuntime {
  kind: RuntimeKind;
  version: string | null;
}

const NAMES: Record<RuntimeKind, string> = { node: 'Node', bun: 'Bun', deno: 'Deno' };

/** `Bun 1.4.5`; without a version `Bun`. */
export function runtimeName({ kind, version }: AskedRuntime): string {
  return version === null ? NAMES[kind] : `${NAMES[kind]} ${version}`;
}

/** Whether both are the same runtime of the same version; null is the Node that runs the harness. */
export function isSameRuntime(one: Runtime | null, other: Runtime | null): boolean {
  return one?.kind === other?.kind && one?.version === other?.version;
}
