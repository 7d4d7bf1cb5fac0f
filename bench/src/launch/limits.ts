import type { RunOptions } from '../request/run-options.ts';
import { groupsFor, type Limit } from '../system/control-groups.ts';
import type { Target } from '../targets/targets.ts';

/** What the control groups of a server limit; nothing where it has no limit. */
export function groupLimits({
  cpuLimit,
  memoryLimit,
}: Pick<Target, 'cpuLimit' | 'memoryLimit'>): Limit[] {
  return [
    ...(cpuLimit === null ? [] : [{ controller: 'cpu', cores: cpuLimit } as const]),
    ...(memoryLimit === null ? [] : [{ controller: 'memory', bytes: memoryLimit } as const]),
  ];
}

/** @throws UserError where no server can have such limits here, if there are any. */
export function requireLimits({
  cpuLimits,
  memoryLimits,
}: Pick<RunOptions, 'cpuLimits' | 'memoryLimits'>): void {
  const [cpuLimit = null] = cpuLimits;
  const [memoryLimit = null] = memoryLimits;
  groupsFor(groupLimits({ cpuLimit, memoryLimit }), 'any');
}
