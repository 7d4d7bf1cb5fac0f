import type { Manager } from '../plan/topology.ts';
import { launchCluster } from './cluster.ts';
import { launchPm2 } from './pm2.ts';
import {
  type LaunchContext,
  type Launched,
  type Launcher,
  programOf,
  type ServerSpec,
} from './server.ts';
import { launchSingle } from './single.ts';

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

/** Servers of one topology on one runtime together: under pm2 they share a daemon. */
function byLauncher(specs: ServerSpec[]): [Launcher, ServerSpec[]][] {
  const groups = Map.groupBy(
    specs,
    ({ topology, target }) => `${topology.id} ${programOf(target)}`,
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first ? [[LAUNCHERS[first.topology.manager], group]] : [];
  });
}

const LAUNCHERS: Record<Manager, Launcher> = {
  none: launchSingle,
  pm2: launchPm2,
  'pm2 with pmx': launchPm2,
  'pm2 fork': launchPm2,
  'node:cluster': launchCluster,
};
