import { portsOf } from '../system/sockets.ts';
import { readMemory } from '../system/usage.ts';
import type { NamedServer } from '../targets/named.ts';
import { startGuardian } from './guardian.ts';
import { otherRuns, removeAbandoned } from './other-runs.ts';
import { probeTarget } from './probe.ts';
import { startVerified, type Wanted } from './ready.ts';
import { contextOf, HOST } from './server.ts';

/** Starts servers; disposing of it ends and removes everything that they have left. */
export type LaunchSession = ReturnType<typeof startLaunchSession>;

/**
 * A session that starts real processes, whose servers listen on this address. Aborting the signal interrupts what is
 * starting.
 */
export function startLaunchSession(signal: AbortSignal, address = HOST) {
  const guardian = startGuardian();
  removeAbandoned(guardian.folder);
  const context = contextOf(guardian, signal, address);
  return {
    /** Its own processes, whose CPU time is the harness's. */
    pids: [guardian.pid],
    /** @throws as `startVerified`. */
    start: (wanted: Wanted) => startVerified(wanted, context),
    /** @throws as `probeTarget`. */
    probe: (server: NamedServer, status: number | null) => probeTarget(server, status, context),
    /** What these processes have in memory, bytes. @throws when one of them is gone. */
    readMemory,
    /** The ports of these processes that other machines may reach, where the system tells. */
    exposedPorts: (pids: readonly number[]) => {
      // Where load comes from other hosts, ports have to be exposed.
      return address === HOST ? portsOf(pids, { areExposed: true }) : [];
    },
    /** The processes of other runs under way on this machine, where the system tells. */
    otherRuns: () => otherRuns(guardian.folder),
    [Symbol.asyncDispose]: () => guardian[Symbol.asyncDispose](),
  };
}
