import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { groupForOthers, removeGroup } from '../../src/system/control-groups.ts';

/** Whether control groups may be made here. */
export const CAN_LIMIT = canLimit();

function canLimit(): boolean {
  try {
    groupForOthers();
    return true;
  } catch {
    return false;
  }
}

/** The names of the control groups that anybody's harness has made, and has not removed yet. */
export function controlGroups(): string[] {
  if (!CAN_LIMIT) return [];
  return readdirSync(groupForOthers().folder).filter((name) => name.startsWith('overhead-'));
}

/** Those of the runs that have these folders. */
export function groupsOf(runs: readonly string[]): string[] {
  return controlGroups().filter((name) => runs.some((run) => name.startsWith(`${run}-`)));
}

/** Removes the one of this name, with what is in it. */
export async function removeNamed(name: string): Promise<void> {
  const { version, folder } = groupForOthers();
  await removeGroup({ version, folder: join(folder, name) });
}
