import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Controller, groupForOthers, removeGroup } from '../../src/system/control-groups.ts';

/** Whether control groups that limit CPU time may be made here. */
export const CAN_LIMIT = canLimit('cpu');
/** Whether those that limit memory may be. */
export const CAN_LIMIT_MEMORY = canLimit('memory');

function canLimit(controller: Controller): boolean {
  try {
    groupForOthers([controller]);
    return true;
  } catch {
    return false;
  }
}

/** The names of the control groups that anybody's harness has made, and has not removed yet. */
export function controlGroups(): string[] {
  const own = (controller: Controller) => readdirSync(groupForOthers([controller]).folder);
  const names = [...(CAN_LIMIT ? own('cpu') : []), ...(CAN_LIMIT_MEMORY ? own('memory') : [])];
  return [...new Set(names)].filter((name) => name.startsWith('overhead-'));
}

/** Those of the runs that have these folders. */
export function groupsOf(runs: readonly string[]): string[] {
  return controlGroups().filter((name) => runs.some((run) => name.startsWith(`${run}-`)));
}

/** Removes the one of this name, with what is in it. */
export async function removeNamed(name: string): Promise<void> {
  const { version, folder } = groupForOthers(['cpu']);
  await removeGroup({ version, folder: join(folder, name) });
}
