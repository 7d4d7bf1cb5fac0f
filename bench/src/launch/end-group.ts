import { allGone, groupMembers, isAlive, markedBy, signal } from '../system/processes.ts';
import type { LaunchContext } from './server.ts';

/** In the environment of what is started with a log of its own: that log, wherever a process goes. */
export const MARK = 'OVERHEAD_LOG';
const GRACE_MS = 1000;
const KILL_MS = 5000;

/** A process group, and the log that marks its processes where they have left it. */
export interface ServerGroup {
  leader: number;
  log: string;
}

/** All processes of a group, and those that have left it, as far as they still run. */
export function membersOf(group: ServerGroup): number[] {
  const ranBefore = isAlive(group.leader);
  const found = listedMembers(group);
  // A leader that ended meanwhile may have left a process behind that was not there to be listed.
  return found.length === 0 && ranBefore ? listedMembers(group) : found;
}

function listedMembers({ leader, log }: ServerGroup): number[] {
  const all = [...groupMembers(leader), ...markedBy(MARK, log)];
  return [...new Set(all)].filter(isAlive);
}

/**
 * Ends a process group, and what was started with this log and has left it: asks, then kills, then
 * makes sure.
 */
export async function endGroup(
  leader: number,
  context: LaunchContext,
  log: string | null = null,
): Promise<void> {
  const members = log === null ? groupMembers(leader) : membersOf({ leader, log });
  const tell = (name: NodeJS.Signals) => {
    signal(-leader, name);
    for (const pid of members) signal(pid, name);
  };
  tell('SIGTERM');
  if (!(await allGone(members, context.signal.aborted ? 0 : GRACE_MS))) {
    tell('SIGKILL');
    if (!(await allGone(members, KILL_MS))) {
      throw new Error(`process group ${leader} outlived SIGKILL`);
    }
  }
  context.release(leader);
}
