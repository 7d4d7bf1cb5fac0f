import { chunk } from 'simple-statistics';
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

/** Kinds of start that go on side by side: pm2 takes seconds, of which it waits for most. */
const KINDS_TOGETHER = 2;

/**
 * Starts these servers together, each kind by its launcher. A server that fails is told of in the
 * result; the others run.
 * @throws when a launcher itself can't work; whatever had started is stopped by then.
 */
export async function launch(specs: ServerSpec[], context: LaunchContext): Promise<Launched> {
  const launched: Launched[] = [];
  const dispose = async () => {
    await Promise.all(launched.splice(0).map((each) => each[Symbol.asyncDispose]()));
  };
  try {
    for (const part of chunk(byLauncher(specs), KINDS_TOGETHER)) {
      const launching = part.map(([launcher, group]) => launcher(group, context));
      // Where one can't work, what the others have started by then is stopped too.
      const settled = await Promise.allSettled(launching);
      launched.push(...settled.flatMap((each) => (each.status === 'fulfilled' ? each.value : [])));
      await Promise.all(launching);
    }
  } catch (error) {
    await dispose();
    throw error;
  }
  const started = launched.flatMap((each) => each.started);
  return { started, [Symbol.asyncDispose]: dispose };
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
