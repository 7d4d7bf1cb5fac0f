import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ControlGroup,
  type Controller,
  makeGroup,
  parentGroup,
  planGroups,
  removeGroup,
} from '../../src/system/control-groups.ts';

/** Whether control groups that limit CPU time may be made here. */
export const CAN_LIMIT = canLimit('cpu');
/** Whether those that limit memory may be. */
export const CAN_LIMIT_MEMORY = canLimit('memory');

function canLimit(controller: Controller): boolean {
  try {
    parentGroup([controller]);
    return true;
  } catch {
    return false;
  }
}

/** Makes a group of so many cores; disposing of it kills what is in it and removes it. */
export function cpuGroup(name: string, cores: number): ControlGroup & AsyncDisposable {
  const [group] = planGroups([{ controller: 'cpu', amount: cores }], name);
  if (group === undefined) throw new Error('no group was planned');
  makeGroup(group);
  return { ...group, [Symbol.asyncDispose]: () => removeGroup(group.folder) };
}

/** The names of the control groups that anybody's harness has made, and has not removed yet. */
export function controlGroups(): string[] {
  const own = (controller: Controller) => readdirSync(parentGroup([controller]).folder);
  const names = [...(CAN_LIMIT ? own('cpu') : []), ...(CAN_LIMIT_MEMORY ? own('memory') : [])];
  return [...new Set(names)].filter((name) => name.startsWith('overhead-'));
}

/** Those of the runs that have these folders. */
export function groupsOf(runs: readonly string[]): string[] {
  return controlGroups().filter((name) => runs.some((run) => name.startsWith(`${run}-`)));
}

/** Removes the one of this name, with what is in it. */
export async function removeNamed(name: string): Promise<void> {
  await removeGroup(join(parentGroup(['cpu']).folder, name));
}
