import { basename } from 'node:path';
import type { RunOptions } from '../request/run-options.ts';
import { type Limit, makeGroup, planGroups, removeGroup } from '../system/control-groups.ts';
import type { Target } from '../targets/targets.ts';
import { type Launcher, STARTED_TOGETHER } from './start.ts';
import { inBatches } from './teardown.ts';

/** What the control groups of a server limit; nothing where it has no limit. */
function limitsOf({ cpuLimit, memoryLimit }: Pick<Target, 'cpuLimit' | 'memoryLimit'>): Limit[] {
  return [
    ...(cpuLimit === null ? [] : [{ controller: 'cpu' as const, amount: cpuLimit }]),
    ...(memoryLimit === null ? [] : [{ controller: 'memory' as const, amount: memoryLimit }]),
  ];
}

/** @throws UserError where servers can't have such limits here, if there are any. */
export function requireLimits(options: Pick<RunOptions, 'cpuLimits' | 'memoryLimits'>): void {
  const [cpuLimit = null] = options.cpuLimits;
  const [memoryLimit = null] = options.memoryLimits;
  planGroups(limitsOf({ cpuLimit, memoryLimit }), 'any');
}

/**
 * The same launcher for servers with a limit: each is started by itself, with whatever manages it, in control groups
 * of its own that give it so much CPU time or memory. The groups exist before the server starts, since a runtime
 * chooses the number of its threads and the size of its heap by them, and are removed after it. With less than a core
 * a server has as much longer to start.
 */
export function limited(launcher: Launcher): Launcher {
  return (specs, context) => {
    return inBatches(specs, STARTED_TOGETHER, async (spec) => {
      const { key, target } = spec;
      // Like no other's: a run's folder has a name of its own.
      const name = `${basename(context.folder)}-${key.replaceAll(/[^\w.@-]/g, '-')}`;
      const groups = planGroups(limitsOf(target), name);
      const teardown = context.teardown.part(async () => {
        for (const { folder } of groups) {
          await removeGroup(folder);
          context.release(folder);
        }
      });
      for (const group of groups) {
        // Reported before it is made: a harness that is killed in between leaves nothing either.
        context.guard(group.folder);
        makeGroup(group);
      }
      const startTimeoutMs = context.startTimeoutMs / Math.min(1, target.cpuLimit ?? 1);
      return await launcher([spec], { ...context, groups, startTimeoutMs, teardown });
    });
  };
}
