import { readdirSync } from 'node:fs';
import { groupForOthers } from '../../src/system/control-groups.ts';

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
  return readdirSync(groupForOthers().folder).filter((name) => name.startsWith('overhead-'));
}
