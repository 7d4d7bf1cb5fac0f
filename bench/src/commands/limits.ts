import { groupForOthers } from '../system/control-groups.ts';

/**
 * Makes sure that servers can be limited, where any is to be, before anything else takes its time.
 * @throws UserError as `groupForOthers`.
 */
export function requireLimits(limits: readonly number[]): void {
  if (limits.length > 0) groupForOthers();
}
