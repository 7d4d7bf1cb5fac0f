import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { execaSync } from 'execa';
import {
  type Controller,
  makeGroup,
  parentGroup,
  planGroups,
  removeGroup,
} from '../../src/system/control-groups.ts';

/** Whether this user may make control groups that limit CPU time. */
export const CAN_LIMIT = canLimit('cpu');
export const CAN_LIMIT_MEMORY = canLimit('memory');
/** Whether this user may have mounts and a network of their own. */
export const CAN_UNSHARE =
  execaSync('unshare', ['--mount', '--net', 'true'], { reject: false }).exitCode === 0;

function canLimit(controller: Controller): boolean {
  try {
    parentGroup([controller]);
    return true;
  } catch {
    return false;
  }
}

/** Makes a group with this limit, by default of cores; disposing of it kills its processes and removes it. */
export function limitedGroup(name: string, amount: number, controller: Controller = 'cpu') {
  const [group] = planGroups([{ controller, amount }], name);
  if (group === undefined) throw new Error('no group was planned');
  makeGroup(group);
  return { ...group, [Symbol.asyncDispose]: () => removeGroup(group.folder) };
}

/** The names of the control groups of all harnesses on this machine. */
export function controlGroups(): string[] {
  const own = (controller: Controller) => readdirSync(parentGroup([controller]).folder);
  const names = [...(CAN_LIMIT ? own('cpu') : []), ...(CAN_LIMIT_MEMORY ? own('memory') : [])];
  return [...new Set(names)].filter((name) => name.startsWith('overhead-'));
}

/** The control groups of the runs with these folders. */
export function groupsOf(runs: readonly string[]): string[] {
  return controlGroups().filter((name) => runs.some((run) => name.startsWith(`${run}-`)));
}

/** Kills the processes of the group with this name, and removes it. */
export async function removeNamed(name: string): Promise<void> {
  await removeGroup(join(parentGroup(['cpu']).folder, name));
}
