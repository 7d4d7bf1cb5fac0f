import { chunk } from 'simple-statistics';
import type { Manager } from '../plan/topology.ts';
import { isLimited } from '../targets/copies.ts';
import { launchCluster, launchThreads } from './cluster.ts';
import { type Endings, settled } from './endings.ts';
import { limited } from './limited.ts';
import { launchPm2 } from './pm2.ts';
import { type LaunchContext, programOf, type ServerSpec, type Started } from './server.ts';
import { launchExternal, launchReusePort, launchSingle } from './single.ts';
import type { Launcher } from './start.ts';

/** Kinds of start that go on side by side: pm2 takes seconds, of which it waits for most. */
const KINDS_TOGETHER = 2;

/**
 * Starts these servers together, each kind by its launcher. A server that fails is told of in the
 * result; the others run.
 * @throws when a launcher itself can't work; nothing starts any more then.
 */
export async function launch(
  specs: readonly ServerSpec[],
  context: LaunchContext,
  endings: Endings,
): Promise<Started[]> {
  const started: Started[] = [];
  for (const part of chunk(byKind(specs), KINDS_TOGETHER)) {
    const launching = part.map((group) => launcherOf(group[0])(group, context, endings));
    started.push(...(await settled(launching)).flat());
  }
  return started;
}

/**
 * Servers of one topology that scale alike on one runtime together: under pm2 they share a daemon, unless
 * they have a limit.
 */
function byKind(specs: readonly ServerSpec[]): [ServerSpec, ...ServerSpec[]][] {
  const groups = Map.groupBy(specs, ({ topology, target }) => {
    const { external, scale } = target;
    const kind = [topology.id, scale.by, programOf(target), isLimited(target), external !== null];
    return kind.join(' ');
  });
  return [...groups.values()].flatMap(([first, ...others]) => (first ? [[first, ...others]] : []));
}

function launcherOf(spec: ServerSpec): Launcher {
  if (spec.target.external !== null) return launchExternal;
  const launcher = unlimited(spec);
  return isLimited(spec.target) ? limited(launcher) : launcher;
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
  SO_REUSEPORT: launchReusePort,
  'worker threads': launchThreads,
};
