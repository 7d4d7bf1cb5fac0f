import { basename } from 'node:path';
import type { Manager } from '../plan/topology.ts';
import type { RunOptions } from '../request/run-options.ts';
import { type Limit, makeGroup, planGroups, removeGroup } from '../system/control-groups.ts';
import { isLimited } from '../targets/copies.ts';
import type { Target } from '../targets/targets.ts';
import { launchPm2 } from './pm2.ts';
import { launchCluster, launchPlain, launchReusePort, launchThreads } from './process-launchers.ts';
import { programOf, type ServerSpec, type StartResult } from './server.ts';
import { type Launcher, runningServer, STARTED_TOGETHER } from './start.ts';
import { inBatches } from './teardown.ts';

/** Groups of servers that start at the same time: pm2 takes seconds, and mostly waits. */
const KINDS_TOGETHER = 2;

/** Starts these servers together, of which some may fail. @throws when a launcher itself fails; no more starts then. */
export const launch: Launcher = async (specs, context) => {
  // Under pm2 all servers of a kind share a daemon, unless they have a limit.
  const kinds = Map.groupBy(specs, ({ topology, target }) => {
    const { external, scale } = target;
    return [topology.id, scale.by, programOf(target), isLimited(target), external !== null].join();
  });
  return await inBatches([...kinds.values()], KINDS_TOGETHER, (kind) => {
    return launcherOf(kind)(kind, context);
  });
};

/** The launcher of servers of one kind. Some targets use several cores without a manager. */
function launcherOf([spec]: readonly ServerSpec[]): Launcher {
  if (spec === undefined) throw new Error('a kind without a server');
  const { topology, target } = spec;
  if (target.external !== null) return launchExternal;
  const { by } = target.scale;
  const launcher = by === 'processes' ? LAUNCHERS[topology.manager] : SCALED[by];
  return isLimited(target) ? limited(launcher) : launcher;
}

/** Takes servers that somebody else has started; nothing is started or stopped. */
const launchExternal: Launcher = async (specs) => {
  return specs.map((spec): StartResult => {
    const { external } = spec.target;
    if (external === null) throw new Error(`${spec.key} is not external`);
    return { state: 'running', server: runningServer(spec, external, null) };
  });
};

const LAUNCHERS: Record<Manager, Launcher> = {
  none: launchPlain,
  pm2: launchPm2,
  'pm2 with pmx': launchPm2,
  'pm2 fork': launchPm2,
  'node:cluster': launchCluster,
  SO_REUSEPORT: launchReusePort,
  'worker threads': launchThreads,
};
const SCALED = { threads: launchPlain, 'reuse-port': launchReusePort };

/** @throws UserError if this machine can't limit servers as these options ask. */
export function requireLimits(options: Pick<RunOptions, 'cpuLimits' | 'memoryLimits'>): void {
  const [cpuLimit = null] = options.cpuLimits;
  const [memoryLimit = null] = options.memoryLimits;
  planGroups(limitsOf({ cpuLimit, memoryLimit }), 'any');
}

function limitsOf({ cpuLimit, memoryLimit }: Pick<Target, 'cpuLimit' | 'memoryLimit'>): Limit[] {
  const limits: Limit[] = [];
  if (cpuLimit !== null) limits.push({ controller: 'cpu', amount: cpuLimit });
  if (memoryLimit !== null) limits.push({ controller: 'memory', amount: memoryLimit });
  return limits;
}

/** The same launcher for servers with a limit. Each starts by itself, with its manager, in its own control groups. */
export function limited(launcher: Launcher): Launcher {
  return (specs, context) => {
    return inBatches(specs, STARTED_TOGETHER, async (spec) => {
      const { key, target } = spec;
      // Unique, since the name of a run's folder is.
      const name = `${basename(context.folder)}-${key.replaceAll(/[^\w.@-]/g, '-')}`;
      const groups = planGroups(limitsOf(target), name);
      const teardown = context.teardown.part(async () => {
        for (const { folder } of groups) {
          await removeGroup(folder);
          context.release(folder);
        }
      });
      // Before the server starts: runtimes choose their number of threads and the size of their heap by their groups.
      for (const group of groups) {
        // Reported first, so that the guardian removes it even if the harness is killed in between.
        context.guard(group.folder);
        makeGroup(group);
      }
      const startTimeoutMs = context.startTimeoutMs / Math.min(1, target.cpuLimit ?? 1);
      return await launcher([spec], { ...context, groups, startTimeoutMs, teardown });
    });
  };
}
