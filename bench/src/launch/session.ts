import { exposedPortsOf } from '../system/sockets.ts';
import { readMemory } from '../system/usage.ts';
import type { Named } from '../targets/named.ts';
import { startGuardian } from './guardian.ts';
import { otherRuns, removeAbandoned } from './other-runs.ts';
import { type ProbeResult, probeTarget } from './probe.ts';
import { type ReadyServers, startVerified, type Wanted } from './ready.ts';
import { contextOf, HOST } from './server.ts';

/** Starts servers for as long as it lives; disposing of it ends and removes all that they left. */
export interface LaunchSession extends AsyncDisposable {
  /** Processes that it needs itself, whose CPU time is the harness's. */
  readonly pids: readonly number[];
  /** @throws as `startVerified`. */
  start(wanted: Wanted): Promise<ReadyServers>;
  /** @throws as `probeTarget`. */
  probe(server: Named, status: number | null): Promise<ProbeResult>;
  /** What these processes have in memory, bytes. @throws when one of them is gone. */
  readMemory(pids: readonly number[]): Promise<number>;
  /** The ports of these processes that other machines may reach, as far as they can be seen. */
  exposedPorts(pids: readonly number[]): number[];
  /** The processes of other runs of this machine that go on now, as far as they can be seen. */
  otherRuns(): number[];
}

/**
 * A session in which real processes start, and servers listen on this address; aborting the signal interrupts what is
 * starting.
 */
export function startLaunchSession(signal: AbortSignal, address = HOST): LaunchSession {
  const guardian = startGuardian();
  removeAbandoned(guardian.folder);
  const context = contextOf(guardian, signal, address);
  return {
    pids: [guardian.pid],
    start: (wanted) => startVerified(wanted, context),
    probe: (server, status) => probeTarget(server, status, context),
    readMemory,
    // Where load comes from other hosts it has to be so.
    exposedPorts: (pids) => (address === HOST ? exposedPortsOf(pids) : []),
    otherRuns: () => otherRuns(guardian.folder),
    [Symbol.asyncDispose]: () => guardian[Symbol.asyncDispose](),
  };
}
