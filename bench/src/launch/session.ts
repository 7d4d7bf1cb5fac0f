import { readMemory } from '../system/usage.ts';
import type { Named } from '../targets/named.ts';
import { startGuarded } from './context.ts';
import { type LearntTarget, learnTarget } from './learn.ts';
import { type ReadyServers, startVerified, type Wanted } from './ready.ts';

/** Starts servers for as long as it lives; disposing of it ends and removes all that they left. */
export interface LaunchSession extends AsyncDisposable {
  /** Processes that it needs itself, whose CPU time is the harness's. */
  readonly pids: readonly number[];
  /** @throws as `startVerified`. */
  start(wanted: Wanted): Promise<ReadyServers>;
  /** @throws as `learnTarget`. */
  learn(server: Named, status: number | null): Promise<LearntTarget>;
  /** What these processes have in memory, bytes. @throws when one of them is gone. */
  readMemory(pids: readonly number[]): Promise<number>;
}

/** A session in which real processes start; aborting the signal interrupts what is starting. */
export function startLaunchSession(signal: AbortSignal): LaunchSession {
  const { guardian, launching, ...guarded } = startGuarded(signal);
  return {
    pids: [guardian.pid],
    start: (wanted) => startVerified(wanted, launching),
    learn: (server, status) => learnTarget(server, status, launching),
    readMemory,
    [Symbol.asyncDispose]: () => guarded[Symbol.asyncDispose](),
  };
}
