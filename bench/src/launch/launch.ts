import type { Manager } from '../plan/topology.ts';
import { launchCluster } from './cluster.ts';
import { limited } from './limited.ts';
import { launchPm2 } from './pm2.ts';
import { launchReusePort } from './reuse-port.ts';
import {
  type LaunchContext,
  type Launched,
  type Launcher,
  programOf,
  type ServerSpec,
} from './server.ts';
import { launchSingle } from './single.ts';
import { launchUp } from './up.ts';

/**
 * Starts these servers together, each kind by its launcher. A server that fails is told of in the
 * result; the others run.
 * @throws when a launcher itself can't work; whatever had started is stopped by then.
 */
export async function launch(specs: ServerSpec[], context: LaunchContext): Promise<Launched> {
  await using stack = new AsyncDisposableStack();
  const started: Launched['started'] = [];
  for (const [launcher, group] of byLauncher(specs)) {
    const launched = stack.use(await launcher(group, context));
    started.push(...launched.started);
  }
  const running = stack.move();
  return { started, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/**
 * Servers of one topology that scale alike on one runtime together: under pm2 they share a daemon, unless
 * they have a CPU limit.
 */
function byLauncher(specs: ServerSpec[]): [Launcher, ServerSpec[]][] {
  const [up, ours] = [specs.filter(isUp), specs.filter((spec) => !isUp(spec))];
  const groups = Map.groupBy(ours, ({ topology, target }) => {
    const isLimited = target.cpuLimit !== null;
    return [topology.id, target.scale.by, programOf(target), isLimited].join(' ');
  });
  const launched = [...groups.values()].flatMap((group): [Launcher, ServerSpec[]][] => {
    const [first] = group;
    return first ? [[launcherOf(first), group]] : [];
  });
  return up.length === 0 ? launched : [[launchUp, up], ...launched];
}

function isUp({ target }: ServerSpec): boolean {
  return target.up !== null;
}

function launcherOf(spec: ServerSpec): Launcher {
  const launcher = unlimited(spec);
  return spec.target.cpuLimit === null ? launcher : limited(launcher);
}

/** A target may need no manager to use several cores. */
function unlimited({ topology, target }: ServerSpec): Launcher {
  switch (target.scale.by) {
    case 'processes':
      return LAUNCHERS[topology.manager];
    case 'threads':
      return launchSingle;
    case 'reuse-port':
      return launchReusePort;
  }
}

const LAUNCHERS: Record<Manager, Launcher> = {
  none: launchSingle,
  pm2: launchPm2,
  'pm2 with pmx': launchPm2,
  'pm2 fork': launchPm2,
  'node:cluster': launchCluster,
};
