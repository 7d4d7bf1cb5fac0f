import type { Manager } from '../plan/topology.ts';
import { isLimited } from '../targets/copies.ts';
import { limited } from './limited.ts';
import { launchPm2 } from './pm2.ts';
import {
  launchCluster,
  launchReusePort,
  launchSingle,
  launchThreads,
} from './process-launchers.ts';
import { programOf, type ServerSpec, type StartContext, type Started } from './server.ts';
import { type Launcher, runningServer } from './start.ts';
import { inBatches } from './teardown.ts';

/** Kinds of servers that start at the same time: pm2 takes seconds, most of which it only waits. */
const KINDS_TOGETHER = 2;

/**
 * Starts these servers together, each kind by its launcher. The result says which servers failed; the others run.
 * @throws when a launcher itself can't work; nothing starts any more then.
 */
export async function launch(
  specs: readonly ServerSpec[],
  context: StartContext,
): Promise<Started[]> {
  // Under pm2 servers of one kind share a daemon, unless they have a limit.
  const kinds = Map.groupBy(specs, ({ topology, target }) => {
    const { external, scale } = target;
    return [topology.id, scale.by, programOf(target), isLimited(target), external !== null].join();
  });
  return await inBatches([...kinds.values()], KINDS_TOGETHER, (kind) => {
    return launcherOf(kind)(kind, context);
  });
}

/** The launcher of servers of one kind. A target may need no manager to use several cores. */
function launcherOf([spec]: readonly ServerSpec[]): Launcher {
  if (spec === undefined) throw new Error('a kind without a server');
  const { topology, target } = spec;
  if (target.external !== null) return launchExternal;
  const { by } = target.scale;
  const launcher = by === 'processes' ? LAUNCHERS[topology.manager] : SCALED[by];
  return isLimited(target) ? limited(launcher) : launcher;
}

/** Servers that somebody else has started: nothing is started, and nothing ends with the launch. */
const launchExternal: Launcher = async (specs) => {
  return specs.map((spec): Started => {
    const { external } = spec.target;
    if (external === null) throw new Error(`${spec.key} is to be started`);
    return { state: 'running', server: runningServer(spec, external, null, () => []) };
  });
};

const LAUNCHERS: Record<Manager, Launcher> = {
  none: launchSingle,
  pm2: launchPm2,
  'pm2 with pmx': launchPm2,
  'pm2 fork': launchPm2,
  'node:cluster': launchCluster,
  SO_REUSEPORT: launchReusePort,
  'worker threads': launchThreads,
};
const SCALED = { threads: launchSingle, 'reuse-port': launchReusePort };
