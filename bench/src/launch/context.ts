import { type Guardian, startGuardian } from './guardian.ts';
import type { LaunchContext } from './server.ts';

/** How long a server may take to accept connections. */
const START_TIMEOUT_MS = 15_000;

/** A guardian with the context that launchers need; disposing of it ends and removes all that is left. */
export function startGuarded(
  signal: AbortSignal,
): { guardian: Guardian; launching: LaunchContext } & AsyncDisposable {
  const guardian = startGuardian();
  return {
    guardian,
    launching: {
      folder: guardian.folder,
      startTimeoutMs: START_TIMEOUT_MS,
      guard: guardian.guard,
      release: guardian.release,
      guardLimit: guardian.guardLimit,
      releaseLimit: guardian.releaseLimit,
      group: null,
      signal,
    },
    [Symbol.asyncDispose]: () => guardian[Symbol.asyncDispose](),
  };
}
