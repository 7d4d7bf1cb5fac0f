import { allGone, groupMembers, signal } from '../system/processes.ts';
import type { LaunchContext } from './server.ts';

const GRACE_MS = 1000;
const KILL_MS = 5000;

/** Ends a process group: asks, then kills, then makes sure. */
export async function endGroup(leader: number, context: LaunchContext): Promise<void> {
  const members = groupMembers(leader);
  signal(-leader, 'SIGTERM');
  if (!(await allGone(members, context.signal.aborted ? 0 : GRACE_MS))) {
    signal(-leader, 'SIGKILL');
    if (!(await allGone(members, KILL_MS))) {
      throw new Error(`process group ${leader} outlived SIGKILL`);
    }
  }
  context.release(leader);
}
