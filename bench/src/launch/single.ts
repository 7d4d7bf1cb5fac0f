import { portsOf } from '../system/sockets.ts';
import type { RuntimeKind } from '../targets/runtime.ts';
import { accepts } from './accepts.ts';
import { groupLauncher, type Up } from './group.ts';
import { duringStart, HOSTS, originOf, programOf, type ServerSpec } from './server.ts';

/** What a runtime is told before the script; Deno else allows it nothing, and writes a lock file of its own. */
const BEFORE_SCRIPT: Record<RuntimeKind, string[]> = {
  node: [],
  bun: [],
  deno: ['run', '--allow-all', '--no-lock', '--node-modules-dir=manual'],
};

/** The `start` command of a server, with the program that it means. */
export function startCommand({ target }: ServerSpec): [string, ...string[]] {
  const [program, ...rest] = target.start;
  const before = target.runtime && program === 'node' ? BEFORE_SCRIPT[target.runtime.kind] : [];
  return [programOf(target), ...before, ...rest];
}

/** A server that does not listen where it is told to has so long to do so, once it listens elsewhere. */
const ELSEWHERE_MS = 500;

/**
 * Starts each server as the process, or the processes, that its `start` command becomes. One that does
 * not heed PORT is found by what it listens on.
 */
export const launchSingle = groupLauncher({
  command: startCommand,
  channel: false,
  untilUp: async ({ port }, { members }, context): Promise<Up> => {
    let elsewhereSince: number | null = null;
    const found = await duringStart(context, async (): Promise<Up | null> => {
      const host = await hostOf(port);
      const pids = members();
      if (pids.length === 0) {
        return { state: 'down', message: 'it ended while starting', died: false };
      }
      const up = (at: string, on: number): Up => {
        return { state: 'up', pids, managerPids: [], origin: originOf(at, on) };
      };
      if (host !== null) return up(host, port);
      const [other] = portsOf(pids);
      if (other === undefined) return null;
      elsewhereSince ??= performance.now();
      if (performance.now() - elsewhereSince < ELSEWHERE_MS) return null;
      const otherHost = await hostOf(other);
      return otherHost === null ? null : up(otherHost, other);
    });
    const seconds = context.startTimeoutMs / 1000;
    const message = `it accepted no connection within ${seconds} s`;
    return found ?? { state: 'down', message, died: false };
  },
});

/** By which of this machine's addresses somebody accepts connections on this port. */
async function hostOf(port: number): Promise<string | null> {
  for (const host of HOSTS) {
    if (await accepts(host, port)) return host;
  }
  return null;
}
